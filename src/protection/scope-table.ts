import { FieldTable } from "./field-table";
import { IndexSet } from "./index-set";
import { Memo } from "./memo";
import { FIELDS, MEMBER_OF, type Field, type Workload } from "./policy";
import type { SearchScope } from "./search-scope";
import { valuesOf, type ValueSearch } from "./value-search";

/**
 * The scopes of one comparison, each with those that meet it and those that cover it, as sets of
 * indexes. A pair of pattern lists is looked at once.
 */
export class ScopeTable {
  /** Those in which some scope does not take in everything. */
  readonly fields: readonly Field[];
  readonly field = new Memo((field: Field) => new FieldTable(field, this.scopes, this.values));
  /** All but those that certainly have no workload in common with a scope. */
  readonly meeting = new Memo((scope: SearchScope) =>
    this.common((field) => this.field.of(field).meeting.of(scope.lists[field])),
  );
  /** Scopes, itself included, that certainly contain each workload of a scope. */
  readonly covering = new Memo((scope: SearchScope) =>
    this.common((field) => this.field.of(field).covering.of(scope.lists[field])),
  );

  constructor(
    private readonly scopes: readonly SearchScope[],
    private readonly values: ValueSearch,
  ) {
    this.fields = FIELDS.filter((field) => scopes.some(({ narrow }) => narrow.includes(field)));
  }

  get size(): number {
    return this.scopes.length;
  }

  containing(workload: Workload): IndexSet {
    return this.common((field) => this.fieldContaining(field, workload));
  }

  /** The scopes that take in the workload's value of a field. */
  fieldContaining(field: Field, workload: Workload): IndexSet {
    const value = field === "labels" ? workload.labels : workload[MEMBER_OF[field]];
    return this.field.of(field).containing(valuesOf(value));
  }

  private common(setOf: (field: Field) => IndexSet): IndexSet {
    const [first, ...rest] = this.fields;
    if (!first) return IndexSet.of(this.scopes.length, this.scopes.keys());
    const common = setOf(first).copy();
    for (const field of rest) common.retain(setOf(field));
    return common;
  }
}
