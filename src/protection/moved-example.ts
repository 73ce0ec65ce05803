import { hasEach, type FieldTable, type Matching } from "./field-table";
import { IndexSet } from "./index-set";
import { commonPattern } from "./pattern";
import type { Field, Workload } from "./policy";
import type { ScopeTable } from "./scope-table";
import { listsOf, type SearchScope } from "./search-scope";
import { valuesOf, type ValueSearch } from "./value-search";

/** The value of the example in one field. */
interface Place {
  readonly field: Field;
  readonly table: FieldTable;
  /** The scopes that contain it. */
  readonly held: IndexSet;
  /** A pattern that all lists of the region have in common, at a guess; a literal has no texts. */
  readonly pattern: string;
}

/**
 * The workload of a region, moved into one scope after the other: the scopes that contain it there
 * are found as sets, and mostly without a new text.
 */
export class MovedExample {
  private readonly places: readonly Place[];
  private labels: LabelSet | undefined;

  constructor(
    private readonly example: Workload,
    private readonly all: readonly SearchScope[],
    private readonly table: ScopeTable,
    private readonly values: ValueSearch,
  ) {
    this.places = table.fields.map((field) => ({
      field,
      table: table.field.of(field),
      held: table.fieldContaining(field, example),
      pattern: all
        .map(({ lists }) => lists[field].included[0] ?? "")
        .reduce((one, other) => commonPattern(one, other) ?? ""),
    }));
  }

  /** True where it is seen at once that a workload of the region is in the scope and in no other. */
  isOnlyIn(scope: SearchScope, others: IndexSet): boolean {
    let rest = others;
    let last: IndexSet | undefined;
    for (const place of this.places) {
      const isHeld = place.held.has(scope.index);
      const reached = isHeld ? place.held : this.moved(scope, place);
      if (!reached?.has(scope.index) || !(isHeld || hasEach(reached, this.all))) return false;
      if (last) rest = last.and(rest);
      last = reached;
    }
    return !last?.meets(rest);
  }

  /** At least the scopes that contain a value of the scope; one of the region, if such a one is found. */
  private moved(scope: SearchScope, { field, table, pattern }: Place): IndexSet | undefined {
    if (field === "labels") return this.movedLabels(scope, table);
    const list = scope.lists[field];
    const { containing } = table.sample.of(list);
    if (hasEach(containing, this.all)) return containing;
    const within = [...this.all, scope];
    const common = table.common(pattern, list.included[0] ?? "", within);
    if (common) return common;
    const inside = listsOf(within, field);
    const value = this.values.within(() => this.values.search(field, { inside, outside: [] }));
    return value === undefined ? undefined : table.containing(valuesOf(value));
  }

  /** Labels that the scope exempts are in the way; all others can stay. */
  private movedLabels({ index, lists }: SearchScope, table: FieldTable): IndexSet {
    this.labels ??= new LabelSet(
      this.example.labels.map((label) => table.matching.of(label)),
      this.table.size,
    );
    const { taken, exempted } = this.labels.without(index);
    if (!taken.has(index))
      for (const label of valuesOf(table.sample.of(lists.labels).value)) {
        const added = table.matching.of(label);
        taken.join(added.taken);
        if (added.exempted) exempted.join(added.exempted);
      }
    taken.remove(exempted);
    return taken;
  }
}

/** The labels of a workload, of which those that a scope exempts can be left out at once. */
class LabelSet {
  private readonly taken: Union;
  private readonly exempted: Union;
  /** By scope: the labels that it exempts. */
  private readonly exempting = new Map<number, Matching[]>();

  constructor(
    private readonly labels: readonly Matching[],
    private readonly size: number,
  ) {
    [this.taken, this.exempted] = [new Union(size), new Union(size)];
    for (const label of labels) {
      this.taken.add(label.taken);
      if (!label.exempted) continue;
      this.exempted.add(label.exempted);
      label.exempted.forEach((index) => {
        const others = this.exempting.get(index);
        if (others) others.push(label);
        else this.exempting.set(index, [label]);
      });
    }
  }

  /** New sets. */
  without(index: number): { readonly taken: IndexSet; readonly exempted: IndexSet } {
    const exempting = this.exempting.get(index);
    if (exempting && exempting.length > 1) {
      const left = this.labels.filter(({ exempted }) => !exempted?.has(index));
      return new LabelSet(left, this.size).without(index);
    }
    const label = exempting?.[0];
    return {
      taken: this.taken.without(label?.taken),
      exempted: this.exempted.without(label?.exempted),
    };
  }
}

/** A union of sets that knows what is in two of them, so that one of them is left out at once. */
class Union {
  private readonly once: IndexSet;
  private readonly twice: IndexSet;

  constructor(size: number) {
    [this.once, this.twice] = [IndexSet.empty(size), IndexSet.empty(size)];
  }

  add(set: IndexSet): void {
    this.twice.joinCommon(this.once, set);
    this.once.join(set);
  }

  /** A new set. */
  without(set: IndexSet | undefined): IndexSet {
    const left = this.once.copy();
    if (set) left.remove(set);
    if (set) left.join(this.twice);
    return left;
  }
}
