import { createInterface } from "node:readline/promises";
import { textByMark } from "./read-file";
import { readStream } from "./read-stream";
import { LARGEST_INPUT_BYTES } from "./size";

/** The content of standard input, which a command that plans again needs again. */
let content: Promise<string> | undefined;

/** Reads standard input to its end. A person at a terminal may take any time. */
export function readStandardInput(): Promise<string> {
  return (content ??= readToEnd());
}

async function readToEnd(): Promise<string> {
  const { stdin } = process;
  const idleLimitMs = stdin.isTTY ? LONGEST_TIMER_MS : undefined;
  return textByMark(await readStream(stdin, LARGEST_INPUT_BYTES, idleLimitMs));
}

const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** The lines of a pipe, of which each question takes the next one. */
let piped: AsyncIterator<string, undefined> | undefined;

async function nextLine(signal: AbortSignal | undefined): Promise<string | undefined> {
  const { stdin } = process;
  piped ??= createInterface({ input: stdin })[Symbol.asyncIterator]();
  const aborted = new Promise<undefined>((resolve) => {
    signal?.addEventListener("abort", () => {
      resolve(undefined);
    });
  });
  const line = await Promise.race([piped.next().then(({ value }) => value), aborted]);
  // An open pipe must not keep the process from its end.
  stdin.pause();
  return line;
}

/**
 * Asks for a line at a terminal, or takes the next line of another input. Undefined if the input
 * ends, or after an abort.
 */
export async function askForLine(
  question: string,
  signal?: AbortSignal,
): Promise<string | undefined> {
  if (!process.stdin.isTTY) {
    process.stdout.write(question);
    return nextLine(signal);
  }
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
