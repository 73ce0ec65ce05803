import { createInterface } from "node:readline/promises";
import { readStream } from "./read-stream";
import { LARGEST_INPUT_BYTES } from "./size";

/** Reads standard input to its end. A person at a terminal may take any time. */
export async function readStandardInput(): Promise<string> {
  const { stdin } = process;
  const idleLimitMs = stdin.isTTY ? LONGEST_TIMER_MS : undefined;
  return (await readStream(stdin, LARGEST_INPUT_BYTES, idleLimitMs)).toString("utf8");
}

const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** Asks for a line at a terminal; undefined if the input ends, or after an abort. */
export async function askForLine(
  question: string,
  signal?: AbortSignal,
): Promise<string | undefined> {
  const reader = createInterface({ input: process.stdin, output: process.stdout });
  const ended = new Promise<undefined>((resolve) => {
    reader.once("close", () => {
      resolve(undefined);
    });
  });
  // readline handles the interrupt key itself, so it is passed on to the process.
  reader.on("SIGINT", () => process.kill(process.pid, "SIGINT"));
  try {
    const answer = reader.question(question, signal ? { signal } : {}).catch(() => undefined);
    return await Promise.race([answer, ended]);
  } finally {
    reader.close();
  }
}
