import type { FieldTable } from "./field-table";
import type { IndexSet } from "./index-set";
import { commonPattern, endsOf } from "./pattern";
import type { Workload } from "./policy";
import { valueIn, type ScopeTable } from "./scope-table";
import type { SearchScope } from "./search-scope";
import { valuesOf } from "./value-search";

/**
 * Finds scopes of `none` that a region needs: some workload of it that is made from the example is in
 * them and in no other one. All are found together, as sets. It is not known whether the others are
 * needed.
 */
export class SeenNeeded {
  private readonly lone: readonly LoneScopes[];

  constructor({ fields }: ScopeTable) {
    this.lone = fields.map((table) => new LoneScopes(table));
  }

  of(example: Workload, all: readonly SearchScope[], none: IndexSet): IndexSet {
    const inside = all.reduce((bits, { bit }) => bits | bit, 0n);
    const places = this.lone.map((lone) => {
      const values = valueIn(example, lone.table.field);
      const held = lone.table.containing(values);
      return { lone, values, held, reachable: held | lone.reachable(all, inside) };
    });
    let found = 0n;
    for (const place of places) {
      const { lone, values, held } = place;
      let near = none;
      let reachable = none;
      for (const other of places) {
        if (other === place) continue;
        near &= other.held;
        reachable &= other.reachable;
      }
      // The other values of the example keep it out of all others, or else they change too.
      if (near !== 0n) found |= lone.reached(values, held, all, inside, near);
      if ((reachable & ~found) !== 0n)
        found |= reachable & lone.reached(values, held, all, inside, none);
    }
    return found;
  }
}

/** Scopes that values of one field are in, and that no other scope without `*` has. */
class LoneScopes {
  private bySample: IndexSet | undefined;
  private byPattern: IndexSet | undefined;

  constructor(readonly table: FieldTable) {}

  /** Scopes that certainly have a value which is in each of `all`, too. */
  reachable(all: readonly SearchScope[], inside: IndexSet): IndexSet {
    const { field, plain, everything, meeting } = this.table;
    if (field === "labels") return (inside & ~plain) === 0n ? plain : 0n;
    const lists = new Set(all.map(({ lists }) => lists[field]));
    if (lists.size > 1)
      for (const { bit, lists: own } of all)
        if ((bit & everything) !== 0n) lists.delete(own[field]);
    const [list, ...more] = lists;
    return list && more.length === 0 ? meeting.of(list) : 0n;
  }

  /**
   * The scopes of `near` that a workload with another value of the field is in, or with other labels,
   * and in no other of them.
   */
  reached(
    values: readonly string[],
    held: IndexSet,
    all: readonly SearchScope[],
    inside: IndexSet,
    near: IndexSet,
  ): IndexSet {
    const { field, included, exempted, everything } = this.table;
    if (field === "labels") return (held & near) === 0n ? this.byLabels(values, inside, near) : 0n;
    if ((near & included.everything) !== 0n) return 0n;
    if ((inside & ~everything) === 0n) return near & this.samples();
    const pattern = all
      .map(({ lists }) => lists[field].included[0] ?? "")
      .reduce((one, other) => commonPattern(one, other) ?? "");
    const ends = endsOf(pattern);
    if (ends.isLiteral || (included.likely(pattern) & near) !== 0n) return 0n;
    const mayExempt = exempted.likely(pattern);
    if ((mayExempt & inside) !== 0n) return 0n;
    return near & ~mayExempt & this.patterns() & included.meetingEnds(ends);
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

  /** Those whose patterns have parts that no other pattern has. */
  private patterns(): IndexSet {
    const { field, included, free } = this.table;
    return (this.byPattern ??=
      free &
      this.collect(({ bit, lists }) =>
        lists[field].included.every((pattern) => included.likely(pattern) === bit) ? bit : 0n,
      ));
  }

  /** The scopes that are alone in a set, but for those with `*`. */
  private collect(setOf: (scope: SearchScope) => IndexSet): IndexSet {
    let found = 0n;
    for (const scope of this.table.scopes)
      if ((setOf(scope) & ~this.table.included.everything) === scope.bit) found |= scope.bit;
    return found;
  }
}
