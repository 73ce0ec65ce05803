/** Computes a value once for each key, at its first use. */
export class Memo<K, V extends object | string | bigint> {
  private readonly made = new Map<K, V>();

  constructor(private readonly make: (key: K) => V) {}

  of(key: K): V {
    const known = this.made.get(key);
    if (known !== undefined) return known;
    const made = this.make(key);
    this.made.set(key, made);
    return made;
  }
}
