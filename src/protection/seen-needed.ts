import type { FieldTable } from "./field-table";
import type { IndexSet } from "./index-set";
import { commonPattern, endsOf } from "./pattern";
import type { Workload } from "./policy";
import { valueIn, type ScopeTable } from "./scope-table";
import type { SearchScope } from "./search-scope";
import { valuesOf } from "./value-search";

/** The scopes that a region is inside of, and the set of their bits. */
interface Region {
  readonly all: readonly SearchScope[];
  readonly inside: IndexSet;
}

/**
 * Finds excluded scopes that a region certainly needs, all at once as sets. A scope is needed if it
 * contains a workload of `all` that no other excluded scope contains. Such workloads are made from the
 * example by another value in one field. Scopes that are not found may be needed too.
 */
export class SeenNeeded {
  private readonly lone: readonly LoneScopes[];

  constructor({ fields }: ScopeTable) {
    this.lone = fields.map((table) => new LoneScopes(table));
  }

  of(example: Workload, all: readonly SearchScope[], none: IndexSet): IndexSet {
    const region = { all, inside: all.reduce((bits, { bit }) => bits | bit, 0n) };
    const places = this.lone.map((lone) => {
      const values = valueIn(example, lone.table.field);
      const held = lone.table.containing(values);
      return { lone, values, held, reachable: held | lone.reachable(region) };
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
      // If only this field changes, the others keep the workload out of all scopes but `near`. If they
      // change too, the value of this field has to keep it out of all other scopes.
      if (near !== 0n) found |= lone.reached(values, held, region, near);
      if ((reachable & ~found) !== 0n)
        found |= reachable & lone.reached(values, held, region, none);
    }
    return found;
  }
}

/** Finds values of one field that are in one scope only, apart from scopes with `*`. */
class LoneScopes {
  private bySample: IndexSet | undefined;
  private byPattern: IndexSet | undefined;

  constructor(readonly table: FieldTable) {}

  /** Returns scopes that certainly have a value in common with all scopes of `all`. */
  reachable({ all, inside }: Region): IndexSet {
    const { field, plain, everything, meeting } = this.table;
    if (field === "labels") return (inside & ~plain) === 0n ? plain : 0n;
    const lists = new Set(all.map(({ lists }) => lists[field]));
    if (lists.size > 1)
      for (const { bit, lists: own } of all)
        if ((bit & everything) !== 0n) lists.delete(own[field]);
    const [list, ...more] = lists;
    return list && more.length === 0 ? meeting.of(list) : 0n;
  }

  /** Returns scopes of `near`, each of which a workload can enter alone by other values of the field. */
  reached(
    values: readonly string[],
    held: IndexSet,
    { all, inside }: Region,
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

  /** Returns the scopes that a workload enters by one more label, or without one of its labels. */
  private byLabels(labels: readonly string[], inside: IndexSet, near: IndexSet): IndexSet {
    const { everything } = this.table.included;
    const pinned = inside & ~everything;
    let exempted = 0n;
    let others = 0n;
    for (const label of labels) {
      const matching = this.table.matching.of(label);
      const isLone = matching.isLone && (matching.included & pinned) === 0n;
      others |= isLone ? exempted & matching.exempted : matching.exempted;
      exempted |= matching.exempted;
    }
    return near & ((this.samples() & ~exempted) | (exempted & ~others & everything));
  }

  /** Returns the scopes whose sample is in no other scope, apart from those with `*`. */
  private samples(): IndexSet {
    return (this.bySample ??= this.collect(({ lists }) => {
      let included = 0n;
      for (const value of valuesOf(this.table.sample.of(lists[this.table.field]).value)) {
        const matching = this.table.matching.of(value);
        if (matching.exempted !== 0n) return 0n;
        included |= matching.included;
      }
      return included;
    }));
  }

  /** Returns the scopes whose patterns have parts that match no pattern of another scope. */
  private patterns(): IndexSet {
    const { field, included, free } = this.table;
    return (this.byPattern ??=
      free &
      this.collect(({ bit, lists }) =>
        lists[field].included.every((pattern) => included.likely(pattern) === bit) ? bit : 0n,
      ));
  }

  /** Returns the scopes whose set has only themselves, apart from scopes with `*`. */
  private collect(setOf: (scope: SearchScope) => IndexSet): IndexSet {
    let found = 0n;
    for (const scope of this.table.scopes)
      if ((setOf(scope) & ~this.table.included.everything) === scope.bit) found |= scope.bit;
    return found;
  }
}
