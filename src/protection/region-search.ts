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

/** The lists that a field's value has to be in, and those that it must not be in. */
interface Constraint extends Wanted {
  readonly table: FieldTable;
}

/**
 * Finds workloads that are in each of some scopes and in none of others. One object serves one
 * comparison, whose scopes come from one compiler.
 */
export class RegionSearch {
  private readonly values = new ValueSearch();
  private readonly table: ScopeTable;
  private readonly seenNeeded: SeenNeeded;
  private readonly leavingLabels = new Memo((labels: FieldTable) => new LeavingLabels(labels));

  constructor(private readonly scopes: readonly SearchScope[]) {
    this.table = new ScopeTable(scopes, this.values);
    this.seenNeeded = new SeenNeeded(this.table);
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
      const constraints = this.table.fields.map((table): Constraint => ({
        table,
        inside: listsOf(all, table.field),
        outside: [],
      }));
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
    constraints: readonly Constraint[],
    none: IndexSet,
  ): Example {
    let tried = constraints;
    for (;;) {
      const workload = this.workloadOf(tried);
      if (!workload) return tried === constraints ? null : undefined;
      const violated = none && this.table.containing(workload) & none;
      if (violated === 0n) return workload;
      const way = tried.find((constraint) => canLeave(violated, constraint) !== 0n);
      if (!way) return undefined;
      const left = canLeave(violated, way);
      const labelled = this.leaveByLabels(workload, all, left, way.table);
      if (labelled && (this.table.containing(labelled) & none) === 0n) return labelled;
      const lists = this.scopesIn(left).map(({ lists }) => lists[way.table.field]);
      this.values.budget.check(lists.length);
      tried = changed(tried, way.table, ({ outside }) => ({
        outside: [...new Set([...outside, ...lists])],
      }));
    }
  }

  private leaveByLabels(
    workload: Workload,
    all: readonly SearchScope[],
    left: IndexSet,
    table: FieldTable,
  ): Workload | undefined {
    if (table.field !== "labels") return undefined;
    const labels = this.leavingLabels.of(table).of(left, all);
    this.values.budget.check(labels?.length ?? 0);
    return labels && { ...workload, labels: [...new Set(workload.labels.concat(labels))] };
  }

  /**
   * Makes a workload from what each field requires, then changes one field at a time until it is in
   * no scope that it must not be in. A field that was tried keeps the workload in the scope from then
   * on, so that no workload is looked for twice.
   */
  private leave(constraints: readonly Constraint[], none: IndexSet): Workload | null {
    const workload = this.workloadOf(constraints);
    if (!workload) return null;
    const violated = this.table.containing(workload) & none;
    if (violated === 0n) return workload;
    const [first] = this.scopesIn(violated)
      .map(({ bit, lists }) => ({
        lists,
        ways: constraints.filter((constraint) => canLeave(bit, constraint) !== 0n),
      }))
      .sort((one, other) => one.ways.length - other.ways.length);
    let tried = constraints;
    for (const { table } of first?.ways ?? []) {
      const list = first?.lists[table.field] ?? [];
      const without = changed(tried, table, ({ outside }) => ({ outside: outside.concat(list) }));
      const found = this.leave(without, none);
      if (found) return found;
      tried = changed(tried, table, ({ inside }) => ({ inside: inside.concat(list) }));
    }
    return null;
  }

  private workloadOf(constraints: readonly Constraint[]): Workload | null {
    this.values.budget.check(1 + constraints.length);
    const workload: WorkloadValues = {};
    for (const constraint of constraints) {
      const value = this.valueOf(constraint);
      if (value === undefined) return null;
      workload[memberOf(constraint.table.field)] = value;
    }
    return toWorkload(workload);
  }

  private valueOf(constraint: Constraint): FieldValue {
    const { table, inside, outside } = constraint;
    const list = inside[0];
    if (!list || inside.length + outside.length > 1)
      return this.values.find(table.field, constraint);
    const { value } = table.sample.of(list);
    this.values.budget.check(1);
    return value;
  }
}

/** The scopes of a set that a workload can still leave by a field. */
function canLeave(scopes: IndexSet, { table, inside }: Constraint): IndexSet {
  let left = scopes & ~table.everything;
  for (const list of inside) left &= ~(table.having.get(list) ?? 0n);
  return left;
}

function changed(
  constraints: readonly Constraint[],
  table: FieldTable,
  change: (constraint: Constraint) => Partial<Wanted>,
): readonly Constraint[] {
  return constraints.map((one) => (one.table === table ? { ...one, ...change(one) } : one));
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
