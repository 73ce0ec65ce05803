import { spawn, type ChildProcessWithoutNullStreams } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";

export interface Program {
  readonly child: ChildProcessWithoutNullStreams;
  /** The output so far. */
  output(): string;
  /** Resolves with the output when the program has ended, regardless of its exit code. */
  readonly ended: Promise<string>;
  /** Resolves once `test` holds for the output. */
  readonly until: (test: (output: string) => boolean) => Promise<void>;
}

/** Runs one of `programs/` in a separate process; `limitKb` bounds the files that it can write. */
export function run(name: string, args: readonly string[], limitKb?: number): Program {
  const command = [
    process.execPath,
    "--import",
    "tsx",
    join(__dirname, "programs", `${name}.ts`),
    ...args,
  ];
  const limit = limitKb === undefined ? "" : `ulimit -f ${limitKb}; `;
  const child = spawn("bash", ["-c", `${limit}exec "$@"`, "bash", ...command]);
  let output = "";
  let errors = "";
  child.stdout.on("data", (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => (errors += chunk.toString()));
  const ended = once(child, "close").then(() => {
    if (errors !== "") throw new Error(errors);
    return output;
  });
  ended.catch(() => undefined);
  const until = async (test: (output: string) => boolean) => {
    while (!test(output)) await Promise.race([once(child.stdout, "data"), endedEarly()]);
  };
  const endedEarly = async () => {
    throw new Error(`${name} has ended: ${await ended}`);
  };
  return { child, output: () => output, ended, until };
}
