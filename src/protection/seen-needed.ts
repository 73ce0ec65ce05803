import type { FieldTable } from "./field-table";
import type { IndexSet } from "./index-set";
import { commonPattern, endsOf } from "./pattern";
import type { Workload } from "./policy";
import { valueIn, type ScopeTable } from "./scope-table";
import type { SearchScope } from "./search-scope";
import { valuesOf } from "./value-search";

/**
 * Finds scopes of `none` that a region needs: some workload of it that differs from the example in one
 * field is in them and in no other one. All are found together, as sets. It is not known whether the
 * others are needed.
 */
export class SeenNeeded {
  private readonly lone: readonly LoneScopes[];

  constructor({ fields }: ScopeTable) {
    this.lone = fields.map((table) => new LoneScopes(table));
  }

  of(example: Workload, all: readonly SearchScope[], none: IndexSet): IndexSet {
    const places = this.lone.map((lone) => {
      const values = valueIn(example, lone.table.field);
      return { lone, values, held: lone.table.containing(values) };
    });
    let found = 0n;
    for (const place of places) {
      // The other fields of the example keep it out of all others.
      let near = none;
      for (const other of places) if (other !== place) near &= other.held;
      if (near !== 0n) found |= place.lone.reached(place.values, all, near);
    }
    return found;
  }
}

/** Scopes that values of one field are in, and that no other scope without `*` has. */
class LoneScopes {
  private bySample: IndexSet | undefined;
  private byPattern: IndexSet | undefined;

  constructor(readonly table: FieldTable) {}

  /** The scopes of `near` that another value of the field is in, or other labels, and no other of them. */
  reached(values: readonly string[], all: readonly SearchScope[], near: IndexSet): IndexSet {
    const { table } = this;
    const inside = all.reduce((bits, { bit }) => bits | bit, 0n);
    if (table.field === "labels") return this.byLabels(values, inside, near);
    if ((near & table.included.everything) !== 0n) return 0n;
    if ((inside & ~table.everything) === 0n) return near & this.samples();
    if ((inside & ~table.plain) !== 0n) return 0n;
    const pattern = all
      .map(({ lists }) => lists[table.field].included[0] ?? "")
      .reduce((one, other) => commonPattern(one, other) ?? "");
    const ends = endsOf(pattern);
    if (ends.isLiteral || (table.included.likely(pattern) & near) !== 0n) return 0n;
    return near & this.patterns() & table.included.meetingEnds(ends);
  }

  /**
   * The scopes that another label puts the workload into, and those that one of its labels alone keeps
   * it out of.
   */
  private byLabels(labels: readonly string[], inside: IndexSet, near: IndexSet): IndexSet {
    const { everything } = this.table.included;
    const pinned = inside & ~everything;
    let exempted = 0n;
    let others = 0n;
    for (const label of labels) {
      const matching = this.table.matching.of(label);
      const isLone = matching.isLone && (matching.taken & pinned) === 0n;
      others |= isLone ? exempted & matching.exempted : matching.exempted;
      exempted |= matching.exempted;
    }
    return near & ((this.samples() & ~exempted) | (exempted & ~others & everything));
  }

  /** Those whose sample is in no other scope without `*`. */
  private samples(): IndexSet {
    return (this.bySample ??= this.collect(({ lists }) => {
      let taken = 0n;
      for (const value of valuesOf(this.table.sample.of(lists[this.table.field]).value)) {
        const matching = this.table.matching.of(value);
        if (matching.exempted !== 0n) return 0n;
        taken |= matching.taken;
      }
      return taken;
    }));
  }

  /** Those with one pattern, whose parts are in no other pattern but `*`. */
  private patterns(): IndexSet {
    return (this.byPattern ??= this.collect(({ bit, lists }) => {
      const [pattern = "", ...more] = lists[this.table.field].included;
      const isOne =
        more.length === 0 && !endsOf(pattern).isLiteral && (this.table.plain & bit) !== 0n;
      return isOne ? this.table.included.likely(pattern) : 0n;
    }));
  }

  /** The scopes that are alone in a set, but for those with `*`. */
  private collect(setOf: (scope: SearchScope) => IndexSet): IndexSet {
    let found = 0n;
    for (const scope of this.table.scopes)
      if ((setOf(scope) & ~this.table.included.everything) === scope.bit) found |= scope.bit;
    return found;
  }
}
