/** A set of indexes below a fixed size, as bits: sets of hundreds of scopes are combined at once. */
export class IndexSet {
  private constructor(private readonly words: Uint32Array) {}

  static empty(size: number): IndexSet {
    return new IndexSet(new Uint32Array((size + 31) >>> 5));
  }

  static of(size: number, indexes: Iterable<number>): IndexSet {
    const set = IndexSet.empty(size);
    for (const index of indexes) set.add(index);
    return set;
  }

  add(index: number): void {
    this.words[index >>> 5] = this.word(index) | (1 << (index & 31));
  }

  has(index: number): boolean {
    return (this.word(index) & (1 << (index & 31))) !== 0;
  }

  delete(index: number): void {
    this.words[index >>> 5] = this.word(index) & ~(1 << (index & 31));
  }

  and(other: IndexSet): IndexSet {
    return new IndexSet(this.words.map((word, at) => word & (other.words[at] ?? 0)));
  }

  or(other: IndexSet): IndexSet {
    return new IndexSet(this.words.map((word, at) => word | (other.words[at] ?? 0)));
  }

  without(other: IndexSet): IndexSet {
    return new IndexSet(this.words.map((word, at) => word & ~(other.words[at] ?? 0)));
  }

  /** Keeps what is in the other set, too. */
  retain({ words }: IndexSet): void {
    for (let at = 0; at < words.length; at += 1)
      this.words[at] = this.wordAt(at) & (words[at] ?? 0);
  }

  /** Adds what is in the other set. */
  join({ words }: IndexSet): void {
    for (let at = 0; at < words.length; at += 1)
      this.words[at] = this.wordAt(at) | (words[at] ?? 0);
  }

  copy(): IndexSet {
    return new IndexSet(this.words.slice());
  }

  meets({ words }: IndexSet): boolean {
    return this.words.some((word, at) => (word & (words[at] ?? 0)) !== 0);
  }

  isEmpty(): boolean {
    return this.words.every((word) => word === 0);
  }

  /** Ascending. */
  *[Symbol.iterator](): Generator<number> {
    for (let at = 0; at < this.words.length; at += 1) {
      for (let word = this.wordAt(at); word !== 0; word &= word - 1) {
        yield at * 32 + 31 - Math.clz32(word & -word);
      }
    }
  }

  private word(index: number): number {
    return this.wordAt(index >>> 5);
  }

  private wordAt(at: number): number {
    return this.words[at] ?? 0;
  }
}
