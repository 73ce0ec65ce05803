/** Random choices that a seed repeats (mulberry32). */
export class Draw {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
    // Neighboring seeds differ in their first numbers too.
    for (let count = 0; count < 3; count++) this.#next();
  }

  /** A whole number from 0 to `limit - 1`. */
  below(limit: number): number {
    return Math.floor(this.#next() * limit);
  }

  chance(probability: number): boolean {
    return this.#next() < probability;
  }

  of<T>(choices: readonly T[]): T {
    if (choices.length === 0) throw new Error("Nothing to choose from.");
    return choices[this.below(choices.length)] as T;
  }

  /** Between `least` and `most` different elements, in their order. */
  some<T>(choices: readonly T[], least = 0, most = choices.length): readonly T[] {
    const rest = [...choices];
    const count = Math.max(
      0,
      rest.length - least - this.below(Math.min(most, rest.length) - least + 1),
    );
    for (let dropped = 0; dropped < count; dropped++) rest.splice(this.below(rest.length), 1);
    return rest;
  }

  /** A choice by weight. */
  weighted<T>(choices: readonly (readonly [weight: number, choice: T])[]): T {
    let left = this.#next() * choices.reduce((sum, [weight]) => sum + weight, 0);
    for (const [weight, choice] of choices) {
      left -= weight;
      if (left < 0) return choice;
    }
    return this.of(choices)[1];
  }

  /** The seed of other choices. */
  seed(): number {
    return this.below(2 ** 32);
  }

  #next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }
}
