import { world } from "./world";

/** A task that waits, with those behind it. A list would move all of them for each that starts. */
interface Waiting {
  readonly resume: () => void;
  next?: Waiting;
}

/** Runs at most `capacity` tasks at once, the others in the order of their calls. */
export class Limit {
  private free: number;
  private first: Waiting | undefined;
  private last: Waiting | undefined;

  /** @param patience - tasks that take longer, in milliseconds, no longer count; default: all do */
  constructor(
    capacity: number,
    private readonly patience?: number,
  ) {
    this.free = capacity;
  }

  async run<T>(task: () => Promise<T>): Promise<T> {
    if (this.free > 0) this.free--;
    else
      await new Promise<void>((resume) => {
        this.append({ resume });
      });
    let holds = true;
    const release = () => {
      if (holds) this.release();
      holds = false;
    };
    const timer =
      this.patience === undefined ? undefined : world.clock.after(this.patience, release).letGo();
    try {
      return await task();
    } finally {
      timer?.cancel();
      release();
    }
  }

  private release(): void {
    // The place is handed to the next task directly, so that no other task can take it.
    const next = this.first;
    this.first = next?.next;
    if (next) next.resume();
    else this.free++;
  }

  private append(waiting: Waiting): void {
    if (this.first && this.last) this.last.next = waiting;
    else this.first = waiting;
    this.last = waiting;
  }
}
