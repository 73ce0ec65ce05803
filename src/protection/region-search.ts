import type { Wanted } from "./field-search";
import { indexesIn, type IndexSet } from "./index-set";
import { LeavingLabels } from "./leaving-labels";
import { Memo } from "./memo";
import { MEMBER_OF, type Field, type Workload } from "./policy";
import { ScopeTable } from "./scope-table";
import { listsOf, type SearchScope } from "./search-scope";
import { SeenNeeded } from "./seen-needed";
import type { FieldTable } from "./field-table";
import { valuesOf, ValueSearch, type FieldValue } from "./value-search";

/** A workload of a region; null: there is none; undefined: that would take too long to find out. */
export type Example = Workload | null | undefined;

/** Steps that a search counts for its sets of scopes, and one that a scope is needed. */
const STEPS_A_SEARCH = 24;
const STEPS_A_SCOPE = 4;

type WorkloadValues = Partial<Record<keyof Workload, FieldValue>>;

/** The lists that the value of each field has to be in, in the order of the table's fields. */
type Constraints = readonly Wanted[];

/**
 * Finds workloads that are in each of some scopes and in none of others. One object serves one
 * comparison, whose scopes come from one compiler.
 */
export class RegionSearch {
  private readonly values = new ValueSearch();
  private readonly table: ScopeTable;
  private readonly seenNeeded: SeenNeeded;
  /** The positions of the fields, labels first, as a workload can have any number of them. */
  private readonly labelsFirst: readonly number[];

  private readonly leavingLabels = new Memo((labels: FieldTable) => new LeavingLabels(labels));

  constructor(private readonly scopes: readonly SearchScope[]) {
    this.table = new ScopeTable(scopes, this.values);
    this.seenNeeded = new SeenNeeded(this.table);
    const isLabels = (at: number) => Number(this.table.fields[at]?.field === "labels");
    this.labelsFirst = [...this.table.fields.keys()].sort(
      (one, other) => isLabels(other) - isLabels(one),
    );
  }

  scopesIn(set: IndexSet): readonly SearchScope[] {
    const found: SearchScope[] = [];
    for (const index of indexesIn(set)) {
      const scope = this.scopes[index];
      if (scope) found.push(scope);
    }
    return found;
  }

  /** The comparison took too long: what was not decided stays so. */
  get isExceeded(): boolean {
    return this.values.isExceeded;
  }

  /** Exact until the steps of the comparison are used up. */
  find(all: readonly SearchScope[], none: IndexSet): Example {
    const near = this.near(all, none);
    this.values.budget.spend(STEPS_A_SEARCH);
    if (near && all.some((scope) => (this.table.covering.of(scope) & near) !== 0n)) return null;
    return this.values.within(() => {
      const constraints = this.constraintsOf(all);
      const found = this.leaveAtOnce(all, constraints, near);
      return found === undefined ? this.leave(constraints, near) : found;
    });
  }

  /** The scopes of `none` that may take something away from those of `all`. */
  near(all: readonly SearchScope[], none: IndexSet): IndexSet {
    let near = none;
    for (const scope of all) near &= this.table.meeting.of(scope);
    return near;
  }

  /** True only where each workload of `narrow` is in `wide`; false where that is too costly. */
  covers(wide: SearchScope, narrow: SearchScope): boolean {
    return wide.narrow.length === 0 || (this.table.covering.of(narrow) & wide.bit) !== 0n;
  }

  /** All scopes but those that certainly have no workload in common with one. */
  meeting(scope: SearchScope): IndexSet {
    return this.table.meeting.of(scope);
  }

  /**
   * The scopes of `none` but for those that take nothing away which the others do not take away too.
   * `example` is in each of `all` and in none of `none`.
   */
  withoutIdle(
    all: readonly SearchScope[],
    none: IndexSet,
    example: Workload | undefined,
  ): readonly SearchScope[] {
    if (none === 0n) return [];
    let kept = none;
    const seen = example ? this.seenNeeded.of(example, all, none) : 0n;
    for (const scope of this.scopesIn(none & ~seen)) {
      this.values.budget.spend(STEPS_A_SCOPE);
      if (this.isExceeded) break;
      const others = kept & ~scope.bit;
      const isIdle =
        (this.table.covering.of(scope) & others) !== 0n ||
        this.find([...all, scope], others) === null;
      if (isIdle) kept = others;
    }
    const needed = this.scopesIn(kept);
    this.values.budget.spend(needed.length / 4);
    return needed;
  }

  /**
   * Leaves all scopes that a workload must not be in by the same fields at once. Undefined says
   * nothing.
   */
  private leaveAtOnce(
    all: readonly SearchScope[],
    constraints: Constraints,
    none: IndexSet,
  ): Example {
    let tried = constraints;
    for (;;) {
      const workload = this.workloadOf(tried);
      if (!workload) return tried === constraints ? null : undefined;
      const violated = none && this.table.containing(workload) & none;
      if (violated === 0n) return workload;
      const at = this.labelsFirst.find((at) => this.canLeave(violated, at, tried) !== 0n);
      const [table, wanted] = at === undefined ? [] : [this.table.fields[at], tried[at]];
      if (at === undefined || !table || !wanted) return undefined;
      const leaving = this.canLeave(violated, at, tried);
      const labels =
        table.field === "labels" ? this.leavingLabels.of(table).of(leaving, all) : undefined;
      if (labels) {
        this.values.budget.check(labels.length);
        const others = { ...workload, labels: [...new Set([...workload.labels, ...labels])] };
        if ((this.table.containing(others) & none) === 0n) return others;
      }
      const left = this.scopesIn(leaving);
      this.values.budget.check(left.length);
      const lists = new Set(left.map(({ lists }) => lists[table.field]));
      tried = tried.with(at, { ...wanted, outside: [...wanted.outside, ...lists] });
    }
  }

  /** The scopes of a set that a workload can still leave by a field. */
  private canLeave(scopes: IndexSet, at: number, constraints: Constraints): IndexSet {
    const table = this.table.fields[at];
    if (!table) return 0n;
    let left = scopes & ~table.everything;
    for (const list of constraints[at]?.inside ?? []) left &= ~(table.having.get(list) ?? 0n);
    return left;
  }

  /**
   * Makes a workload from what each field requires, then changes one field at a time until it is in
   * no scope that it must not be in. A field that was tried keeps the workload in the scope from then
   * on, so that no workload is looked for twice.
   */
  private leave(constraints: Constraints, none: IndexSet): Workload | null {
    const workload = this.workloadOf(constraints);
    if (!workload) return null;
    const violated = this.table.containing(workload) & none;
    if (violated === 0n) return workload;
    const [first] = this.scopesIn(violated)
      .map((scope) => ({ scope, ways: this.waysOut(scope, constraints) }))
      .sort((one, other) => one.ways.length - other.ways.length);
    if (!first) return null;
    let tried = constraints;
    for (const at of first.ways) {
      const [table, wanted] = [this.table.fields[at], tried[at]];
      if (!table || !wanted) continue;
      const list = first.scope.lists[table.field];
      const { inside, outside } = wanted;
      const found = this.leave(tried.with(at, { inside, outside: [...outside, list] }), none);
      if (found) return found;
      tried = tried.with(at, { inside: [...inside, list], outside });
    }
    return null;
  }

  /** The positions of the fields by which a workload can still leave a scope. */
  private waysOut({ bit }: SearchScope, constraints: Constraints): readonly number[] {
    return [...constraints.keys()].filter((at) => this.canLeave(bit, at, constraints) !== 0n);
  }

  private constraintsOf(all: readonly SearchScope[]): Constraints {
    return this.table.fields.map(({ field }) => ({ inside: listsOf(all, field), outside: [] }));
  }

  private workloadOf(constraints: Constraints): Workload | null {
    this.values.budget.check(1 + constraints.length);
    const workload: WorkloadValues = {};
    for (const [at, table] of this.table.fields.entries()) {
      const wanted = constraints[at];
      const value = wanted && this.valueOf(table, wanted);
      if (value === undefined) return null;
      workload[memberOf(table.field)] = value;
    }
    return toWorkload(workload);
  }

  private valueOf({ field, sample }: FieldTable, wanted: Wanted): FieldValue {
    const [list, ...more] = wanted.inside;
    if (!list || more.length + wanted.outside.length > 0) return this.values.find(field, wanted);
    const { value } = sample.of(list);
    this.values.budget.check(1);
    return value;
  }
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
    labels: valuesOf(values.labels),
  };
}
