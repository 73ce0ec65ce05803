/** Finds which of many texts occur in a given text. */
export class TextIndex<T> {
  private readonly items = new Map<string, T[]>();
  /** The lengths of the texts by their first UTF-16 code unit. */
  private readonly lengths = new Map<string, Set<number>>();

  /** Adds an item under its text. An empty text is never found. */
  add(text: string, item: T): void {
    const items = this.items.get(text);
    if (items) {
      items.push(item);
      return;
    }
    this.items.set(text, [item]);
    const lengths = this.lengths.get(text.charAt(0)) ?? new Set();
    this.lengths.set(text.charAt(0), lengths.add(text.length));
  }

  /** Returns the items whose texts occur, each as often as its text. */
  within(text: string): readonly T[] {
    const found: T[] = [];
    for (let at = 0; at < text.length; at += 1)
      for (const length of this.lengths.get(text.charAt(at)) ?? [])
        for (const item of this.items.get(text.slice(at, at + length)) ?? []) found.push(item);
    return found;
  }
}
