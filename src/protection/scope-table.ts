import { IndexSet } from "./index-set";
import { foldCase, listCovers, type PatternList } from "./pattern";
import { PatternIndex } from "./pattern-index";
import { FIELDS, MEMBER_OF, type Field, type Workload } from "./policy";
import { eachField, type SearchScope } from "./search-scope";
import type { ValueSearch } from "./value-search";

interface Matching {
  readonly taken: IndexSet;
  readonly exempted?: IndexSet;
}

/** The scopes of one comparison, by what one of their fields has. */
class FieldTable {
  private readonly lists: PatternList[] = [];
  /** By list: the scopes that have it. */
  private readonly users: number[][] = [];
  private readonly included = new PatternIndex();
  private readonly exempted = new PatternIndex();
  private readonly meetingLists = new Map<PatternList, IndexSet>();
  private readonly coveringLists = new Map<PatternList, IndexSet>();
  private readonly matchingScopes = new Map<string, Matching>();

  constructor(
    private readonly field: Field,
    private readonly scopes: readonly SearchScope[],
    private readonly values: ValueSearch,
  ) {
    const numbers = new Map<PatternList, number>();
    for (const { index, lists } of scopes) {
      const list = lists[field];
      const id = known(numbers, list, () => this.add(list));
      this.users[id]?.push(index);
    }
  }

  meeting(list: PatternList): IndexSet {
    return known(this.meetingLists, list, () => {
      // Labels of one workload can be in lists that no text is in both of.
      const candidates =
        this.field === "labels"
          ? this.lists.keys()
          : union(list.included, (pattern) => this.included.meeting(pattern));
      return this.withLists(candidates, (other) => this.mayMeet(list, other));
    });
  }

  covering(list: PatternList): IndexSet {
    return known(this.coveringLists, list, () =>
      this.withLists(
        this.included.covering(list.included[0] ?? ""),
        (other) => other === list || listCovers(other, list, this.field === "labels"),
      ),
    );
  }

  /** The scopes that take in the value, or the labels together; none: the workload has none. */
  containing(values: readonly string[]): IndexSet {
    const [only = "", ...more] = values;
    // A workload without a value is matched by * alone, as a text without letters is.
    const one = this.matching(only);
    if (more.length === 0) return one.exempted ? one.taken.without(one.exempted) : one.taken;
    const [taken, exempted] = [one.taken.copy(), IndexSet.empty(this.scopes.length)];
    for (const value of values) {
      const other = this.matching(value);
      taken.join(other.taken);
      if (other.exempted) exempted.join(other.exempted);
    }
    return taken.without(exempted);
  }

  /** The scopes with a pattern that matches a value, and those with one behind `-`, if there are any. */
  matching(value: string): Matching {
    return known(this.matchingScopes, value, () => {
      const text = foldCase(value);
      const exempted = this.exempted.matching(text);
      return {
        taken: this.withLists(this.included.matching(text)),
        ...(exempted.size > 0 && { exempted: this.withLists(exempted) }),
      };
    });
  }

  private add(list: PatternList): number {
    const id = this.lists.push(list) - 1;
    this.users.push([]);
    for (const pattern of list.included) this.included.add(pattern, id);
    for (const pattern of list.exempted) this.exempted.add(pattern, id);
    return id;
  }

  private mayMeet(one: PatternList, other: PatternList): boolean {
    if (one === other || one.isEverything || other.isEverything) return true;
    if (one.exempted.length + other.exempted.length === 0) return true;
    return this.values.mayHave(this.field, { inside: [one, other], outside: [] });
  }

  private withLists(ids: Iterable<number>, fits?: (list: PatternList) => boolean): IndexSet {
    const found = IndexSet.empty(this.scopes.length);
    for (const id of ids) {
      const list = this.lists[id];
      if (!list || (fits && !fits(list))) continue;
      for (const index of this.users[id] ?? []) found.add(index);
    }
    return found;
  }
}

/**
 * The scopes of one comparison, each with those that meet it and those that cover it, as sets of
 * indexes. A pair of pattern lists is looked at once.
 */
export class ScopeTable {
  /** Those in which some scope does not take in everything. */
  private readonly fields: readonly Field[];
  private readonly tables: Readonly<Record<Field, FieldTable>>;
  private readonly meetingScopes = new Map<SearchScope, IndexSet>();
  private readonly coveringScopes = new Map<SearchScope, IndexSet>();

  constructor(
    private readonly scopes: readonly SearchScope[],
    values: ValueSearch,
  ) {
    this.fields = FIELDS.filter((field) => scopes.some(({ narrow }) => narrow.includes(field)));
    this.tables = eachField((field) => new FieldTable(field, scopes, values));
  }

  /** All but those that certainly have no workload in common with the scope. */
  meeting(scope: SearchScope): IndexSet {
    return known(this.meetingScopes, scope, () =>
      this.common((field) => this.tables[field].meeting(scope.lists[field])),
    );
  }

  /** Scopes, this one included, that certainly contain each workload of it. */
  covering(scope: SearchScope): IndexSet {
    return known(this.coveringScopes, scope, () =>
      this.common((field) => this.tables[field].covering(scope.lists[field])),
    );
  }

  /** The scopes that include one label, and those that exempt it. */
  ofLabel(label: string): Matching {
    return this.tables.labels.matching(label);
  }

  containing(workload: Workload): IndexSet {
    return this.common((field) => this.fieldContaining(field, workload));
  }

  private fieldContaining(field: Field, workload: Workload): IndexSet {
    if (field === "labels") return this.tables.labels.containing(workload.labels);
    const value = workload[MEMBER_OF[field]];
    return this.tables[field].containing(value === null ? [] : [value]);
  }

  private common(setOf: (field: Field) => IndexSet): IndexSet {
    const [first, ...rest] = this.fields;
    if (!first) return IndexSet.of(this.scopes.length, this.scopes.keys());
    const common = setOf(first).copy();
    for (const field of rest) common.retain(setOf(field));
    return common;
  }
}

function union<T>(
  items: readonly T[],
  setOf: (item: T) => ReadonlySet<number>,
): ReadonlySet<number> {
  const [only, ...more] = items;
  if (only !== undefined && more.length === 0) return setOf(only);
  return new Set(items.flatMap((item) => [...setOf(item)]));
}

function known<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  const found = map.get(key) ?? make();
  map.set(key, found);
  return found;
}
