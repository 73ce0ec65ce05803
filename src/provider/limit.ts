/** Runs at most `capacity` tasks at once, the others in the order of their calls. */
export class Limit {
  private free: number;
  private readonly waiting: (() => void)[] = [];

  constructor(capacity: number) {
    this.free = capacity;
  }

  async run<T>(task: () => Promise<T>): Promise<T> {
    if (this.free > 0) this.free--;
    else await new Promise<void>((resume) => this.waiting.push(resume));
    try {
      return await task();
    } finally {
      // The place is handed to the next task directly, so that no other task can take it.
      const next = this.waiting.shift();
      if (next) next();
      else this.free++;
    }
  }
}
