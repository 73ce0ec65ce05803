/** A set of indexes below a fixed size, as bits: sets of hundreds of scopes are combined at once. */
export class IndexSet {
  /** Small numbers in a plain array, which are cheaper to make than a typed array. */
  private constructor(private readonly words: number[]) {}

  static empty(size: number): IndexSet {
    return new IndexSet(new Array<number>((size + 31) >>> 5).fill(0));
  }

  static of(size: number, indexes: Iterable<number>): IndexSet {
    const set = IndexSet.empty(size);
    for (const index of indexes) set.add(index);
    return set;
  }

  add(index: number): void {
    this.words[index >>> 5] = this.word(index >>> 5) | (1 << (index & 31));
  }

  has(index: number): boolean {
    return (this.word(index >>> 5) & (1 << (index & 31))) !== 0;
  }

  delete(index: number): void {
    this.words[index >>> 5] = this.word(index >>> 5) & ~(1 << (index & 31));
  }

  and(other: IndexSet): IndexSet {
    const common = this.copy();
    common.retain(other);
    return common;
  }

  or(other: IndexSet): IndexSet {
    const union = this.copy();
    union.join(other);
    return union;
  }

  without(other: IndexSet): IndexSet {
    const left = this.copy();
    left.remove(other);
    return left;
  }

  /** Leaves out what is in the other set. */
  remove(other: IndexSet): void {
    for (let at = 0; at < this.words.length; at += 1)
      this.words[at] = this.word(at) & ~other.word(at);
  }

  /** Keeps what is in the other set, too. */
  retain(other: IndexSet): void {
    for (let at = 0; at < this.words.length; at += 1)
      this.words[at] = this.word(at) & other.word(at);
  }

  /** Adds what is in the other set. */
  join(other: IndexSet): void {
    for (let at = 0; at < this.words.length; at += 1)
      this.words[at] = this.word(at) | other.word(at);
  }

  /** Adds what is in both of two others. */
  joinCommon(one: IndexSet, other: IndexSet): void {
    for (let at = 0; at < this.words.length; at += 1)
      this.words[at] = this.word(at) | (one.word(at) & other.word(at));
  }

  copy(): IndexSet {
    return new IndexSet(this.words.slice());
  }

  meets(other: IndexSet): boolean {
    for (let at = 0; at < this.words.length; at += 1)
      if ((this.word(at) & other.word(at)) !== 0) return true;
    return false;
  }

  meetsCommon(one: IndexSet, other: IndexSet): boolean {
    for (let at = 0; at < this.words.length; at += 1)
      if ((this.word(at) & one.word(at) & other.word(at)) !== 0) return true;
    return false;
  }

  includes(other: IndexSet): boolean {
    for (let at = 0; at < this.words.length; at += 1)
      if ((other.word(at) & ~this.word(at)) !== 0) return false;
    return true;
  }

  isEmpty(): boolean {
    for (const word of this.words) if (word !== 0) return false;
    return true;
  }

  /** Ascending. */
  forEach(visit: (index: number) => void): void {
    for (let at = 0; at < this.words.length; at += 1)
      for (let word = this.word(at); word !== 0; word &= word - 1)
        visit(at * 32 + 31 - Math.clz32(word & -word));
  }

  private word(at: number): number {
    return this.words[at] ?? 0;
  }
}
