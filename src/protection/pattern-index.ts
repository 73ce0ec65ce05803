import type { IndexSet } from "./index-set";
import { Memo } from "./memo";
import { ANY_TEXT, endsAgree, endsOf, matchesText, type Ends } from "./pattern";
import { TextIndex } from "./text-index";

interface Entry extends Ends {
  readonly pattern: string;
  /** The scopes that have the pattern. */
  scopes: IndexSet;
}

/** Finds the scopes whose patterns in one field match a text, or overlap another pattern. */
export class PatternIndex {
  /** The scopes with the pattern `*`, which has no entry. */
  everything: IndexSet = 0n;
  /** The scopes with any pattern. */
  private some: IndexSet = 0n;
  private readonly entries = new Memo((pattern: string) => this.enter(pattern));
  /** `heads` has patterns by their text before the first star; `others` begin with a star. */
  private readonly literals = new EndIndex();
  private readonly heads = new EndIndex();
  private readonly others: Entry[] = [];
  private readonly withStars: Entry[] = [];
  private partIndex: TextIndex<Entry> | undefined;
  private readonly starred = new Memo((ends: string) => this.findStarred(endsOf(ends)));

  add(pattern: string, scope: IndexSet): void {
    this.some |= scope;
    if (pattern === "*") this.everything |= scope;
    else this.entries.of(pattern).scopes |= scope;
  }

  private enter(pattern: string): Entry {
    const entry = { ...endsOf(pattern), pattern, scopes: 0n };
    if (entry.isLiteral) this.literals.add(pattern, entry);
    else if (entry.head === "") this.others.push(entry);
    else this.heads.add(entry.head, entry);
    if (!entry.isLiteral) this.withStars.push(entry);
    return entry;
  }

  /** Patterns with a star by one of their parts: the rarest, and the longest of equally rare ones. */
  private get parts(): TextIndex<Entry> {
    if (this.partIndex) return this.partIndex;
    const counts = new Map<string, number>();
    const counted = this.withStars.map((entry) => ({ entry, parts: partsOf(entry.pattern) }));
    for (const part of counted.flatMap(({ parts }) => parts))
      counts.set(part, (counts.get(part) ?? 0) + 1);
    const index = new TextIndex<Entry>();
    const rarity = (part: string) => (counts.get(part) ?? 0) - part.length / (part.length + 1);
    for (const { entry, parts } of counted)
      index.add(
        parts.reduce((one, other) => (rarity(other) < rarity(one) ? other : one)),
        entry,
      );
    return (this.partIndex = index);
  }

  /** Returns the scopes with a pattern that matches the text. */
  matching(text: string): IndexSet {
    let found = this.everything;
    for (const { scopes } of this.literals.of(text)) found |= scopes;
    for (const { pattern, scopes } of this.parts.within(text))
      if (matchesText(pattern, text)) found |= scopes;
    return found;
  }

  /** Returns the scopes with one pattern that matches all that the given one matches. */
  covering(pattern: string): IndexSet {
    return this.matching(pattern.replaceAll("*", ANY_TEXT));
  }

  /** Returns the scopes with a pattern that has a text in common with the given one. */
  meeting(pattern: string): IndexSet {
    if (pattern === "*") return this.some;
    const ends = endsOf(pattern);
    if (ends.isLiteral) return this.matching(pattern);
    let found = this.meetingEnds(ends);
    for (const literal of this.literals.agreeingWith(ends.head))
      if (matchesText(pattern, literal.pattern)) found |= literal.scopes;
    return found;
  }

  /** Returns the scopes with a starred pattern that has a text in common with one of these ends. */
  meetingEnds({ head, tail }: Ends): IndexSet {
    return this.starred.of(`${head}*${tail}`);
  }

  private findStarred(ends: Ends): IndexSet {
    let found = this.everything;
    for (const entries of [this.heads.agreeingWith(ends.head), this.others])
      for (const entry of entries) if (endsAgree(ends, entry)) found |= entry.scopes;
    return found;
  }

  /**
   * Returns the scopes with a starred pattern, except `*`, that may match the given pattern after each
   * of its stars is replaced by a letter of no pattern. Scopes that are not returned certainly do not.
   */
  likely(pattern: string): IndexSet {
    let found = 0n;
    for (const part of pattern.split("*"))
      for (const { scopes } of this.parts.within(part)) found |= scopes;
    return found;
  }
}

/** Splits a pattern at its stars; a pattern other than `*` has at least one part. */
function partsOf(pattern: string): readonly string[] {
  return pattern.split("*").filter((part) => part !== "");
}

/** Entries by the text that they begin with, sorted at the first use. */
class EndIndex {
  private readonly entries = new Map<string, Entry[]>();
  private sorted: readonly string[] = [];

  add(end: string, entry: Entry): void {
    const entries = this.entries.get(end);
    if (entries) entries.push(entry);
    else this.entries.set(end, [entry]);
  }

  of(text: string): readonly Entry[] {
    return this.entries.get(text) ?? [];
  }

  /** Returns the entries whose beginning is a prefix of the text, or has the text as a prefix. */
  agreeingWith(text: string): readonly Entry[] {
    if (this.entries.size === 0) return [];
    if (this.sorted.length !== this.entries.size) this.sorted = [...this.entries.keys()].sort();
    const found: Entry[] = [];
    for (let length = 0; length <= text.length; length += 1)
      found.push(...this.of(text.slice(0, length)));
    for (let at = this.firstAfter(text); this.sorted[at]?.startsWith(text); at += 1)
      found.push(...this.of(this.sorted[at] ?? ""));
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
