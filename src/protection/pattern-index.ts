import { IndexSet } from "./index-set";
import { Memo } from "./memo";
import { ANY_TEXT, endsAgree, endsOf, matchesText, type Ends } from "./pattern";
import { TextIndex } from "./text-index";

interface Entry extends Ends {
  readonly pattern: string;
  /** The scopes that have the pattern. */
  readonly scopes: IndexSet;
}

/** Finds the scopes with a pattern that matches a text, or another pattern. */
export class PatternIndex {
  private readonly entries = new Memo((pattern: string) => this.enter(pattern));
  /** By what they begin with; those that begin with a star are the others. */
  private readonly literals = new EndIndex();
  private readonly heads = new EndIndex();
  private readonly others: Entry[] = [];
  /** Those with a star, by their longest text between stars and ends; `*` itself has none. */
  private readonly parts = new TextIndex<Entry>();
  private readonly all: IndexSet;
  private readonly starred = new Memo((pattern: string) => this.findStarred(endsOf(pattern)));
  private readonly likely = new Memo((pattern: string) => this.findLikely(pattern));

  constructor(private readonly size: number) {
    this.all = IndexSet.empty(size);
  }

  add(pattern: string, scope: number): void {
    this.entries.of(pattern).scopes.add(scope);
  }

  private enter(pattern: string): Entry {
    const scopes = pattern === "*" ? this.all : IndexSet.empty(this.size);
    const entry = { ...endsOf(pattern), pattern, scopes };
    if (entry.isLiteral) this.literals.add(pattern, entry);
    else if (entry.head === "") this.others.push(entry);
    else this.heads.add(entry.head, entry);
    if (!entry.isLiteral) this.parts.add(longest(pattern.split("*")), entry);
    return entry;
  }

  /** The scopes with a pattern that matches the text. */
  matching(text: string): IndexSet {
    const found = this.all.copy();
    for (const { scopes } of this.literals.of(text)) found.join(scopes);
    for (const { pattern, scopes } of this.parts.within(text))
      if (matchesText(pattern, text)) found.join(scopes);
    return found;
  }

  /** The scopes with a pattern that matches all that this one matches. */
  covering(pattern: string): IndexSet {
    return this.matching(pattern.replaceAll("*", ANY_TEXT));
  }

  /** The scopes with a pattern that matches some text that this one matches. */
  meeting(pattern: string): IndexSet {
    const ends = endsOf(pattern);
    if (ends.isLiteral) return this.matching(pattern);
    const found = this.starred.of(`${ends.head}*${ends.tail}`).copy();
    for (const literal of this.literals.agreeingWith(ends.head))
      if (matchesText(pattern, literal.pattern)) found.join(literal.scopes);
    return found;
  }

  /** The scopes with a starred pattern that a starred one with these ends meets. */
  private findStarred(ends: Ends): IndexSet {
    const found = IndexSet.empty(this.size);
    for (const entries of [this.heads.agreeingWith(ends.head), this.others])
      for (const entry of entries) if (endsAgree(ends, entry)) found.join(entry.scopes);
    return found;
  }

  /**
   * At least the scopes with a pattern that matches a text of the parts of two patterns, with a letter
   * for each star that no pattern has: `xteam1xteam2x` of `*team1*` and `*team2*`. Undefined where one
   * has no star, or where their ends do not agree.
   */
  common(one: string, other: string): IndexSet | undefined {
    const [first, second] = [this.likely.of(one), this.likely.of(other)];
    if (first.isLiteral || second.isLiteral || !endsAgree(first, second)) return undefined;
    return first.scopes.or(second.scopes);
  }

  /** The scopes with a starred pattern that can match a text which has parts of this one. */
  private findLikely(pattern: string): Entry {
    const scopes = this.all.copy();
    for (const part of pattern.split("*"))
      for (const entry of this.parts.within(part)) scopes.join(entry.scopes);
    return { ...endsOf(pattern), pattern, scopes };
  }
}

function longest(parts: readonly string[]): string {
  return parts.reduce((one, other) => (other.length > one.length ? other : one));
}

/** Entries by a text at one end, sorted when first asked. */
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

  /** Those with an end that the text begins with, or that begins with the text. */
  agreeingWith(text: string): readonly Entry[] {
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
