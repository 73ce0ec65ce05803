import type { IndexSet } from "./index-set";
import { patternList, writtenList, type PatternList } from "./pattern";
import { FIELDS, compileScope, type CompiledScope, type Field, type Scope } from "./policy";

/** A scope in one comparison. Equal scopes are one object, and so are equal lists. */
export interface SearchScope {
  /** The index among the scopes of the comparison, from 0. */
  readonly index: number;
  /** The set that has only this scope. */
  readonly bit: IndexSet;
  readonly lists: CompiledScope;
  /** The scope in the form of a policy. */
  readonly written: Scope;
  /** The fields that do not match everything. A workload can leave the scope only by these. */
  readonly narrow: readonly Field[];
  /** The fields with exemptions. */
  readonly exempting: readonly Field[];
  /** No workload is in the scope. */
  readonly isNothing: boolean;
}

/** Makes one object of equal scopes, and one of equal pattern lists. */
export class ScopeCompiler {
  readonly scopes: SearchScope[] = [];
  private readonly compiled = new Map<Scope, SearchScope>();
  private readonly known = new Map<string, SearchScope>();
  private readonly lists = new Map<string, PatternList>();

  compile(scope: Scope): SearchScope {
    const known = this.compiled.get(scope);
    if (known) return known;
    const made = this.intern(scope);
    this.compiled.set(scope, made);
    return made;
  }

  private intern(scope: Scope): SearchScope {
    const lists = { ...EVERYTHING };
    const written: Partial<Record<Field, readonly string[]>> = {};
    const narrow: Field[] = [];
    const exempting: Field[] = [];
    let key = "";
    let isNothing = false;
    for (const field of FIELDS) {
      const patterns = scope[field];
      const list = patterns && this.listOf(patternList(patterns));
      if (!list || list.isEverything) continue;
      lists[field] = list;
      written[field] = writtenList(list);
      narrow.push(field);
      if (list.exempted.length > 0) exempting.push(field);
      key += `${field}${list.key} `;
      isNothing ||= list.isNothing;
    }
    const known = this.known.get(key);
    if (known) return known;
    const index = this.scopes.length;
    const bit = 1n << BigInt(index);
    const made = { index, bit, lists, written, narrow, exempting, isNothing };
    this.known.set(key, made);
    this.scopes.push(made);
    return made;
  }

  private listOf(list: PatternList): PatternList {
    const known = this.lists.get(list.key);
    if (!known) this.lists.set(list.key, list);
    return known ?? list;
  }
}

const EVERYTHING = compileScope({});

/** Returns the distinct lists of a field. A list that matches everything adds no constraint. */
export function listsOf(all: readonly SearchScope[], field: Field): readonly PatternList[] {
  const lists = all.map(({ lists }) => lists[field]).filter(({ isEverything }) => !isEverything);
  return [...new Set(lists)];
}
