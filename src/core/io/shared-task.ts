/** Runs a task for all that ask for it: those that ask during a run share the next one. */
export class SharedTask {
  private running: Promise<void> = Promise.resolve();
  private next: Promise<void> | undefined;

  constructor(private readonly task: () => Promise<void>) {}

  /** Resolves, or rejects, with a run that begins after this call. */
  run(): Promise<void> {
    return (this.next ??= this.runNext());
  }

  /** Resolves when all runs that were asked for have ended. */
  async ended(): Promise<void> {
    await (this.next ?? this.running).catch(() => undefined);
  }

  private async runNext(): Promise<void> {
    await this.running.catch(() => undefined);
    this.next = undefined;
    this.running = this.task();
    await this.running;
  }
}
