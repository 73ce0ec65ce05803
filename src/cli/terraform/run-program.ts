import { spawn, type StdioOptions } from "node:child_process";
import { dirname } from "node:path";
import type { Environment } from "../../provider/definitions/provider-definition";
import type { Screen } from "../terminal/screen";

/** Result of a program. `missing`: it is not on PATH. */
export type Ended =
  | { readonly kind: "missing" }
  | { readonly kind: "ended"; readonly code: number; readonly output: string };

export interface ProgramRun {
  readonly directory: string;
  readonly environment: Environment;
  /** `keep` returns the output; `pass` shows it to the user. */
  readonly output: "keep" | "pass";
}

/**
 * Runs a program to its end, in its own process group: an interrupt then reaches it once, from here,
 * whether it was typed or sent.
 */
export function runProgram(
  { terminal }: Screen,
  program: string,
  args: readonly string[],
  { directory, environment, output }: ProgramRun,
): Promise<Ended> {
  return new Promise((resolve) => {
    const inherits = output === "pass" && terminal.inheritable;
    const stdio: StdioOptions = inherits
      ? [terminal.interactive ? "inherit" : "ignore", "inherit", "inherit"]
      : ["ignore", "pipe", "pipe"];
    const child = spawn(program, args, {
      cwd: directory,
      env: withNode(environment),
      stdio,
      detached: true,
    });
    let kept = "";
    const take = (write: (text: string) => void) => (text: string) => {
      if (output === "pass") write(text);
      else kept += text;
    };
    child.stdout?.setEncoding("utf8").on(
      "data",
      take((text) => {
        terminal.stdout.write(text);
      }),
    );
    child.stderr?.setEncoding("utf8").on(
      "data",
      take((text) => {
        terminal.stderr.write(text);
      }),
    );
    const release = terminal.onInterrupt(() => {
      child.kill("SIGINT");
    });
    child.once("error", () => {
      release();
      resolve({ kind: "missing" });
    });
    child.once("close", (code) => {
      release();
      resolve({ kind: "ended", code: code ?? 1, output: kept });
    });
  });
}

/** Terraform starts the provider with `node`, which may not be on PATH. */
function withNode(environment: Environment): NodeJS.ProcessEnv {
  const { PATH = "" } = environment;
  return { ...environment, PATH: `${PATH}${PATH === "" ? "" : ":"}${dirname(process.execPath)}` };
}
