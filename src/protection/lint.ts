import { decisionsOf, type Sides } from "./decisions";
import { compileScope, FIELDS, type Field, type Policy } from "./policy";
import { decidingPolicies } from "./reach";
import { ValueSearch } from "./value-search";

/** A policy, by its index from 0, that does not do what it seems to do. */
export type Finding = { readonly index: number } &
  /** A field takes in no workload. */
  (
    | { readonly kind: "empty"; readonly field: Field; readonly exempts: boolean }
    /** Policies in front of it decide for all of its scope. */
    | {
        readonly kind: "hidden";
        /** Their indexes from 0. */
        readonly by: readonly number[];
        /** Its checks that none of them has. */
        readonly lost: readonly string[];
      }
    /** Without it, the same checks apply. */
    | { readonly kind: "redundant" }
    /** Patterns of a field that are the same but for letter case. */
    | { readonly kind: "case"; readonly field: Field }
  );

/** A policy that is enabled and wholly known. */
interface Known {
  readonly policy: Policy;
  /** In the set, from 0. */
  readonly index: number;
  /** Equal checks have equal texts. */
  readonly checks: string;
}

/** The checks of the end of a collection. */
const NO_CHECKS = "[]";

/** Finds policies without effect. Those that are disabled or not wholly known are left out. */
export function lintPolicies(policies: readonly Policy[]): readonly Finding[] {
  const known = policies.flatMap((policy, index): readonly Known[] => {
    if (policy.disabled || policy.unknown) return [];
    return [{ policy, index, checks: JSON.stringify(Object.entries(policy.checks).sort()) }];
  });
  const isWhole = policies.every(({ unknown }) => unknown === undefined);
  const sides = decisionsOf(
    known.map(({ policy }) => policy),
    [],
  );
  const deciding = decidingPolicies(sides);
  return known.flatMap(({ policy, index }, at): readonly Finding[] => {
    const same = sameBesideCase(policy).map((field): Finding => ({ index, kind: "case", field }));
    const empty = emptyFields(policy).map((found): Finding => ({ index, kind: "empty", ...found }));
    if (empty.length > 0) return [...empty, ...same];
    if (!deciding.has(at))
      return [{ index, kind: "hidden", ...hiddenBy(known, at, sides) }, ...same];
    const isRedundant = isWhole && changesNothing(known, at, sides);
    return isRedundant ? [{ index, kind: "redundant" }, ...same] : same;
  });
}

/** True only if the policies behind one do the same for all that it decides. */
function changesNothing(policies: readonly Known[], at: number, { old, search }: Sides): boolean {
  const scope = old.scopes[at];
  const own = policies[at]?.checks;
  if (!scope) return false;
  const ahead = search.setOf(old.scopes.slice(0, at));
  for (const [index, other] of old.scopes.entries()) {
    if (index <= at || !search.meet(scope, other)) continue;
    if (policies[index]?.checks !== own && search.find([scope, other], ahead) !== null)
      return false;
    ahead.add(other.index);
  }
  return own === NO_CHECKS || search.find([scope], ahead) === null;
}

/** The policies in front that decide in its place, and the checks that none of them has. */
function hiddenBy(policies: readonly Known[], at: number, { old, search }: Sides) {
  const scope = old.scopes[at];
  const by = policies.slice(0, at).filter((_, index) => {
    const other = old.scopes[index];
    if (!scope || !other || !search.meet(scope, other)) return false;
    return search.find([scope, other], search.setOf(old.scopes.slice(0, index))) !== null;
  });
  const lost = Object.keys(policies[at]?.policy.checks ?? {}).filter(
    (id) => !by.some(({ policy }) => Object.hasOwn(policy.checks, id)),
  );
  return { by: by.map(({ index }) => index), lost };
}

function emptyFields({ scope }: Policy): readonly { field: Field; exempts: boolean }[] {
  const compiled = compileScope(scope);
  return FIELDS.flatMap((field) => {
    const patterns = scope[field] ?? ["*"];
    const exempts = patterns.some((pattern) => pattern !== "" && !pattern.startsWith("-"));
    const list = compiled[field];
    const wanted = { inside: [list], outside: [] };
    const hasNone = list.isNothing || !new ValueSearch().mayHave(field, wanted);
    return hasNone ? [{ field, exempts }] : [];
  });
}

function sameBesideCase({ scope }: Policy): readonly Field[] {
  return FIELDS.filter((field) => {
    const patterns = new Set(scope[field] ?? []);
    return new Set([...patterns].map((pattern) => pattern.toLowerCase())).size < patterns.size;
  });
}
