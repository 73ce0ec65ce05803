import { ANY_TEXT, endsAgree, endsOf, matchesText, type Ends } from "./pattern";

interface Entry extends Ends {
  readonly pattern: string;
  /** The list that has the pattern. */
  readonly id: number;
}

/** Finds those of many patterns that match a text, or another pattern, by their ends. */
export class PatternIndex {
  /** By what they begin with; by what they end with where they begin with a star; the others. */
  private readonly heads = new EndIndex();
  private readonly tails = new EndIndex();
  private readonly middles = new MiddleIndex();

  add(pattern: string, id: number): void {
    const entry = { ...endsOf(pattern), pattern, id };
    const [middle = ""] = pattern
      .split("*")
      .slice(1, -1)
      .sort((one, other) => other.length - one.length);
    if (middle.length > Math.max(entry.head.length, entry.tail.length))
      this.middles.add(entry, middle);
    else if (entry.head !== "") this.heads.add(entry.head, entry);
    else if (entry.tail !== "") this.tails.add(reversed(entry.tail), entry);
    else this.middles.add(entry, middle);
  }

  /** The lists with a pattern that matches the text. */
  matching(text: string): ReadonlySet<number> {
    const found = new Set<number>();
    const likely = [this.heads.beginningOf(text), this.tails.beginningOf(reversed(text))];
    for (const entries of likely)
      for (const { pattern, id } of entries) if (matchesText(pattern, text)) found.add(id);
    this.middles.addMatching(text, found);
    return found;
  }

  /** The lists with a pattern that matches all that this one matches. */
  covering(pattern: string): ReadonlySet<number> {
    return this.matching(pattern.replaceAll("*", ANY_TEXT));
  }

  /** The lists with a pattern that matches some text that this one matches. */
  meeting(pattern: string): ReadonlySet<number> {
    const ends = endsOf(pattern);
    if (ends.isLiteral) return this.matching(pattern);
    const found = new Set<number>();
    const likely = [
      this.heads.agreeingWith(ends.head),
      this.tails.agreeingWith(reversed(ends.tail)),
      this.middles.entries,
    ];
    for (const entries of likely)
      for (const entry of entries)
        if (entry.isLiteral ? matchesText(pattern, entry.pattern) : endsAgree(ends, entry))
          found.add(entry.id);
    return found;
  }
}

/** Entries by a text at one end, sorted when first asked. */
class EndIndex {
  private readonly entries = new Map<string, Entry[]>();
  private readonly lengths = new Set<number>();
  private sorted: readonly string[] = [];

  add(end: string, entry: Entry): void {
    const entries = this.entries.get(end);
    if (entries) entries.push(entry);
    else this.entries.set(end, [entry]);
    this.lengths.add(end.length);
  }

  /** Those with an end that the text begins with. */
  beginningOf(text: string): readonly Entry[] {
    return [...this.lengths].flatMap((length) =>
      length <= text.length ? (this.entries.get(text.slice(0, length)) ?? []) : [],
    );
  }

  /** Those, too, with an end that begins with the text. */
  agreeingWith(text: string): readonly Entry[] {
    if (this.sorted.length !== this.entries.size) this.sorted = [...this.entries.keys()].sort();
    const found = [...this.beginningOf(text)];
    for (let at = this.firstAfter(text); this.sorted[at]?.startsWith(text); at += 1)
      found.push(...(this.entries.get(this.sorted[at] ?? "") ?? []));
    return found;
  }

  private firstAfter(text: string): number {
    let [low, high] = [0, this.sorted.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.sorted[middle] ?? "") <= text) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** Entries by their longest text between two stars. */
class MiddleIndex {
  readonly entries: Entry[] = [];
  /** By that text, which is empty for the pattern `*`. */
  private readonly byText = new Map<string, Entry[]>();
  /** The lengths of these texts, by their first unit. */
  private readonly lengths = new Map<string, Set<number>>();

  add(entry: Entry, text: string): void {
    const entries = this.byText.get(text);
    if (entries) entries.push(entry);
    else this.byText.set(text, [entry]);
    this.entries.push(entry);
    if (text === "") return;
    const lengths = this.lengths.get(text.charAt(0)) ?? new Set();
    this.lengths.set(text.charAt(0), lengths.add(text.length));
  }

  addMatching(text: string, found: Set<number>): void {
    for (const { id } of this.byText.get("") ?? []) found.add(id);
    for (let at = 0; at < text.length; at += 1)
      for (const length of this.lengths.get(text.charAt(at)) ?? [])
        for (const { pattern, id } of this.byText.get(text.slice(at, at + length)) ?? [])
          if (pattern.length === length + 2 || matchesText(pattern, text)) found.add(id);
  }
}

/** By units of the string, as its length and slices are. */
function reversed(text: string): string {
  let turned = "";
  for (let at = text.length - 1; at >= 0; at -= 1) turned += text.charAt(at);
  return turned;
}
