import { aborted, onAbort } from "./abort";

/** Runs at most `limit` tasks at a time; the others wait in order. */
export class ConcurrencyLimit {
  readonly #waiting: (() => void)[] = [];
  #free: number;

  constructor(limit: number) {
    this.#free = limit;
  }

  /** Runs a task, or rejects with an AbortedError if it is aborted in the queue. */
  async run<Result>(task: () => Promise<Result>, signal?: AbortSignal): Promise<Result> {
    if (this.#free > 0) this.#free -= 1;
    else await this.#turn(signal);
    try {
      return await task();
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#free += 1;
    }
  }

  #turn(signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const start = () => {
        stopListening?.();
        resolve();
      };
      this.#waiting.push(start);
      const stopListening =
        signal &&
        onAbort(signal, () => {
          this.#waiting.splice(this.#waiting.indexOf(start), 1);
          reject(aborted(signal));
        });
    });
  }
}
