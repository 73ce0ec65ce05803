import type { Wanted } from "./field-search";
import { IndexSet } from "./index-set";
import { FIELDS, matchesField, MEMBER_OF, type Field, type Workload } from "./policy";
import { ScopeTable } from "./scope-table";
import { eachField, type SearchScope } from "./search-scope";
import { ValueSearch, type FieldValue } from "./value-search";

/** A workload of a region; null: there is none; undefined: that would take too long to find out. */
export type Example = Workload | null | undefined;

/** Steps that combining sets of scopes counts. */
const STEPS_A_SCOPE = 24;

type WorkloadValues = Partial<Record<keyof Workload, FieldValue>>;

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

  /** The comparison took too long: what was not decided stays so. */
  get isExceeded(): boolean {
    return this.values.isExceeded;
  }

  setOf(scopes: readonly SearchScope[]): IndexSet {
    return IndexSet.of(
      this.scopes.length,
      scopes.map(({ index }) => index),
    );
  }

  /** Exact until the steps of the comparison are used up. */
  find(all: readonly SearchScope[], none: IndexSet): Example {
    const near = this.near(all, none);
    if (all.some((scope) => this.table.covering(scope).meets(near))) return null;
    this.values.budget.spend(STEPS_A_SCOPE);
    return this.values.within(
      () => this.leaveAtOnce(constraintsOf(all), near) ?? this.leave(constraintsOf(all), near),
    );
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
    const steps = STEPS_A_SCOPE + Math.ceil((example?.labels.length ?? 0) / 8);
    for (const scope of this.scopesIn(none)) {
      this.values.budget.spend(steps);
      if (this.isExceeded) break;
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
    const moved = this.values.within(() => {
      const workload: WorkloadValues = { ...example };
      for (const field of scope.narrow) {
        if (matchesField(scope.lists, field, example)) continue;
        const value = this.movedInto(scope, field, all, example);
        if (value === undefined) return undefined;
        workload[memberOf(field)] = value;
      }
      return toWorkload(workload);
    });
    if (!moved) return false;
    const containing = this.table.containing(moved);
    return [...all, scope].every(({ index }) => containing.has(index)) && !containing.meets(others);
  }

  /** The example's value of a field, changed so that the scope takes it in. */
  private movedInto(
    scope: SearchScope,
    field: Field,
    all: readonly SearchScope[],
    { labels }: Workload,
  ): FieldValue {
    const inside = listsOf([...all, scope], field);
    if (field !== "labels") return this.values.search(field, { inside, outside: [] });
    // Labels that the scope exempts are in the way; all others can stay.
    const left = labels.filter((label) => !this.table.ofLabel(label).exempted?.has(scope.index));
    const isIncluded = left.some((label) => this.table.ofLabel(label).taken.has(scope.index));
    const added = isIncluded ? [] : this.values.search(field, { inside, outside: [] });
    return Array.isArray(added) ? [...left, ...added.map(String)] : undefined;
  }

  /**
   * Leaves all scopes that a workload must not be in by the same fields at once, labels first, as a
   * workload can have any number of them. Undefined says nothing.
   */
  private leaveAtOnce(constraints: Constraints, none: IndexSet): Workload | undefined {
    let tried = constraints;
    for (;;) {
      const workload = this.workloadOf(tried);
      if (!workload) return undefined;
      const violated = this.scopesIn(this.table.containing(workload).and(none));
      if (violated.length === 0) return workload;
      this.values.budget.check(violated.length);
      const ways = violated.map((scope) => ({ scope, ways: waysOut(scope, tried) }));
      const field = LABELS_FIRST.find((one) => ways.some(({ ways }) => ways.includes(one)));
      if (field === undefined) return undefined;
      const left = ways.filter(({ ways }) => ways.includes(field));
      const lists = left.map(({ scope }) => scope.lists[field]);
      const { inside, outside } = tried[field];
      if (lists.every((list) => outside.includes(list))) return undefined;
      const wanted = { inside, outside: [...new Set([...outside, ...lists])] };
      tried = { ...tried, [field]: wanted };
    }
  }

  /**
   * Makes a workload from what each field requires, then changes one field at a time until it is in
   * no scope that it must not be in. A field that was tried keeps the workload in the scope from then
   * on, so that no workload is looked for twice.
   */
  private leave(constraints: Constraints, none: IndexSet): Workload | null {
    const workload = this.workloadOf(constraints);
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
      const without = { ...tried, [field]: { inside, outside: [...outside, list] } };
      const found = this.leave(without, none);
      if (found) return found;
      tried = { ...tried, [field]: { inside: [...inside, list], outside } };
    }
    return null;
  }

  private workloadOf(constraints: Constraints): Workload | null {
    this.values.budget.check(FIELDS.length);
    const workload: WorkloadValues = {};
    for (const field of FIELDS) {
      const value = this.values.find(field, constraints[field]);
      if (value === undefined) return null;
      workload[memberOf(field)] = value;
    }
    return toWorkload(workload);
  }
}

const LABELS_FIRST = ["labels", ...FIELDS.filter((field) => field !== "labels")] as const;

function constraintsOf(all: readonly SearchScope[]): Constraints {
  return eachField((field) => ({ inside: listsOf(all, field), outside: [] }));
}

/** A list that matches everything adds no constraint. */
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

function toWorkload(values: WorkloadValues): Workload {
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
