import { LineSplitter } from "../../core/io/lines";
import { startProgram, type StartedProgram, type ProgramEnd } from "../../core/io/program";

const KILL_AFTER_MS = 5_000;

/** A program that works for the user, as long as it takes. */
export interface CommandLine extends StartedProgram {
  /** Text for its standard input. Default: it has none. */
  readonly input?: string;
  /** Once aborted, the command is interrupted, and killed if it does not end. */
  readonly signal: AbortSignal;
}

/** Runs a command in a separate process group; `print` gets each line of both outputs. */
export async function runCommand(
  { signal, ...command }: CommandLine,
  print: (line: string) => void,
): Promise<ProgramEnd> {
  const [out, err] = [new LineSplitter(print), new LineSplitter(print)];
  const running = startProgram({ ...command, group: true, out: out.add, err: err.add });
  let hardKill: NodeJS.Timeout | undefined;
  const abort = () => {
    running.killGroup("SIGINT");
    hardKill = setTimeout(running.killGroup, KILL_AFTER_MS, "SIGKILL");
  };
  signal.addEventListener("abort", abort, { once: true });
  if (signal.aborted) abort();
  const end = await running.end;
  clearTimeout(hardKill);
  signal.removeEventListener("abort", abort);
  // Background processes of shells ignore interrupts.
  if (signal.aborted) running.killGroup("SIGKILL");
  out.end();
  err.end();
  return end;
}
