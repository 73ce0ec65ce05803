import type { Wanted } from "./field-search";
import type { IndexSet } from "./index-set";
import { FIELDS, MEMBER_OF, type Field, type Workload } from "./policy";
import { ScopeTable } from "./scope-table";
import { eachField, type SearchScope } from "./search-scope";
import type { Budget } from "./text-search";
import { ValueSearch, type FieldValue } from "./value-search";

/** A workload of a region; null: there is none; undefined: that would take too long to find out. */
export type Example = Workload | null | undefined;

type Constraints = Readonly<Record<Field, Wanted>>;

/**
 * Finds workloads that are in each of some scopes and in none of others. One object serves one
 * comparison, whose scopes come from one compiler.
 */
export class RegionSearch {
  private readonly values = new ValueSearch();
  private readonly table: ScopeTable;

  constructor(private readonly scopes: readonly SearchScope[]) {
    this.table = new ScopeTable(scopes, this.values);
  }

  scopesIn(set: IndexSet): readonly SearchScope[] {
    return [...set].flatMap((index) => this.scopes[index] ?? []);
  }

  /** Exact but where the budget is used up. */
  find(all: readonly SearchScope[], none: IndexSet): Example {
    const near = this.near(all, none);
    if (all.some((scope) => this.table.covering(scope).meets(near))) return null;
    return ValueSearch.within((budget) => this.escape(constraintsOf(all), near, budget));
  }

  /** The scopes of `none` that may take something away from those of `all`. */
  near(all: readonly SearchScope[], none: IndexSet): IndexSet {
    return all.reduce((near, scope) => near.and(this.table.meeting(scope)), none);
  }

  /** False only where no workload is in both; true as well where that is too costly to find out. */
  meet(one: SearchScope, other: SearchScope): boolean {
    return this.table.meeting(one).has(other.index);
  }

  /** True only where each workload of `narrow` is in `wide`; false where that is too costly. */
  covers(wide: SearchScope, narrow: SearchScope): boolean {
    if (this.table.covering(narrow).has(wide.index)) return true;
    return wide.narrow.every((field) => {
      const [list, within] = [wide.lists[field], narrow.lists[field]];
      if (list === within) return true;
      return !this.values.mayHave(field, { inside: [within], outside: [list] });
    });
  }

  /**
   * Leaves out the scopes that take nothing away which the others do not take away too. `example` is
   * in each of `all` and in none of `none`.
   */
  withoutIdle(
    all: readonly SearchScope[],
    none: IndexSet,
    example: Workload | undefined,
  ): IndexSet {
    const kept = none.copy();
    for (const scope of this.scopesIn(none)) {
      kept.delete(scope.index);
      const isIdle =
        this.table.covering(scope).meets(kept) ||
        (!(example && this.isOnlyIn(scope, kept, all, example)) &&
          this.find([...all, scope], kept) === null);
      if (!isIdle) kept.add(scope.index);
    }
    return kept;
  }

  /** True where the example, moved into the scope, shows at once that the scope is needed. */
  private isOnlyIn(
    scope: SearchScope,
    others: IndexSet,
    all: readonly SearchScope[],
    example: Workload,
  ): boolean {
    const moved: Partial<Record<keyof Workload, FieldValue>> = { ...example };
    for (const field of scope.narrow) {
      const wanted = { inside: listsOf([...all, scope], field), outside: [] };
      const value = ValueSearch.within((budget) => this.values.find(field, wanted, budget));
      if (value === undefined) return false;
      moved[memberOf(field)] = value;
    }
    return !this.table.isInSome(toWorkload(moved), others);
  }

  /**
   * Makes a workload from what the fields ask for each, then lets it out of a scope that it must
   * not be in by one field after the other, until it is in none. A field that was tried keeps the
   * workload in it from then on, so that no workload is looked for twice.
   */
  private escape(constraints: Constraints, none: IndexSet, budget: Budget): Workload | null {
    const workload = this.workloadOf(constraints, budget);
    if (!workload) return null;
    const violated = this.table.containing(workload).and(none);
    if (violated.isEmpty()) return workload;
    const [first] = this.scopesIn(violated)
      .map((scope) => ({ scope, ways: waysOut(scope, constraints) }))
      .sort((one, other) => one.ways.length - other.ways.length);
    let tried = constraints;
    for (const field of first?.ways ?? []) {
      const list = first?.scope.lists[field];
      if (!list) continue;
      const { inside, outside } = tried[field];
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
      const value = this.values.find(field, constraints[field], budget);
      if (value === undefined) return null;
      workload[memberOf(field)] = value;
    }
    return toWorkload(workload);
  }
}

function constraintsOf(all: readonly SearchScope[]): Constraints {
  return eachField((field) => ({ inside: listsOf(all, field), outside: [] }));
}

/** A list that takes in everything asks for nothing. */
function listsOf(all: readonly SearchScope[], field: Field): Wanted["inside"] {
  const lists = all.map(({ lists }) => lists[field]).filter(({ isEverything }) => !isEverything);
  return [...new Set(lists)];
}

/** The fields by which a workload can still leave a scope. */
function waysOut(scope: SearchScope, constraints: Constraints): readonly Field[] {
  return scope.narrow.filter((field) => !constraints[field].inside.includes(scope.lists[field]));
}

function memberOf(field: Field): keyof Workload {
  return field === "labels" ? "labels" : MEMBER_OF[field];
}

function toWorkload(values: Partial<Record<keyof Workload, FieldValue>>): Workload {
  const text = (member: keyof Workload) => {
    const value = values[member];
    return typeof value === "string" ? value : null;
  };
  return {
    image: text("image"),
    container: text("container"),
    namespace: text("namespace"),
    host: text("host"),
    account_id: text("account_id"),
    labels: Array.isArray(values.labels) ? values.labels.map(String) : [],
  };
}
