import { hideSecrets } from "../../core/io/secrets-in-use";
import { failureOf, startProgram, type ProgramRun } from "../../core/io/program";

export interface Captured {
  /** How the program failed, as a predicate. Undefined for success. */
  readonly how?: string | undefined;
  /** Standard output and standard error, in the order of their arrival, without secrets in use. */
  readonly printed: string;
}

/** Runs a program without input to its end, and captures its output. Does not reject. */
export async function captureOutput(run: ProgramRun): Promise<Captured> {
  const ended = await startProgram(run).end;
  const printed = ended.kind === "ended" ? ended.printed.all : "";
  return { how: failureOf(ended), printed: hideSecrets(printed) };
}
