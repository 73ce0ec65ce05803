import { acrossBundles } from "../../core/across-bundles";
import { printed } from "../../core/printed";
import type { Screen } from "./screen";
import type { Terminal } from "./terminal";

/** The command was interrupted before it planned or changed anything. */
export class Interrupted extends Error {
  static {
    acrossBundles(this, "Interrupted");
  }
}

/** The signals that end a run. */
export interface Interruption {
  /** Aborted by the first interrupt: no further operation starts. */
  readonly stop: AbortSignal;
  /** Aborted by the second interrupt: operations in progress are cancelled. */
  readonly abort: AbortSignal;
}

/** Runs `work` and turns interrupts of the process into its signals. */
export async function interruptible<T>(
  screen: Screen,
  work: (interruption: Interruption) => Promise<T>,
): Promise<T> {
  const stop = new AbortController();
  const abort = new AbortController();
  const release = screen.terminal.onInterrupt(() => {
    if (!stop.signal.aborted) {
      stop.abort();
      screen.note(
        screen.question.isOpen
          ? printed`\nInterrupted.\n`
          : printed`\nInterrupted. Waiting for operations in progress; interrupt again to cancel them.\n`,
      );
    } else if (!abort.signal.aborted) {
      abort.abort();
      screen.note(printed`\nInterrupted twice. Cancelling operations in progress.\n`);
    }
  });
  try {
    return await work({ stop: stop.signal, abort: abort.signal });
  } finally {
    release();
  }
}

/** Resolves with the first interrupt, for commands that serve until they are stopped. */
export function interrupted(terminal: Terminal): Promise<void> {
  return new Promise((resolve) => {
    terminal.onInterrupt(() => {
      resolve();
    });
  });
}
