import { dirname } from "node:path";
import { LineSplitter } from "../../core/io/lines";
import { IS_EXECUTABLE } from "../../core/io/package-files";
import { startProgram } from "../../core/io/program";
import type { Environment } from "../../core/environment";
import { ProgramOutput } from "../terminal/program-output";
import type { Terminal } from "../terminal/terminal";

/** Result of a program. `missing`: it is not on PATH. */
export type Ended =
  | { readonly kind: "missing" }
  | { readonly kind: "ended"; readonly code: number; readonly out: string; readonly err: string };

/** Returns what a program has written on standard error. */
export function errorOutput(ended: Ended): string {
  return ended.kind === "ended" ? ended.err : "";
}

export interface EngineProcess {
  readonly directory: string;
  readonly environment: Environment;
  /** Called with each line of standard output, which is then not kept. */
  readonly line?: (line: string) => void;
  /** Text for its standard input. */
  readonly input?: string;
}

/**
 * Runs a program to its end, in its own process group: an interrupt, typed or sent, then reaches it
 * once, from here. Its log (TF_LOG) is passed on.
 */
export async function runProgram(
  terminal: Terminal,
  program: string,
  args: readonly string[],
  { directory, environment, line, input }: EngineProcess,
): Promise<Ended> {
  const logs = (environment.TF_LOG ?? environment.TF_LOG_CORE ?? "") !== "";
  const log = new ProgramOutput(terminal.stderr);
  const lines = line && new LineSplitter(line);
  const running = startProgram({
    program,
    args,
    directory,
    environment: withNode(environment),
    group: true,
    ...(input !== undefined && { input }),
    out: lines?.add ?? "keep",
    err: logs ? { alsoTo: log.add } : "keep",
    // It may be applying.
    excess: "drop",
  });
  const release = terminal.onInterrupt(() => {
    running.kill("SIGINT");
  });
  const ended = await running.end;
  release();
  lines?.end();
  log.end();
  if (ended.kind === "not-started") return { kind: "missing" };
  const { out, err } = ended.printed;
  return { kind: "ended", code: ended.code ?? 1, out, err };
}

/** A provider that is installed by hand starts with `node`, which may not be on PATH. */
function withNode(environment: Environment): NodeJS.ProcessEnv {
  if (IS_EXECUTABLE) return environment;
  const { PATH = "" } = environment;
  return { ...environment, PATH: `${PATH}${PATH === "" ? "" : ":"}${dirname(process.execPath)}` };
}
