import { setTimeout as delay } from "node:timers/promises";
import { AbortedError } from "../errors";

export function aborted(signal: AbortSignal): AbortedError {
  return new AbortedError("The request was aborted.", { cause: signal.reason });
}

/** Waits; rejects with an AbortedError when the signal is aborted. */
export async function sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
  try {
    await delay(milliseconds, undefined, signal && { signal });
  } catch (error) {
    throw signal?.aborted ? aborted(signal) : error;
  }
}

/** Waits for a shared promise, or rejects when the caller's signal is aborted. */
export async function unlessAborted<T>(promise: Promise<T>, signal?: AbortSignal): Promise<T> {
  if (!signal) return promise;
  let leave: (() => void) | undefined;
  const left = new Promise<never>((_, reject) => {
    leave = () => {
      reject(aborted(signal));
    };
    signal.addEventListener("abort", leave);
    if (signal.aborted) leave();
  });
  try {
    return await Promise.race([promise, left]);
  } finally {
    if (leave) signal.removeEventListener("abort", leave);
  }
}
