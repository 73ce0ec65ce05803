import { hideSecrets } from "../../core/io/secrets-in-use";
import { Interrupted } from "./interruption";
import type { Interrupt, Terminal } from "./terminal";
import { failureOfProgram, startProgram, type ProgramRun } from "../../core/io/program";

export interface Captured {
  /** How the program failed, as a predicate. Undefined for success. */
  readonly how?: string | undefined;
  /** Standard output and standard error, in the order of their arrival, without secrets in use. */
  readonly printed: string;
}

/**
 * Runs a program without input to its end, and captures its output. It has its own process group: an
 * interrupt, typed or sent, then reaches what a shell has started, too, and once.
 *
 * @param terminal - whose interrupt ends the program
 * @throws Interrupted after an interrupt
 */
export async function captureOutput(
  run: ProgramRun,
  terminal?: Pick<Terminal, "onInterrupt">,
): Promise<Captured> {
  const running = startProgram({ ...run, group: true });
  const interrupts: Interrupt[] = [];
  const release = terminal?.onInterrupt((signal) => {
    interrupts.push(signal);
    running.killGroup(signal);
  });
  const ended = await running.end;
  release?.();
  if (interrupts.length > 0) throw new Interrupted();
  const printed = ended.kind === "ended" ? ended.printed.all : "";
  return { how: failureOfProgram(ended), printed: hideSecrets(printed) };
}
