import type { Screen } from "./screen";

/** What a run looks at to know that it should end. */
export interface Interruption {
  /** Aborted by the first interrupt: nothing new is begun. */
  readonly stop: AbortSignal;
  /** Aborted by the second: what is under way is given up. */
  readonly abort: AbortSignal;
}

/** Runs `work` with an eye on interrupts; the signals of the process are its own again afterwards. */
export async function interruptible<T>(
  screen: Screen,
  work: (interruption: Interruption) => Promise<T>,
): Promise<T> {
  const stop = new AbortController();
  const abort = new AbortController();
  const release = screen.terminal.onInterrupt(() => {
    if (!stop.signal.aborted) {
      stop.abort();
      screen.note("\nInterrupted. Finishing what is under way; interrupt again to give it up.\n");
    } else if (!abort.signal.aborted) {
      abort.abort();
      screen.note("\nInterrupted twice. What is under way is given up.\n");
    }
  });
  try {
    return await work({ stop: stop.signal, abort: abort.signal });
  } finally {
    release();
  }
}
