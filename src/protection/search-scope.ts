import type { PatternList } from "./pattern";
import { FIELDS, compileScope, type CompiledScope, type Field, type Scope } from "./policy";

/** A scope as one comparison holds it: equal scopes are one object, and so are equal lists. */
export interface SearchScope {
  /** From 0, among the scopes of the comparison. */
  readonly index: number;
  readonly lists: CompiledScope;
  /** The fields that do not take in everything: the ways out of the scope. */
  readonly narrow: readonly Field[];
  /** No workload is in it. */
  readonly isNothing: boolean;
}

/** Makes one object of equal scopes, and one of equal pattern lists. */
export class ScopeCompiler {
  private readonly known = new Map<string, SearchScope>();
  private readonly lists = new Map<string, PatternList>();

  /** By index. */
  get scopes(): readonly SearchScope[] {
    return [...this.known.values()];
  }

  compile(scope: Scope): SearchScope {
    const compiled = compileScope(scope);
    const narrow = FIELDS.filter((field) => !compiled[field].isEverything);
    const key = narrow.map((field) => field + compiled[field].key).join(" ");
    const known = this.known.get(key);
    if (known) return known;
    const lists = eachField((field) => this.listOf(compiled[field]));
    const isNothing = narrow.some((field) => lists[field].isNothing);
    const made = { index: this.known.size, lists, narrow, isNothing };
    this.known.set(key, made);
    return made;
  }

  private listOf(list: PatternList): PatternList {
    const known = this.lists.get(list.key);
    if (!known) this.lists.set(list.key, list);
    return known ?? list;
  }
}

export function eachField<V>(of: (field: Field) => V): Readonly<Record<Field, V>> {
  return {
    images: of("images"),
    containers: of("containers"),
    namespaces: of("namespaces"),
    hosts: of("hosts"),
    labels: of("labels"),
    account_ids: of("account_ids"),
  };
}

/** The lists of a field. One that matches everything adds no constraint. */
export function listsOf(all: readonly SearchScope[], field: Field): readonly PatternList[] {
  const lists = all.map(({ lists }) => lists[field]).filter(({ isEverything }) => !isEverything);
  return [...new Set(lists)];
}
