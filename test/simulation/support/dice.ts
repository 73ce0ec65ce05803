/**
 * The source of all decisions of a simulated world: a seed, or the recorded choices of an earlier
 * run. The choice 0 is the plain one (no fault, the first of a list), so a run becomes smaller when
 * choices are replaced by 0; after the end of the record all are 0.
 */
export class Dice {
  /** The choices so far. */
  readonly choices: number[] = [];
  private state: number;

  constructor(private readonly source: number | readonly number[]) {
    this.state = typeof source === "number" ? source : 0;
  }

  /** From 0 to below `bound`. */
  below(bound: number): number {
    const chosen =
      typeof this.source === "number"
        ? Math.floor(this.next() * bound)
        : Math.min(this.source[this.choices.length] ?? 0, bound - 1);
    this.choices.push(chosen);
    return chosen;
  }

  /** True with the probability, false for the choice 0. */
  chance(probability: number): boolean {
    return this.below(10_000) >= 10_000 * (1 - probability);
  }

  pick<T>(list: readonly T[]): T {
    return list[this.below(list.length)] as T;
  }

  /** Some elements, in their order. */
  some<T>(list: readonly T[], probability: number): T[] {
    return list.filter(() => this.chance(probability));
  }

  /** The generator mulberry32. */
  private next(): number {
    this.state = (this.state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }
}
