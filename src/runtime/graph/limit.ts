/** Runs tasks, no more than `capacity` at once, the others in the order in which they came. */
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
      // The place goes to the next one directly, so that nobody can come in between.
      const next = this.waiting.shift();
      if (next) next();
      else this.free++;
    }
  }
}
