import { findLabels, findValue, type Wanted } from "./field-search";
import { areApart, type PatternList } from "./pattern";
import { FIELDS, MEMBER_OF, type Field, type Workload } from "./policy";
import { eachField, isInScope, type SearchScope } from "./search-scope";
import { Budget, BudgetExceeded } from "./text-search";

/** Undefined: no value fits. */
type FieldValue = string | null | readonly string[] | undefined;

/**
 * Steps of one search over the fields' texts. Sets of 300 policies stay far below it; a search that
 * needs more ends undecided.
 */
const STEPS_A_SEARCH = 200_000;

/** A workload of a region; null: there is none; undefined: that would take too long to find out. */
export type Example = Workload | null | undefined;

type Constraints = Readonly<Record<Field, Wanted>>;

/**
 * Finds workloads that are in each of some scopes and in none of others. One object serves one
 * comparison, whose scopes come from one compiler: what it found out of single fields is kept.
 */
export class RegionSearch {
  private readonly values = new Map<string, FieldValue>();
  private readonly meetings = new Map<PatternList, Map<PatternList, boolean>>();
  private readonly numbers = new Map<PatternList, number>();

  /** Exact but where the budget is used up. */
  find(all: readonly SearchScope[], none: readonly SearchScope[]): Example {
    const budget = new Budget(STEPS_A_SEARCH);
    try {
      const inside = (field: Field): Wanted => ({
        inside: [...new Set(all.map(({ lists }) => lists[field]))],
        outside: [],
      });
      return this.escape(eachField(inside), this.near(all, none), budget);
    } catch (problem) {
      if (problem instanceof BudgetExceeded) return undefined;
      throw problem;
    }
  }

  /** The scopes of `none`, each once, that may take something away from those of `all`. */
  near(all: readonly SearchScope[], none: Iterable<SearchScope>): readonly SearchScope[] {
    const near = new Set<SearchScope>();
    for (const scope of none) if (all.every((other) => this.meet(scope, other))) near.add(scope);
    return [...near];
  }

  /** False only where no workload is in both; true as well where that is too costly to find out. */
  meet(one: SearchScope, other: SearchScope): boolean {
    return one.narrow.every((field) => this.listsMeet(field, one.lists[field], other.lists[field]));
  }

  /** True only where each workload of `narrow` is in `wide`; false where that is too costly. */
  covers(wide: SearchScope, narrow: SearchScope): boolean {
    return wide.narrow.every((field) => {
      const [list, within] = [wide.lists[field], narrow.lists[field]];
      if (list === within) return true;
      return !this.mayHave(field, { inside: [within], outside: [list] });
    });
  }

  private listsMeet(field: Field, one: PatternList, other: PatternList): boolean {
    if (other.isEverything || one === other) return true;
    const known = this.meetings.get(one)?.get(other);
    if (known !== undefined) return known;
    const meet =
      !(field !== "labels" && areApart(one, other)) && this.haveCommon(field, one, other);
    const row = this.meetings.get(one) ?? new Map<PatternList, boolean>();
    this.meetings.set(one, row.set(other, meet));
    return meet;
  }

  private haveCommon(field: Field, one: PatternList, other: PatternList): boolean {
    // Labels of one workload can be in lists that no text is in both of.
    if (field !== "labels" && areApart(one, other)) return false;
    return this.mayHave(field, { inside: [one, other], outside: [] });
  }

  /** False only where no value fits; true as well where that is too costly to find out. */
  private mayHave(field: Field, wanted: Wanted): boolean {
    try {
      return this.valueOf(field, wanted, new Budget(STEPS_A_SEARCH)) !== undefined;
    } catch (problem) {
      if (problem instanceof BudgetExceeded) return true;
      throw problem;
    }
  }

  /**
   * Makes a workload from what the fields ask for each, then lets it out of a scope that it must
   * not be in by one field after the other, until it is in none. A field that was tried keeps the
   * workload in it from then on, so that no workload is looked for twice.
   */
  private escape(
    constraints: Constraints,
    none: readonly SearchScope[],
    budget: Budget,
  ): Workload | null {
    const workload = this.workloadOf(constraints, budget);
    if (!workload) return null;
    const violated = fewestFields(none, workload);
    if (!violated) return workload;
    let tried = constraints;
    for (const field of violated.narrow) {
      const { inside, outside } = tried[field];
      const list = violated.lists[field];
      if (inside.includes(list)) continue;
      const escaped = { ...tried, [field]: { inside, outside: [...outside, list] } };
      const found = this.escape(escaped, none, budget);
      if (found) return found;
      tried = { ...tried, [field]: { inside: [...inside, list], outside } };
    }
    return null;
  }

  private workloadOf(constraints: Constraints, budget: Budget): Workload | null {
    const workload: Partial<Record<keyof Workload, FieldValue>> = {};
    for (const field of FIELDS) {
      const value = this.valueOf(field, constraints[field], budget);
      if (value === undefined) return null;
      workload[field === "labels" ? "labels" : MEMBER_OF[field]] = value;
    }
    const text = (member: keyof typeof workload) => {
      const value = workload[member];
      return typeof value === "string" ? value : null;
    };
    return {
      image: text("image"),
      container: text("container"),
      namespace: text("namespace"),
      host: text("host"),
      account_id: text("account_id"),
      labels: Array.isArray(workload.labels) ? workload.labels.map(String) : [],
    };
  }

  private valueOf(field: Field, wanted: Wanted, budget: Budget): FieldValue {
    const kind = field === "labels" ? "labels" : "value";
    const key = `${kind} ${this.numbersOf(wanted.inside)} - ${this.numbersOf(wanted.outside)}`;
    const known = this.values.get(key);
    if (known !== undefined || this.values.has(key)) return known;
    const value = kind === "labels" ? findLabels(wanted, budget) : findValue(wanted, budget);
    this.values.set(key, value);
    return value;
  }

  private numbersOf(lists: readonly PatternList[]): string {
    const numbers = lists.map((list) => {
      const number = this.numbers.get(list) ?? this.numbers.size;
      this.numbers.set(list, number);
      return number;
    });
    return numbers.sort((one, other) => one - other).join();
  }
}

/** Of the scopes that a workload is in, one with the fewest ways out. */
function fewestFields(scopes: readonly SearchScope[], workload: Workload): SearchScope | undefined {
  let fewest: SearchScope | undefined;
  for (const scope of scopes)
    if ((!fewest || scope.narrow.length < fewest.narrow.length) && isInScope(scope, workload))
      fewest = scope;
  return fewest;
}
