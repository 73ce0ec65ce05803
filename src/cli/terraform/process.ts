import { spawn } from "node:child_process";
import { dirname } from "node:path";
import type { Environment } from "../../provider/definitions/provider-definition";
import type { Terminal } from "../terminal/terminal";

/** Result of a program. `missing`: it is not on PATH. */
export type Ended =
  | { readonly kind: "missing" }
  | { readonly kind: "ended"; readonly code: number; readonly out: string; readonly err: string };

interface ProgramRun {
  readonly directory: string;
  readonly environment: Environment;
  /** Called with each line of standard output, which is then not kept. */
  readonly line?: (line: string) => void;
}

/**
 * Runs a program to its end, in its own process group: an interrupt, typed or sent, then reaches it
 * once, from here. Its log (TF_LOG) is passed on.
 */
export function runProgram(
  terminal: Terminal,
  program: string,
  args: readonly string[],
  { directory, environment, line }: ProgramRun,
): Promise<Ended> {
  return new Promise((resolve) => {
    const child = spawn(program, args, {
      cwd: directory,
      env: withNode(environment),
      stdio: ["ignore", "pipe", "pipe"],
      detached: true,
    });
    const logs = (environment.TF_LOG ?? environment.TF_LOG_CORE ?? "") !== "";
    let out = "";
    let err = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      out += text;
      if (!line) return;
      const lines = out.split("\n");
      out = lines.pop() ?? "";
      lines.forEach(line);
    });
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      err += text;
      if (logs) terminal.stderr.write(text);
    });
    const release = terminal.onInterrupt(() => {
      child.kill("SIGINT");
    });
    child.once("error", () => {
      release();
      resolve({ kind: "missing" });
    });
    child.once("close", (code) => {
      release();
      resolve({ kind: "ended", code: code ?? 1, out, err });
    });
  });
}

/** A provider that is installed by hand starts with `node`, which may not be on PATH. */
function withNode(environment: Environment): NodeJS.ProcessEnv {
  const { PATH = "" } = environment;
  return { ...environment, PATH: `${PATH}${PATH === "" ? "" : ":"}${dirname(process.execPath)}` };
}
