import { constants } from "node:os";
import { startProgram } from "../../core/io/program";
import { ProgramOutput } from "../terminal/program-output";
import type { Terminal } from "../terminal/terminal";

/** Result of a command: the exit code, as a shell reports it, or the reason why it did not start. */
export type CommandResult = { readonly code: number } | { readonly problem: string };

/** Runs a program to its end, with `environment` in addition to that of the terminal. */
export async function runToEnd(
  terminal: Terminal,
  [program = "", ...args]: readonly string[],
  environment: Readonly<Record<string, string>>,
): Promise<CommandResult> {
  const [out, err] = [new ProgramOutput(terminal.stdout), new ProgramOutput(terminal.stderr)];
  const running = startProgram({
    program,
    args,
    directory: terminal.directory,
    environment: { ...terminal.environment, ...environment },
    out: terminal.inheritable ? "inherit" : out.add,
    err: terminal.inheritable ? "inherit" : err.add,
  });
  const release = terminal.onInterrupt((signal) => {
    // A terminal sends its interrupt to the program too.
    if (signal === "SIGTERM" || !terminal.interactive) running.kill(signal);
  });
  const ended = await running.end;
  release();
  out.end();
  err.end();
  if (ended.kind === "not-started") return { problem: ended.reason };
  const { code, signal } = ended;
  return { code: code ?? 128 + (signal === null ? 0 : constants.signals[signal]) };
}
