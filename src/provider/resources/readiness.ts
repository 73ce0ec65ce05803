import { sleep } from "../../api/abort";
import { ConsoleError } from "../../api/errors";
import { isNotServing } from "../console/availability";
import type { Console } from "../console/connection";
import type { OperationContext } from "../definitions/operation";
import { error, type Diagnostic } from "../diagnostics";

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 5_000;

/**
 * Waits until the console serves: any answer below 500. A refused connection, TLS that is not up
 * yet and a 5xx are "not yet"; a certificate that is not trusted stays so, and ends the wait.
 * Returns undefined when it serves.
 */
export async function waitUntilReady(
  timeoutSeconds: number,
  { connection: { client }, signal, progress }: OperationContext<Console>,
): Promise<Diagnostic | undefined> {
  const deadline = Date.now() + timeoutSeconds * 1000;
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
    const failure = await failureOfPing(client, signal);
    if (!failure) return undefined;
    if (!isNotServing(failure)) throw failure;
    const left = deadline - Date.now();
    if (left <= 0) {
      return error(
        "Console is not ready",
        `It did not serve within ${timeoutSeconds} s (wait_timeout). The last try: ${failure.message}`,
        ["wait_timeout"],
      );
    }
    progress(`waiting: ${failure.message}`);
    await sleep(Math.min(pause, left), signal);
  }
}

async function failureOfPing(
  client: Console["client"],
  signal: AbortSignal,
): Promise<ConsoleError | undefined> {
  try {
    await client.ping(signal);
    return undefined;
  } catch (failure) {
    if (failure instanceof ConsoleError) return failure;
    throw failure;
  }
}
