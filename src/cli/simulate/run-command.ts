import { spawn } from "node:child_process";
import { constants } from "node:os";
import type { Terminal } from "../terminal/terminal";

/** Result of a command: the exit code, as a shell reports it, or the reason why it did not start. */
export type CommandResult = { readonly code: number } | { readonly problem: string };

/** Runs a program to its end, with `environment` in addition to that of the terminal. */
export function runCommand(
  terminal: Terminal,
  [program = "", ...args]: readonly string[],
  environment: Readonly<Record<string, string>>,
): Promise<CommandResult> {
  return new Promise((resolve) => {
    const child = spawn(program, args, {
      cwd: terminal.directory,
      env: { ...terminal.environment, ...environment },
      stdio: terminal.inheritable ? "inherit" : ["ignore", "pipe", "pipe"],
    });
    child.stdout?.setEncoding("utf8").on("data", terminal.stdout.write);
    child.stderr?.setEncoding("utf8").on("data", terminal.stderr.write);
    const release = terminal.onInterrupt((signal) => {
      // A terminal sends its interrupt to the program too.
      if (signal === "SIGTERM" || !terminal.interactive) child.kill(signal);
    });
    child.once("error", (failure) => {
      release();
      resolve({ problem: failure.message });
    });
    child.once("close", (code, signal) => {
      release();
      resolve({ code: code ?? 128 + (signal === null ? 0 : constants.signals[signal]) });
    });
  });
}
