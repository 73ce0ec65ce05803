import type { OpenStack } from "../plan/open-stacks";

/**
 * Releases the lock of a stack when the stack and all that wait for it, such as those that read its
 * outputs, have ended: it can then be changed while the run goes on with others.
 */
export class HeldLocks {
  /** The stacks that have not ended, by each stack whose lock they need. */
  private readonly needed = new Map<string, Set<string>>();
  private readonly locks: ReadonlyMap<string, OpenStack["lock"]>;

  /** @param awaited - the stacks that a stack waits for */
  constructor(
    opened: readonly OpenStack[],
    private readonly awaited: ReadonlyMap<string, ReadonlySet<string>>,
  ) {
    this.locks = new Map(opened.map(({ run, lock }) => [run.name, lock]));
    for (const name of this.locks.keys()) this.needed.set(name, new Set([name]));
    for (const [stack, others] of awaited) {
      for (const other of others) this.needed.get(other)?.add(stack);
    }
  }

  /** Nothing of the stack runs any more. Problems of a release are reported when the run ends. */
  async ended(stack: string): Promise<void> {
    const held = [stack, ...(this.awaited.get(stack) ?? [])];
    const free = held.filter((name) => {
      const needed = this.needed.get(name);
      return needed?.delete(stack) === true && needed.size === 0;
    });
    const locks = free.flatMap((name) => this.locks.get(name) ?? []);
    await Promise.all(locks.map((lock) => lock.release()));
  }
}
