import type { PatternList } from "./pattern";
import {
  FIELDS,
  compileScope,
  matchesField,
  type CompiledScope,
  type Field,
  type Scope,
  type Workload,
} from "./policy";

/** A scope as one comparison holds it: equal scopes are one object, and so are equal lists. */
export interface SearchScope {
  readonly lists: CompiledScope;
  /** The fields that do not take in everything: the ways out of the scope. */
  readonly narrow: readonly Field[];
  /** No workload is in it. */
  readonly isNothing: boolean;
}

/** Gives equal scopes, and equal pattern lists, one object each. */
export class ScopeCompiler {
  private readonly scopes = new Map<string, SearchScope>();
  private readonly lists = new Map<string, PatternList>();

  compile(scope: Scope): SearchScope {
    const compiled = compileScope(scope);
    const key = FIELDS.map((field) => compiled[field].key).join(" ");
    const known = this.scopes.get(key);
    if (known) return known;
    const lists = eachField((field) => this.listOf(compiled[field]));
    const made = {
      lists,
      narrow: FIELDS.filter((field) => !lists[field].isEverything),
      isNothing: FIELDS.some((field) => lists[field].isNothing),
    };
    this.scopes.set(key, made);
    return made;
  }

  private listOf(list: PatternList): PatternList {
    const known = this.lists.get(list.key);
    if (!known) this.lists.set(list.key, list);
    return known ?? list;
  }
}

export function isInScope({ lists, narrow }: SearchScope, workload: Workload): boolean {
  return narrow.every((field) => matchesField(lists, field, workload));
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
