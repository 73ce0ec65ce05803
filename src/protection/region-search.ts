import type { Wanted } from "./field-search";
import { IndexSet } from "./index-set";
import { MovedExample } from "./moved-example";
import { FIELDS, MEMBER_OF, type Field, type Workload } from "./policy";
import { ScopeTable } from "./scope-table";
import { eachField, listsOf, type SearchScope } from "./search-scope";
import { ValueSearch, type FieldValue } from "./value-search";

/** A workload of a region; null: there is none; undefined: that would take too long to find out. */
export type Example = Workload | null | undefined;

/** Steps that a search counts for its sets of scopes, and one that a scope is needed. */
const STEPS_A_SEARCH = 24;
const STEPS_A_SCOPE = 4;

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
    const found: SearchScope[] = [];
    set.forEach((index) => {
      const scope = this.scopes[index];
      if (scope) found.push(scope);
    });
    return found;
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
    const [only, ...more] = all;
    this.values.budget.spend(STEPS_A_SEARCH);
    if (only && more.length === 0 && near.isEmpty())
      return this.values.within(() => this.sampleOf(only));
    if (all.some((scope) => this.table.covering.of(scope).meets(near))) return null;
    return this.values.within(
      () => this.leaveAtOnce(constraintsOf(all), near) ?? this.leave(constraintsOf(all), near),
    );
  }

  /** Some workload of a scope. */
  private sampleOf({ lists, narrow }: SearchScope): Workload | null {
    const values: WorkloadValues = {};
    for (const field of narrow) {
      const value = this.valueOf(field, { inside: [lists[field]], outside: [] });
      if (value === undefined) return null;
      values[memberOf(field)] = value;
    }
    return toWorkload(values);
  }

  /** The scopes of `none` that may take something away from those of `all`. */
  near(all: readonly SearchScope[], none: IndexSet): IndexSet {
    return all.reduce((near, scope) => near.and(this.table.meeting.of(scope)), none);
  }

  /** True only where each workload of `narrow` is in `wide`; false where that is too costly. */
  covers(wide: SearchScope, narrow: SearchScope): boolean {
    return wide.narrow.length === 0 || this.table.covering.of(narrow).has(wide.index);
  }

  /** All scopes but those that certainly have no workload in common with one. */
  meeting(scope: SearchScope): IndexSet {
    return this.table.meeting.of(scope);
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
    const moved = example && new MovedExample(example, all, this.table, this.values);
    for (const scope of this.scopesIn(none)) {
      this.values.budget.spend(STEPS_A_SCOPE);
      if (this.isExceeded) break;
      kept.delete(scope.index);
      const isIdle =
        this.table.covering.of(scope).meets(kept) ||
        (!moved?.isOnlyIn(scope, kept) && this.find([...all, scope], kept) === null);
      if (!isIdle) kept.add(scope.index);
    }
    return kept;
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
      const isWayOut = (scope: SearchScope, field: Field) =>
        scope.narrow.includes(field) && !tried[field].inside.includes(scope.lists[field]);
      const field = LABELS_FIRST.find((one) => violated.some((scope) => isWayOut(scope, one)));
      if (field === undefined) return undefined;
      const left = violated.filter((scope) => isWayOut(scope, field));
      const lists = left.map((scope) => scope.lists[field]);
      const { inside, outside } = tried[field];
      if (lists.every((list) => outside.includes(list))) return undefined;
      tried = { ...tried, [field]: { inside, outside: [...new Set([...outside, ...lists])] } };
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
      const value = this.valueOf(field, constraints[field]);
      if (value === undefined) return null;
      workload[memberOf(field)] = value;
    }
    return toWorkload(workload);
  }

  private valueOf(field: Field, wanted: Wanted): FieldValue {
    const [list, ...more] = wanted.inside;
    if (list && more.length + wanted.outside.length === 0) {
      const { value } = this.table.field.of(field).sample.of(list);
      this.values.budget.check(1);
      return value;
    }
    return this.values.find(field, wanted);
  }
}

const LABELS_FIRST = ["labels", ...FIELDS.filter((field) => field !== "labels")] as const;

function constraintsOf(all: readonly SearchScope[]): Constraints {
  return eachField((field) => ({ inside: listsOf(all, field), outside: [] }));
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
