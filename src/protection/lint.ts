import { compareProtection } from "./compare";
import { listCovers } from "./pattern";
import { findLabels, findValue } from "./field-search";
import { compileScope, FIELDS, type CompiledScope, type Field, type Policy } from "./policy";
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
  readonly scope: CompiledScope;
  /** Equal checks have equal texts. */
  readonly checks: string;
}

/** Finds policies without effect. Those that are disabled or not wholly known are left out. */
export function lintPolicies(policies: readonly Policy[]): readonly Finding[] {
  const known = policies.flatMap((policy, index): readonly Known[] => {
    if (policy.disabled || policy.unknown) return [];
    const checks = JSON.stringify(Object.entries(policy.checks).sort());
    return [{ policy, index, scope: compileScope(policy.scope), checks }];
  });
  const all = known.map(({ policy }) => policy);
  const isWhole = policies.every(({ unknown }) => unknown === undefined);
  const deciding = decidingPolicies(all);
  return known.flatMap(({ policy, index }, at): readonly Finding[] => {
    const same = sameBesideCase(policy).map((field): Finding => ({ index, kind: "case", field }));
    const empty = emptyFields(policy).map((found): Finding => ({ index, kind: "empty", ...found }));
    if (empty.length > 0) return [...empty, ...same];
    if (!deciding.has(at)) {
      return [{ index, kind: "hidden", ...hiddenBy(policy, known.slice(0, at)) }, ...same];
    }
    const isRedundant = isWhole && isRepeated(known, at) && changesNothing(all, at);
    return isRedundant ? [{ index, kind: "redundant" }, ...same] : same;
  });
}

function changesNothing(policies: readonly Policy[], without: number): boolean {
  const others = policies.filter((_, at) => at !== without);
  return compareProtection(policies, others).length === 0;
}

function emptyFields({ scope }: Policy): readonly { field: Field; exempts: boolean }[] {
  const compiled = compileScope(scope);
  return FIELDS.flatMap((field) => {
    const patterns = scope[field] ?? ["*"];
    const exempts = patterns.some((pattern) => pattern !== "" && !pattern.startsWith("-"));
    const list = compiled[field];
    const wanted = { inside: [list], outside: [] };
    const hasNone =
      list.isNothing ||
      ValueSearch.within(
        (budget) =>
          (field === "labels" ? findLabels(wanted, budget) : findValue(wanted, budget)) ===
          undefined,
      ) === true;
    return hasNone ? [{ field, exempts }] : [];
  });
}

/** The policies in front that decide in its place, and the checks that none of them has. */
function hiddenBy(policy: Policy, front: readonly Known[]) {
  const marked = front.map((one) => ({ ...one.policy, checks: { decides: true } }));
  const first = { ...policy, checks: {} };
  const regions = compareProtection(marked, [first, ...marked]);
  const positions = new Set(regions.flatMap(({ before }) => before.position ?? []));
  const by = front.filter((_, at) => positions.has(at + 1));
  const lost = Object.keys(policy.checks).filter(
    (id) => !by.some((one) => Object.hasOwn(one.policy.checks, id)),
  );
  return { by: by.map(({ index }) => index), lost };
}

/** True where a later policy that covers the scope of this one has the same checks. */
function isRepeated(policies: readonly Known[], at: number): boolean {
  const policy = policies[at];
  if (!policy) return false;
  return policies.some(
    ({ checks, scope }, index) =>
      index > at &&
      checks === policy.checks &&
      FIELDS.every((field) => listCovers(scope[field], policy.scope[field], field === "labels")),
  );
}

function sameBesideCase({ scope }: Policy): readonly Field[] {
  return FIELDS.filter((field) => {
    const patterns = new Set(scope[field] ?? []);
    return new Set([...patterns].map((pattern) => pattern.toLowerCase())).size < patterns.size;
  });
}
