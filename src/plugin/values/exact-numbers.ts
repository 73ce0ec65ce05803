/**
 * Terraform's numbers have 512 bits, ours 53. What a call brought is remembered as it came, so that
 * a value that passes through goes back as it was: Terraform compares what it gets with what it
 * gave, bit by bit. One for each call.
 */
export class ExactNumbers {
  readonly #given = new Map<number, number | string>();

  /** The number to work with. A `string` is a decimal, as Terraform sends what no float can hold. */
  take(given: number | bigint | string): number {
    const value = Number(given);
    const spelling = typeof given === "bigint" ? given.toString() : given;
    if (!Number.isSafeInteger(value) && !this.#given.has(value)) this.#given.set(value, spelling);
    return value;
  }

  /** As MessagePack is to have it. What did not come from Terraform is meant in decimal. */
  give(value: number): number | string {
    if (Number.isSafeInteger(value)) return value === 0 ? 0 : value;
    return this.#given.get(value) ?? String(value);
  }
}
