import { listCovers, normalizedList, patternCovers, type PatternList } from "./pattern";
import {
  compileScope,
  FIELDS,
  writtenScope,
  type CompiledScope,
  type Field,
  type Where,
} from "./policy";
import { RegionSearch } from "./region-search";
import { ScopeCompiler, type SearchScope } from "./search-scope";

/**
 * Describes the same workloads with fewer scopes, in three steps:
 * - An excluded scope that includes all workloads of `all` leaves only what it exempts:
 *   `prod-*`, except `prod-*, -prod-pay`, is `prod-pay`.
 * - Scopes of `all` are joined into one if one scope can describe their intersection.
 * - Patterns that are excluded completely are removed: `a*, b*`, except `b*, c*`, is `a*`.
 */
export function positiveForm(all: readonly SearchScope[], none: readonly SearchScope[]): Where {
  const inside = all.map(({ lists }) => lists);
  const left = none.filter(({ lists, exempting: [field, ...others] }) => {
    const exempted = field && others.length === 0 && exemptedOf(lists, field, inside);
    if (exempted) inside.push(exempted);
    return !exempted;
  });
  const whole = inside.reduce(addScope, []);
  const narrow = whole.map((scope) => withoutExcluded(scope, left, whole));
  const isNarrower = narrow.some((scope, index) => scope !== whole[index]);
  return {
    all: narrow.map(writtenScope).filter((scope) => Object.keys(scope).length > 0),
    none: (isNarrower ? withoutIdle(narrow, left) : left).map(({ written }) => written),
  };
}

/** Removes excluded scopes that exclude nothing more than the others do. */
function withoutIdle(
  all: readonly CompiledScope[],
  none: readonly SearchScope[],
): readonly SearchScope[] {
  const compiler = new ScopeCompiler();
  const inside = all.map((scope) => compiler.compile(writtenScope(scope)));
  const outside = none.map(({ written }) => compiler.compile(written));
  const search = new RegionSearch(compiler.scopes);
  const near = search.near(
    inside,
    outside.reduce((set, { bit }) => set | bit, 0n),
  );
  return search.withoutIdle(inside, near, undefined);
}

/** Removes the patterns of a scope whose workloads are all in an excluded scope. */
function withoutExcluded(
  scope: CompiledScope,
  none: readonly SearchScope[],
  all: readonly CompiledScope[],
): CompiledScope {
  if (none.length === 0) return scope;
  const lists = { ...scope };
  for (const field of FIELDS) {
    const { included, exempted } = scope[field];
    if (included.length < 2) continue;
    const excluding = none.filter(({ narrow, lists }) =>
      narrow.every((other) => other === field || isMatched(lists[other], other, all)),
    );
    const isExcluded = (pattern: string) =>
      excluding.some(({ lists }) => covers(lists[field], normalizedList([pattern], []), field));
    const left = included.filter((pattern) => !isExcluded(pattern));
    if (left.length > 0 && left.length < included.length)
      lists[field] = normalizedList(left, exempted);
  }
  return FIELDS.every((field) => lists[field] === scope[field]) ? scope : lists;
}

/** Returns true only if all workloads of `all` match a list. */
function isMatched(list: PatternList, field: Field, all: readonly CompiledScope[]): boolean {
  return list.isEverything || all.some((each) => covers(list, each[field], field));
}

/** Makes a scope of what another one exempts. Undefined if more of `all` is outside of that one. */
function exemptedOf(
  scope: CompiledScope,
  field: Field,
  all: readonly CompiledScope[],
): CompiledScope | undefined {
  const { included, exempted } = scope[field];
  // A policy cannot include what begins with a dash.
  if (exempted.some((pattern) => pattern.startsWith("-"))) return undefined;
  const includes = { ...scope, [field]: normalizedList(included, []) };
  if (!FIELDS.every((one) => isMatched(includes[one], one, all))) return undefined;
  const isOutside = (pattern: string) =>
    all.some((each) => each[field].exempted.some((wide) => patternCovers(wide, pattern)));
  const list = normalizedList(
    exempted.filter((pattern) => !isOutside(pattern)),
    [],
  );
  return { ...EVERYTHING, [field]: list };
}

const EVERYTHING = compileScope({});

/** Intersects the added scope with the first one for which the result is a single scope. */
function addScope(
  scopes: readonly CompiledScope[],
  added: CompiledScope,
): readonly CompiledScope[] {
  for (const [index, scope] of scopes.entries()) {
    const both = commonScope(scope, added);
    if (both) return scopes.with(index, both);
  }
  return [...scopes, added];
}

function commonScope(one: CompiledScope, other: CompiledScope): CompiledScope | undefined {
  const both: Partial<Record<Field, PatternList>> = {};
  for (const field of FIELDS) {
    const list = commonList(one[field], other[field], field);
    if (!list) return undefined;
    both[field] = list;
  }
  return { ...one, ...both };
}

/** Makes a list of what matches both lists; undefined unless it is one of them with more exemptions. */
function commonList(one: PatternList, other: PatternList, field: Field): PatternList | undefined {
  if (one === other) return one;
  const [first, second] = [normalizedList(one.included, []), normalizedList(other.included, [])];
  const included = covers(first, second, field) ? second : first;
  if (!covers(second, included, field)) return undefined;
  const exempted = [...new Set([...one.exempted, ...other.exempted])].sort();
  const exempts = (pattern: string) =>
    included.isEverything || !covers(normalizedList(["*"], [pattern]), included, field);
  return normalizedList(included.included, exempted.filter(exempts));
}

function covers(wide: PatternList, narrow: PatternList, field: Field): boolean {
  return wide.isEverything || listCovers(wide, narrow, field === "labels");
}
