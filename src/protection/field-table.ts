import { indexesIn, type IndexSet } from "./index-set";
import { endsOf, foldCase, normalizedList, type PatternList } from "./pattern";
import { Memo } from "./memo";
import { PatternIndex } from "./pattern-index";
import type { Field } from "./policy";
import type { SearchScope } from "./search-scope";
import { valuesOf, type FieldValue, type ValueSearch } from "./value-search";

/** The scopes that include a value in one field, and those that exempt it. */
export interface Matching {
  readonly included: IndexSet;
  readonly exempted: IndexSet;
  /** At most one scope exempts the value. */
  readonly isLone: boolean;
}

/** A value, or labels, of a list, and the scopes that match it. */
interface Sample {
  readonly value: FieldValue;
  readonly containing: IndexSet;
}

/** The patterns of one field in all scopes of a comparison. */
export class FieldTable {
  readonly included = new PatternIndex();
  readonly exempted = new PatternIndex();
  /** The scopes whose field matches everything. */
  everything: IndexSet = 0n;
  /** The scopes whose field exempts nothing. */
  plain: IndexSet = 0n;
  /** The scopes of each list. */
  readonly having = new Map<PatternList, IndexSet>();
  /** The scopes that may have a value in common with a list. */
  readonly meeting = new Memo((list: PatternList) => this.findMeeting(list));
  /** The scopes that certainly match all values of a list. */
  readonly covering = new Memo((list: PatternList) => this.findCovering(list));
  readonly matching = new Memo((value: string) => this.findMatching(value));
  /** A value that a list matches. */
  readonly sample = new Memo((list: PatternList) => this.findSample(list));
  readonly exemptedSample = new Memo((list: PatternList) =>
    this.findSample(normalizedList(list.exempted, [])),
  );

  private exemptedMatched: IndexSet | undefined;
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
    // Two labels of one workload can match two lists that have no text in common.
    for (const pattern of this.field === "labels" ? ["*"] : list.included)
      candidates |= this.included.meeting(pattern);
    const having = (other: PatternList) => this.sample.of(other).value !== undefined;
    if (list.isEverything) return this.withFitting(candidates & this.plain, candidates, having);
    // Without exemptions, two patterns with a common text are proof.
    let found = candidates & (list.exempted.length === 0 ? this.plain : this.everything);
    found |= this.having.get(list) ?? 0n;
    if ((candidates & ~found) !== 0n) found |= this.sample.of(list).containing;
    return this.withFitting(found, candidates, (other) =>
      this.values.mayHave(this.field, { inside: [list, other], outside: [] }),
    );
  }

  /** The scopes whose patterns all have stars, and parts that no exemption matches. */
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
    // Often no list with exemptions can cover this one, because this one matches what they exempt.
    const areExempting = (candidates & ~this.plain & ~own) !== 0n;
    if (areExempting && (own & ~this.matchingExempted()) === 0n) candidates &= this.plain;
    return this.withFitting(
      found | own,
      candidates,
      (other) => !this.values.mayHave(this.field, { inside: [list], outside: [other] }),
    );
  }

  /** Returns the scopes that match a value exempted by each other list that has exemptions. */
  private matchingExempted(): IndexSet {
    return (this.exemptedMatched ??= [...this.having].reduce(
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

  /** Returns the scopes that match a value, or labels together. No values: the workload has none. */
  containing(values: readonly string[]): IndexSet {
    // Only * matches a workload without a value.
    if (values.length === 0) return this.included.everything;
    let included = 0n;
    let exempted = 0n;
    for (const value of values) {
      const matching = this.matching.of(value);
      included |= matching.included;
      exempted |= matching.exempted;
    }
    return included & ~exempted;
  }

  private findMatching(value: string): Matching {
    const text = foldCase(value);
    const [included, exempted] = [this.included.matching(text), this.exempted.matching(text)];
    return { included, exempted, isLone: (exempted & (exempted - 1n)) === 0n };
  }

  /** Adds the candidates whose list fits. */
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
