import { createHash } from "node:crypto";

const BITS_32 = 2 ** 32;

/** Pseudo-random numbers that are the same for the same seed on every machine. */
export class Random {
  readonly #seed: string;
  #block = Buffer.alloc(0);
  #blocks = 0;
  #used = 0;

  constructor(seed: string) {
    this.#seed = seed;
  }

  /** Returns 0 to `below` - 1. */
  integer(below: number): number {
    return Math.floor(this.#fraction() * below);
  }

  between(least: number, most: number): number {
    return least + this.integer(most - least + 1);
  }

  chance(probability: number): boolean {
    return this.#fraction() < probability;
  }

  /** Picks an element. */
  pick<Item>(items: readonly [Item, ...Item[]]): Item {
    return items[this.integer(items.length)] ?? items[0];
  }

  /** Picks each element with the given probability, in order. */
  some<Item>(items: readonly Item[], probability: number): readonly Item[] {
    return items.filter(() => this.chance(probability));
  }

  hex(length: number): string {
    return this.letters("0123456789abcdef", length);
  }

  letters(alphabet: string, length: number): string {
    return Array.from({ length }, () => alphabet.charAt(this.integer(alphabet.length))).join("");
  }

  #fraction(): number {
    if (this.#used === this.#block.length) {
      const counted = `${this.#seed}#${this.#blocks++}`;
      this.#block = createHash("sha512").update(counted).digest();
      this.#used = 0;
    }
    const drawn = this.#block.readUInt32BE(this.#used);
    this.#used += 4;
    return drawn / BITS_32;
  }
}
