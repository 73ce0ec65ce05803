import { listCovers, listOf, patternCovers, type PatternList } from "./pattern";
import { FIELDS, writtenScope, type CompiledScope, type Field } from "./policy";
import { RegionSearch } from "./region-search";
import { eachField, ScopeCompiler } from "./search-scope";

/** The workloads that are in each of `all` and in none of `none`. */
interface Where {
  readonly all: readonly CompiledScope[];
  readonly none: readonly CompiledScope[];
}

/**
 * Describes the same workloads with fewer scopes: `prod-*`, except `prod-*, -prod-pay`, is `prod-pay`.
 * If all workloads of `all` match what a scope of `none` includes, those outside of it are those that
 * it exempts. Patterns that a scope of `none` takes away are left out: `a*, b*`, except `b*, c*`, is
 * `a*`.
 */
export function positiveForm({ all, none }: Where): Where {
  const left: CompiledScope[] = [];
  const inside = none.reduce((scopes, scope) => {
    const exempted = exemptedOf(scope, scopes);
    if (!exempted) left.push(scope);
    return exempted ? [...scopes, exempted] : scopes;
  }, all);
  const whole = inside.reduce(addScope, []);
  const narrow = whole.map((scope) => withoutTaken(scope, left, whole));
  const isNarrower = narrow.some((scope, index) => scope !== whole[index]);
  return { all: narrow, none: isNarrower ? needed(narrow, left) : left };
}

/** The scopes that take away what no other one does. */
function needed(
  all: readonly CompiledScope[],
  none: readonly CompiledScope[],
): readonly CompiledScope[] {
  const compiler = new ScopeCompiler();
  const compiled = (scopes: readonly CompiledScope[]) =>
    scopes.map((scope) => compiler.compile(writtenScope(scope)));
  const [inside, outside] = [compiled(all), compiled(none)];
  const search = new RegionSearch(compiler.scopes);
  const near = search.near(inside, search.setOf(outside));
  const kept = search.withoutIdle(inside, near, undefined);
  return search.scopesIn(kept).map(({ lists }) => lists);
}

/** The scope without patterns all of whose workloads are in a scope of `none`. */
function withoutTaken(
  scope: CompiledScope,
  none: readonly CompiledScope[],
  all: readonly CompiledScope[],
): CompiledScope {
  const isWide = FIELDS.some((field) => scope[field].included.length > 1);
  if (none.length === 0 || !isWide) return scope;
  const lists = eachField((field) => {
    const { included, exempted } = scope[field];
    const taking = none.filter((one) =>
      FIELDS.every((other) => other === field || isMatched(one[other], other, all)),
    );
    const isTaken = (pattern: string) =>
      taking.some((one) => covers(one[field], listOf([pattern], []), field));
    const left = included.filter((pattern) => !isTaken(pattern));
    return [0, included.length].includes(left.length) ? scope[field] : listOf(left, exempted);
  });
  return FIELDS.every((field) => lists[field] === scope[field]) ? scope : lists;
}

/** True only where all workloads of `all` match a list. */
function isMatched(list: PatternList, field: Field, all: readonly CompiledScope[]): boolean {
  return list.isEverything || all.some((each) => covers(list, each[field], field));
}

/** The scope of what another one exempts. Undefined if that takes several, or it is not all that is outside. */
function exemptedOf(
  scope: CompiledScope,
  all: readonly CompiledScope[],
): CompiledScope | undefined {
  const [field, ...others] = FIELDS.filter((one) => scope[one].exempted.length > 0);
  if (!field || others.length > 0) return undefined;
  const { included, exempted } = scope[field];
  const includes = { ...scope, [field]: listOf(included, []) };
  if (!FIELDS.every((one) => isMatched(includes[one], one, all))) return undefined;
  const isOutside = (pattern: string) =>
    all.some((each) => each[field].exempted.some((wide) => patternCovers(wide, pattern)));
  const list = listOf(
    exempted.filter((pattern) => !isOutside(pattern)),
    [],
  );
  return eachField((one) => (one === field ? list : EVERYTHING));
}

const EVERYTHING = listOf(["*"], []);

/** Adds a scope to the first one that can have its patterns too. */
function addScope(
  scopes: readonly CompiledScope[],
  added: CompiledScope,
): readonly CompiledScope[] {
  for (const [index, scope] of scopes.entries()) {
    const both = eachField((field) => commonList(scope[field], added[field], field));
    if (isOneScope(both)) return scopes.with(index, both);
  }
  return [...scopes, added];
}

function isOneScope(
  lists: Readonly<Record<Field, PatternList | undefined>>,
): lists is CompiledScope {
  return FIELDS.every((field) => lists[field] !== undefined);
}

/** The list of the values that match two lists; undefined if it is neither of both with more exemptions. */
export function commonList(
  one: PatternList,
  other: PatternList,
  field: Field,
): PatternList | undefined {
  const [first, second] = [listOf(one.included, []), listOf(other.included, [])];
  const included = covers(first, second, field) ? second : first;
  if (!covers(second, included, field)) return undefined;
  const exempted = [...new Set([...one.exempted, ...other.exempted])].sort();
  const takesAway = (pattern: string) => !covers(listOf(["*"], [pattern]), included, field);
  return listOf(included.included, exempted.filter(takesAway));
}

function covers(wide: PatternList, narrow: PatternList, field: Field): boolean {
  return listCovers(wide, narrow, field === "labels");
}
