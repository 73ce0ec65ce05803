import { AbortedError } from "../errors";
import { world } from "../../core/io/world";

export function aborted(signal: AbortSignal): AbortedError {
  return new AbortedError("The request was aborted.", { cause: signal.reason });
}

/** Waits; rejects with an AbortedError when the signal is aborted. */
export async function sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
  try {
    await world.clock.sleep(milliseconds, signal);
  } catch (error) {
    throw signal?.aborted ? aborted(signal) : error;
  }
}

/** Waits for a shared promise, or rejects when the caller's signal is aborted. */
export async function unlessAborted<T>(promise: Promise<T>, signal?: AbortSignal): Promise<T> {
  if (!signal) return promise;
  let leave: (() => void) | undefined;
  const left = new Promise<never>((_, reject) => {
    leave = onAbort(signal, () => {
      reject(aborted(signal));
    });
  });
  try {
    return await Promise.race([promise, left]);
  } finally {
    leave?.();
  }
}

/** Calls back when the signal is aborted, or at once if it is. Returns a function that ends that. */
export function onAbort(signal: AbortSignal, callback: () => void): () => void {
  const callbacks = callbacksOf(signal);
  callbacks.add(callback);
  if (signal.aborted) callback();
  return () => {
    callbacks.delete(callback);
  };
}

/**
 * The callbacks of each signal, which one listener calls: a signal compares a new listener with all
 * others, and all calls of a run share its signal.
 */
const waiting = new WeakMap<AbortSignal, Set<() => void>>();

function callbacksOf(signal: AbortSignal): Set<() => void> {
  const known = waiting.get(signal);
  if (known) return known;
  const callbacks = new Set<() => void>();
  waiting.set(signal, callbacks);
  signal.addEventListener("abort", () => {
    for (const callback of callbacks) callback();
  });
  return callbacks;
}
