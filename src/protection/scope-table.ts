import { FieldTable } from "./field-table";
import type { IndexSet } from "./index-set";
import { Memo } from "./memo";
import { FIELDS, MEMBER_OF, type Field, type Workload } from "./policy";
import type { SearchScope } from "./search-scope";
import { valuesOf, type ValueSearch } from "./value-search";

/**
 * The scopes of one comparison, with the scopes that overlap each and those that cover each, as sets
 * of indexes. Each pair of pattern lists is compared once.
 */
export class ScopeTable {
  /**
   * The fields in which some scope does not match everything. Labels are first, because a workload can
   * leave any number of scopes by more labels.
   */
  readonly fields: readonly FieldTable[];
  private readonly whole: IndexSet;
  /** The scopes that may have a workload in common with a scope. */
  readonly meeting = new Memo((scope: SearchScope) =>
    this.common(({ field, meeting }) => meeting.of(scope.lists[field])),
  );
  /** The scopes that certainly contain each workload of a scope, itself included. */
  readonly covering = new Memo((scope: SearchScope) =>
    this.common(({ field, covering }) => covering.of(scope.lists[field])),
  );

  constructor(scopes: readonly SearchScope[], values: ValueSearch) {
    this.whole = (1n << BigInt(scopes.length)) - 1n;
    this.fields = LABELS_FIRST.filter((field) =>
      scopes.some(({ narrow }) => narrow.includes(field)),
    ).map((field) => new FieldTable(field, scopes, values));
  }

  containing(workload: Workload): IndexSet {
    return this.common((table) => table.containing(valueIn(workload, table.field)));
  }

  private common(setOf: (table: FieldTable) => IndexSet): IndexSet {
    let common = this.whole;
    for (const table of this.fields) common &= setOf(table);
    return common;
  }
}

const LABELS_FIRST = ["labels", ...FIELDS.filter((field) => field !== "labels")] as const;

/** Returns the values that a workload has in a field. */
export function valueIn(workload: Workload, field: Field): readonly string[] {
  return valuesOf(field === "labels" ? workload.labels : workload[MEMBER_OF[field]]);
}
