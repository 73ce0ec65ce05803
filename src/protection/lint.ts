import { decisionsOf, type PolicyDecision, type Sides } from "./decisions";
import {
  compileScope,
  FIELDS,
  scopesOf,
  withScopes,
  type CompiledScope,
  type Field,
  type Policy,
} from "./policy";
import { decidingPolicies } from "./reach";
import { ValueSearch } from "./value-search";

/** A policy, by its index from 0, that has less effect than it seems to have. */
export type PolicyFinding = { readonly index: number } &
  /** A field matches no workload. */
  (
    | { readonly kind: "empty"; readonly field: Field; readonly exempts: boolean }
    /** Policies in front of it decide for its whole scope. */
    | {
        readonly kind: "hidden";
        /** Their indexes from 0. */
        readonly by: readonly number[];
        /** The checks of the policy that none of them has. */
        readonly lost: readonly string[];
      }
    /** Without the policy, the same checks apply. */
    | { readonly kind: "redundant" }
    /** Patterns of a field differ only by letter case. */
    | { readonly kind: "case"; readonly field: Field }
  );

/** A policy that is enabled and completely known. */
interface Known {
  readonly policy: Policy;
  /** The index among all policies, from 0. */
  readonly index: number;
  /** The checks as text, for comparisons. */
  readonly checks: string;
}

/** The checks that apply if no policy matches. */
const NO_CHECKS = "[]";

/** Finds policies without effect. Disabled policies and those with unknown parts are ignored. */
export function lintPolicies(policies: readonly Policy[]): readonly PolicyFinding[] {
  const isUnion = ({ or = [] }: Policy) => or.length > 0;
  if (!policies.some(isUnion)) return lintScopes(policies);
  // The first match decides, so the parts of a union are policies one behind the other.
  const parts = policies.flatMap((policy, index) =>
    scopesOf(policy).map((scope) => ({ index, policy: withScopes(policy, [scope]) })),
  );
  const indexOf = (part: number) => parts[part]?.index ?? part;
  const found = lintScopes(parts.map(({ policy }) => policy)).map((finding): PolicyFinding => ({
    ...finding,
    index: indexOf(finding.index),
    ...(finding.kind === "hidden" && { by: [...new Set(finding.by.map(indexOf))] }),
  }));
  return policies.flatMap((policy, index) => {
    const own = found.filter((finding) => finding.index === index);
    return isUnion(policy) ? lintUnion(policy, own, policies) : own;
  });
}

/** Joins the findings of the parts of a policy: it has no effect if none of them has. */
function lintUnion(
  policy: Policy,
  findings: readonly PolicyFinding[],
  policies: readonly Policy[],
): readonly PolicyFinding[] {
  const empty = findings.filter(({ kind }) => kind === "empty");
  const hidden = findings.filter((finding) => finding.kind === "hidden");
  const [first] = findings;
  if (!first || empty.length + hidden.length < scopesOf(policy).length) return [];
  if (hidden.length === 0) return empty.slice(0, 1);
  const { index } = first;
  const by = [...new Set(hidden.flatMap((one) => one.by))].filter((other) => other !== index);
  const isKept = (id: string) => by.some((at) => Object.hasOwn(policies[at]?.checks ?? {}, id));
  const lost = Object.keys(policy.checks).filter((id) => !isKept(id));
  return [{ index, kind: "hidden", by, lost }];
}

function lintScopes(policies: readonly Policy[]): readonly PolicyFinding[] {
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
  const decisions = new Map(sides.old.decisions.map((one) => [one.index, one]));
  return known.flatMap(({ policy, index }, at): readonly PolicyFinding[] => {
    const same = sameBesideCase(policy).map((field): PolicyFinding => ({
      index,
      kind: "case",
      field,
    }));
    const lists = sides.old.scopes[at]?.lists ?? compileScope(policy.scope);
    const empty = emptyFields(policy, lists).map((found): PolicyFinding => ({
      index,
      kind: "empty",
      ...found,
    }));
    if (empty.length > 0) return [...empty, ...same];
    const decision = deciding.has(at) ? decisions.get(at) : undefined;
    if (!decision) return [{ index, kind: "hidden", ...hiddenBy(known, at, sides) }, ...same];
    const isRedundant = isWhole && changesNothing(known, decision, sides);
    return isRedundant ? [{ index, kind: "redundant" }, ...same] : same;
  });
}

/** Returns true only if policies behind one apply the same checks to all that it decides for. */
function changesNothing(
  policies: readonly Known[],
  { index: at, scope, certainAhead }: PolicyDecision,
  { old, search }: Sides,
): boolean {
  const own = policies[at]?.checks;
  // The next policy with the same scope, or none, decides for the remaining workloads.
  const next = old.scopes.indexOf(scope, at + 1);
  let ahead = certainAhead;
  // Scopes are numbered in the order of the policies, so higher numbers are behind.
  const behind = search.meeting(scope) & (-1n << BigInt(scope.index + 1));
  for (const other of search.scopesIn(behind)) {
    const decision = old.deciding.get(other)?.[0];
    if (!decision?.policy || (next >= 0 && decision.index > next)) continue;
    const isSame = policies[decision.index]?.checks === own;
    if (!isSame && search.find([scope, other], ahead) !== null) return false;
    ahead |= other.bit;
  }
  const left = next < 0 ? NO_CHECKS : policies[next]?.checks;
  return own === left || search.find([scope], ahead) === null;
}

/** Finds the policies that decide in place of a hidden one, and its checks that none of them has. */
function hiddenBy(policies: readonly Known[], at: number, { old, search }: Sides) {
  const scope = old.scopes[at];
  const deciding = old.decisions.filter(
    (one) =>
      scope !== undefined &&
      one.index < at &&
      (search.meeting(scope) & one.scope.bit) !== 0n &&
      search.find([scope, one.scope], one.certainAhead) !== null,
  );
  const by = deciding.flatMap(({ index }) => policies[index] ?? []);
  const lost = Object.keys(policies[at]?.policy.checks ?? {}).filter(
    (id) => !by.some(({ policy }) => Object.hasOwn(policy.checks, id)),
  );
  return { by: by.map(({ index }) => index), lost };
}

function emptyFields(
  { scope }: Policy,
  lists: CompiledScope,
): readonly { field: Field; exempts: boolean }[] {
  return FIELDS.flatMap((field) => {
    const list = lists[field];
    const wanted = { inside: [list], outside: [] };
    // The search is needed only for a list with exemptions.
    const hasSome = list.exempted.length === 0 || new ValueSearch().mayHave(field, wanted);
    if (!list.isNothing && hasSome) return [];
    const exempts = scope[field]?.some((pattern) => pattern !== "" && !pattern.startsWith("-"));
    return [{ field, exempts: exempts ?? false }];
  });
}

function sameBesideCase({ scope }: Policy): readonly Field[] {
  return FIELDS.filter((field) => {
    const patterns = new Set(scope[field] ?? []);
    return new Set([...patterns].map((pattern) => pattern.toLowerCase())).size < patterns.size;
  });
}
