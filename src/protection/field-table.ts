import { IndexSet } from "./index-set";
import { foldCase, listOf, type PatternList } from "./pattern";
import { Memo } from "./memo";
import { PatternIndex } from "./pattern-index";
import type { Field } from "./policy";
import type { SearchScope } from "./search-scope";
import { valuesOf, type FieldValue, type ValueSearch } from "./value-search";

/** The scopes that a value puts a workload into by one field, and those that it takes it out of. */
export interface Matching {
  readonly taken: IndexSet;
  /** Undefined: it takes it out of none. */
  readonly exempted: IndexSet | undefined;
}

/** A value, or labels, and the scopes that contain it. */
interface Sample {
  readonly value: FieldValue;
  readonly containing: IndexSet;
}

/** The scopes of one comparison, by what one of their fields has. */
export class FieldTable {
  private readonly included: PatternIndex;
  private readonly exempted: PatternIndex;
  /** The scopes that take in everything, and those that exempt nothing. */
  private readonly everything: IndexSet;
  private readonly plain: IndexSet;
  /** By list: a scope that has it. */
  private readonly indexes = new Map<PatternList, number>();
  /** All scopes but those that certainly have no value in common with a list. */
  readonly meeting = new Memo((list: PatternList) => this.findMeeting(list));
  /** Scopes that certainly have all values of a list. */
  readonly covering = new Memo((list: PatternList) => this.findCovering(list));
  readonly matching = new Memo((value: string) => this.findMatching(value));
  readonly sample = new Memo((list: PatternList) => this.findSample(list));
  private readonly exemptedSample = new Memo((list: PatternList) =>
    this.findSample(listOf(list.exempted, [])),
  );

  constructor(
    private readonly field: Field,
    private readonly scopes: readonly SearchScope[],
    private readonly values: ValueSearch,
  ) {
    const size = scopes.length;
    [this.included, this.exempted] = [new PatternIndex(size), new PatternIndex(size)];
    [this.everything, this.plain] = [IndexSet.empty(size), IndexSet.empty(size)];
    for (const { index, lists } of scopes) {
      const { included, exempted, isEverything } = lists[field];
      this.indexes.set(lists[field], index);
      for (const pattern of included) this.included.add(pattern, index);
      for (const pattern of exempted) this.exempted.add(pattern, index);
      if (isEverything) this.everything.add(index);
      if (exempted.length === 0) this.plain.add(index);
    }
  }

  private findMeeting(list: PatternList): IndexSet {
    const candidates = IndexSet.empty(this.scopes.length);
    // Labels of one workload can be in lists that no text is in both of.
    for (const pattern of this.field === "labels" ? ["*"] : list.included)
      candidates.join(this.included.meeting(pattern));
    // Patterns that meet are enough where nothing is exempted.
    const found = candidates.and(list.exempted.length === 0 ? this.plain : this.everything);
    found.add(this.indexes.get(list) ?? 0);
    if (!found.includes(candidates)) found.join(this.sample.of(list).containing);
    return this.joinIf(found, candidates, (other) =>
      this.values.mayHave(this.field, { inside: [list, other], outside: [] }),
    );
  }

  private findCovering(list: PatternList): IndexSet {
    const index = this.indexes.get(list) ?? 0;
    const found = list.included
      .map((pattern) => this.included.covering(pattern))
      .reduce((one, other) => one.and(other), this.plain);
    found.add(index);
    return this.joinIf(found, this.sample.of(list).containing, (other) => {
      // Mostly some value that the other list exempts shows at once that it lacks one.
      if (other.exempted.length > 0 && this.exemptedSample.of(other).containing.has(index))
        return false;
      return !this.values.mayHave(this.field, { inside: [list], outside: [other] });
    });
  }

  private findSample(list: PatternList): Sample {
    const wanted = { inside: [list], outside: [] };
    const value = this.values.within(() => this.values.search(this.field, wanted));
    if (value === undefined) return { value, containing: IndexSet.empty(this.scopes.length) };
    return { value, containing: this.containing(valuesOf(value)) };
  }

  /** The scopes that take in the value, or the labels together; none: the workload has none. */
  containing(values: readonly string[]): IndexSet {
    // A workload without a value is matched by * alone, as a text without letters is.
    const one = this.matching.of(values[0] ?? "");
    if (values.length <= 1) return one.exempted ? one.taken.without(one.exempted) : one.taken;
    const [taken, exempted] = [one.taken.copy(), IndexSet.empty(this.scopes.length)];
    for (const value of values) {
      const other = this.matching.of(value);
      taken.join(other.taken);
      if (other.exempted) exempted.join(other.exempted);
    }
    taken.remove(exempted);
    return taken;
  }

  private findMatching(value: string): Matching {
    const text = foldCase(value);
    const [taken, exempted] = [this.included.matching(text), this.exempted.matching(text)];
    return { taken, exempted: exempted.isEmpty() ? undefined : exempted };
  }

  /**
   * At least the scopes that contain a value that both patterns match and no scope of `within`
   * exempts; undefined where such a one is not seen at once.
   */
  common(one: string, other: string, within: readonly SearchScope[]): IndexSet | undefined {
    const found = this.included.common(one, other);
    if (!found || hasEach(this.plain, within)) return found;
    const exempted = this.exempted.common(one, other);
    return within.some(({ index }) => exempted?.has(index)) ? undefined : found;
  }

  /** Adds the candidates with a list that fits. */
  private joinIf(
    found: IndexSet,
    candidates: IndexSet,
    fits: (list: PatternList) => boolean,
  ): IndexSet {
    candidates.without(found).forEach((index) => {
      const list = this.scopes[index]?.lists[this.field];
      if (list && fits(list)) found.add(index);
    });
    return found;
  }
}

/** True where a set of scopes has each of some. */
export function hasEach(set: IndexSet, scopes: readonly SearchScope[]): boolean {
  for (const { index } of scopes) if (!set.has(index)) return false;
  return true;
}
