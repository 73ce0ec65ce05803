import { listCovers, listOf, patternCovers, type PatternList } from "./pattern";
import { FIELDS, type CompiledScope, type Field } from "./policy";
import { eachField } from "./search-scope";

/** The workloads that are in each of `all` and in none of `none`. */
interface Where {
  readonly all: readonly CompiledScope[];
  readonly none: readonly CompiledScope[];
}

/**
 * Describes the same workloads with fewer scopes: `prod-*`, except `prod-*, -prod-pay`, is `prod-pay`.
 * If all workloads of `all` match what a scope of `none` includes, those outside of it are those that
 * it exempts.
 */
export function positiveForm({ all, none }: Where): Where {
  const left: CompiledScope[] = [];
  const inside = none.reduce((scopes, scope) => {
    const exempted = exemptedOf(scope, scopes);
    if (!exempted) left.push(scope);
    return exempted ? [...scopes, exempted] : scopes;
  }, all);
  return { all: inside.reduce(addScope, []), none: left };
}

/** The scope of what another one exempts. Undefined if that takes several, or it is not all that is outside. */
function exemptedOf(
  scope: CompiledScope,
  all: readonly CompiledScope[],
): CompiledScope | undefined {
  const [field, ...others] = FIELDS.filter((one) => scope[one].exempted.length > 0);
  if (!field || others.length > 0) return undefined;
  const { included, exempted } = scope[field];
  const isMatched = (one: Field) => {
    const list = one === field ? listOf(included, []) : scope[one];
    return list.isEverything || all.some((each) => covers(list, each[one], one));
  };
  if (!FIELDS.every(isMatched)) return undefined;
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
