import type { WantedFields } from "./field-search";
import { indexesIn, type IndexSet } from "./index-set";
import { MEMBER_OF, type Field, type Workload } from "./policy";
import { ScopeTable } from "./scope-table";
import { listsOf, type SearchScope } from "./search-scope";
import { SeenNeeded } from "./seen-needed";
import type { FieldTable } from "./field-table";
import { valuesOf, ValueSearch, type FieldValue } from "./value-search";

/** A workload of a region. Null if there is none; undefined if the search takes too long. */
export type Example = Workload | null | undefined;

/** The steps that are counted for each search, and for each check if a scope is needed. */
const STEPS_A_SEARCH = 24;
const STEPS_A_SCOPE = 4;

type WorkloadValues = Partial<Record<keyof Workload, FieldValue>>;

/** The requirements of a search on one field. */
interface Constraint extends WantedFields {
  readonly table: FieldTable;
}

/**
 * Finds workloads that are in each of some scopes and in none of others. Each comparison has its own
 * search, with the scopes of one `ScopeCompiler`.
 */
export class RegionSearch {
  private readonly values = new ValueSearch();
  private readonly table: ScopeTable;
  private readonly seenNeeded: SeenNeeded;

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

  get isExceeded(): boolean {
    return this.values.isExceeded;
  }

  /** Finds a workload in each scope of `all` and in none of `none`. */
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
      const found = this.leaveTogether(constraints, near);
      return found === undefined ? this.leaveOneByOne(constraints, near) : found;
    });
  }

  /** Returns the scopes of `none` that may have workloads in common with each scope of `all`. */
  near(all: readonly SearchScope[], none: IndexSet): IndexSet {
    let near = none;
    for (const scope of all) near &= this.table.meeting.of(scope);
    return near;
  }

  /** Returns true only if each workload of `narrow` is in `wide`; false also for lack of time. */
  covers(wide: SearchScope, narrow: SearchScope): boolean {
    return wide.narrow.length === 0 || (this.table.covering.of(narrow) & wide.bit) !== 0n;
  }

  /** Returns the scopes that may have a workload in common with a scope. */
  meeting(scope: SearchScope): IndexSet {
    return this.table.meeting.of(scope);
  }

  /**
   * Removes scopes of `none` that exclude nothing more than the others do.
   *
   * @param example - a workload in each scope of `all` and in none of `none`
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
   * Makes a workload and changes one field until it leaves all scopes of `none` that it can leave by
   * this field, then the next one. Undefined if that fails: `leaveOneByOne` is exact.
   */
  private leaveTogether(constraints: readonly Constraint[], none: IndexSet): Example {
    let tried = constraints;
    for (;;) {
      const workload = this.workloadOf(tried);
      if (!workload) return tried === constraints ? null : undefined;
      const violated = none && this.table.containing(workload) & none;
      if (violated === 0n) return workload;
      const way = tried.find((constraint) => leavableBy(violated, constraint) !== 0n);
      if (!way) return undefined;
      const left = leavableBy(violated, way);
      const lists = this.scopesIn(left).map(({ lists }) => lists[way.table.field]);
      this.values.budget.check(lists.length);
      tried = changed(tried, way.table, ({ outside }) => ({
        outside: [...new Set([...outside, ...lists])],
      }));
    }
  }

  /**
   * Makes a workload, picks a scope that it must leave, and tries each field by which it can leave. If
   * a field fails, it has to match the scope from then on, so that no workload is tried twice.
   */
  private leaveOneByOne(constraints: readonly Constraint[], none: IndexSet): Workload | null {
    const workload = this.workloadOf(constraints);
    if (!workload) return null;
    const violated = this.table.containing(workload) & none;
    if (violated === 0n) return workload;
    const [first] = this.scopesIn(violated)
      .map(({ bit, lists }) => ({
        lists,
        ways: constraints.filter((constraint) => leavableBy(bit, constraint) !== 0n),
      }))
      .sort((one, other) => one.ways.length - other.ways.length);
    let tried = constraints;
    for (const { table } of first?.ways ?? []) {
      const list = first?.lists[table.field] ?? [];
      const without = changed(tried, table, ({ outside }) => ({ outside: outside.concat(list) }));
      const found = this.leaveOneByOne(without, none);
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

/** Returns the scopes of a set that a workload can still leave by a field. */
function leavableBy(scopes: IndexSet, { table, inside }: Constraint): IndexSet {
  let left = scopes & ~table.everything;
  for (const list of inside) left &= ~(table.having.get(list) ?? 0n);
  return left;
}

function changed(
  constraints: readonly Constraint[],
  table: FieldTable,
  change: (constraint: Constraint) => Partial<WantedFields>,
): readonly Constraint[] {
  return constraints.map((one) => (one.table === table ? { ...one, ...change(one) } : one));
}

function memberOf(field: Field): keyof Workload {
  return MEMBER_OF[field];
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
