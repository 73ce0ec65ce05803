import type { EngineEvent, Observer } from "../runtime";

/**
 * Work in progress: its events, and its result. The work runs whether its events are read or not;
 * those that nobody has read are kept.
 *
 *     const applying = apply({ outDir: "cdktf.out" });
 *     for await (const event of applying) console.log(event.type, event.stack);
 *     const { applied, diagnostics } = await applying.result;
 */
export class Operation<T> implements AsyncIterable<EngineEvent> {
  /** Rejects for bugs and misuse only: errors of stacks are diagnostics of the result. */
  readonly result: Promise<T>;
  #events: EngineEvent[] = [];
  #ended = false;
  #wake: () => void = () => undefined;

  constructor(work: (observe: Observer) => Promise<T>) {
    this.result = work((event) => {
      this.#events.push(event);
      this.#wake();
    });
    const end = () => {
      this.#ended = true;
      this.#wake();
    };
    this.result.then(end, end);
  }

  /** Yields each event once, and ends with the work. */
  async *[Symbol.asyncIterator](): AsyncIterator<EngineEvent> {
    for (;;) {
      const events = this.#events;
      this.#events = [];
      yield* events;
      if (this.#events.length > 0) continue;
      if (this.#ended) return;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }
}
