import { indexesIn, type IndexSet } from "./index-set";
import { endsOf, foldCase, listOf, type PatternList } from "./pattern";
import { Memo } from "./memo";
import { PatternIndex } from "./pattern-index";
import type { Field } from "./policy";
import type { SearchScope } from "./search-scope";
import { valuesOf, type FieldValue, type ValueSearch } from "./value-search";

/** The scopes that a value puts a workload into by one field, and those that it takes it out of. */
export interface Matching {
  readonly taken: IndexSet;
  readonly exempted: IndexSet;
  /** It takes it out of one scope at most. */
  readonly isLone: boolean;
}

/** A value, or labels, and the scopes that contain it. */
interface Sample {
  readonly value: FieldValue;
  readonly containing: IndexSet;
}

/** The scopes of one comparison, by what one of their fields has. */
export class FieldTable {
  readonly included = new PatternIndex();
  readonly exempted = new PatternIndex();
  /** The scopes that take in everything, and those that exempt nothing. */
  everything: IndexSet = 0n;
  plain: IndexSet = 0n;
  /** The scopes that have a list. */
  readonly having = new Map<PatternList, IndexSet>();
  /** All scopes but those that certainly have no value in common with a list. */
  readonly meeting = new Memo((list: PatternList) => this.findMeeting(list));
  /** Scopes that certainly have all values of a list. */
  readonly covering = new Memo((list: PatternList) => this.findCovering(list));
  readonly matching = new Memo((value: string) => this.findMatching(value));
  readonly sample = new Memo((list: PatternList) => this.findSample(list));
  /** One of what a list exempts. */
  readonly exemptedSample = new Memo((list: PatternList) =>
    this.findSample(listOf(list.exempted, [])),
  );

  private takenAnyway: IndexSet | undefined;
  private freeScopes: IndexSet | undefined;

  constructor(
    readonly field: Field,
    readonly scopes: readonly SearchScope[],
    private readonly values: ValueSearch,
  ) {
    for (const { bit, lists } of scopes) {
      const list = lists[field];
      this.having.set(list, bit | (this.having.get(list) ?? 0n));
      for (const pattern of list.included) this.included.add(pattern, bit);
      for (const pattern of list.exempted) this.exempted.add(pattern, bit);
      if (list.isEverything) this.everything |= bit;
      if (list.exempted.length === 0) this.plain |= bit;
    }
  }

  private findMeeting(list: PatternList): IndexSet {
    let candidates = 0n;
    // Labels of one workload can be in lists that no text is in both of.
    for (const pattern of this.field === "labels" ? ["*"] : list.included)
      candidates |= this.included.meeting(pattern);
    const having = (other: PatternList) => this.sample.of(other).value !== undefined;
    if (list.isEverything) return this.withFitting(candidates & this.plain, candidates, having);
    // Patterns that meet are enough where nothing is exempted.
    let found = candidates & (list.exempted.length === 0 ? this.plain : this.everything);
    found |= this.having.get(list) ?? 0n;
    if ((candidates & ~found) !== 0n) found |= this.sample.of(list).containing;
    if ((candidates & ~found) !== 0n) found |= candidates & this.seenMeeting(list);
    return this.withFitting(found, candidates, (other) =>
      this.values.mayHave(this.field, { inside: [list, other], outside: [] }),
    );
  }

  /** Scopes that have a text of the parts of a pattern of theirs and of one of the list. */
  private seenMeeting(list: PatternList): IndexSet {
    const own = this.having.get(list) ?? 0n;
    let found = 0n;
    for (const pattern of this.field === "labels" ? [] : list.included) {
      const ends = endsOf(pattern);
      const mayExempt = this.exempted.likely(pattern);
      if (ends.isLiteral || (mayExempt & own) !== 0n) continue;
      found |= this.free & this.included.meetingEnds(ends) & ~mayExempt;
    }
    return found;
  }

  /** The scopes all of whose patterns have stars, and parts that no exemption has. */
  get free(): IndexSet {
    if (this.freeScopes !== undefined) return this.freeScopes;
    const isFree = (pattern: string) =>
      !endsOf(pattern).isLiteral && this.exempted.likely(pattern) === 0n;
    let found = 0n;
    for (const [list, bits] of this.having) if (list.included.every(isFree)) found |= bits;
    return (this.freeScopes = found);
  }

  private findCovering(list: PatternList): IndexSet {
    const own = this.having.get(list) ?? 0n;
    let found = this.plain;
    for (const pattern of list.included) found &= this.included.covering(pattern);
    let candidates = this.sample.of(list).containing;
    // Mostly values that other lists exempt show at once that they lack one.
    const mayLack = (candidates & ~this.plain & ~own) !== 0n;
    if (mayLack && (own & ~this.exemptedByOthers()) === 0n) candidates &= this.plain;
    return this.withFitting(
      found | own,
      candidates,
      (other) => !this.values.mayHave(this.field, { inside: [list], outside: [other] }),
    );
  }

  /** The scopes that have a value which others exempt, for each other list that exempts. */
  private exemptedByOthers(): IndexSet {
    return (this.takenAnyway ??= [...this.having].reduce(
      (common, [list, own]) =>
        list.exempted.length === 0
          ? common
          : common & (own | this.exemptedSample.of(list).containing),
      -1n,
    ));
  }

  private findSample(list: PatternList): Sample {
    const wanted = { inside: [list], outside: [] };
    const value = this.values.within(() => this.values.search(this.field, wanted));
    return { value, containing: value === undefined ? 0n : this.containing(valuesOf(value)) };
  }

  /** The scopes that take in the value, or the labels together; none: the workload has none. */
  containing(values: readonly string[]): IndexSet {
    // A workload without a value is matched by * alone.
    if (values.length === 0) return this.included.everything;
    let taken = 0n;
    let exempted = 0n;
    for (const value of values) {
      const matching = this.matching.of(value);
      taken |= matching.taken;
      exempted |= matching.exempted;
    }
    return taken & ~exempted;
  }

  private findMatching(value: string): Matching {
    const text = foldCase(value);
    const [taken, exempted] = [this.included.matching(text), this.exempted.matching(text)];
    return { taken, exempted, isLone: (exempted & (exempted - 1n)) === 0n };
  }

  /** Adds the candidates with a list that fits. */
  private withFitting(
    found: IndexSet,
    candidates: IndexSet,
    fits: (list: PatternList) => boolean,
  ): IndexSet {
    let all = found;
    for (const index of indexesIn(candidates & ~found)) {
      const scope = this.scopes[index];
      if (scope && fits(scope.lists[this.field])) all |= scope.bit;
    }
    return all;
  }
}
