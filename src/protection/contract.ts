import { compareProtection, type CheckChange, type Decider, type Region } from "./compare";
import { compileScope, effectOf, matchesScope, rankOf, type Policy, type Scope } from "./policy";

/** Checks that have to do at least this for each workload of `where` that is in none of `unless`. */
export interface Requirement {
  readonly name: string;
  readonly where: Scope;
  readonly unless: readonly Scope[];
  /** By check ID: true has to block, false has to alert or block. */
  readonly checks: Policy["checks"];
}

/** The workloads of one deciding policy for which a requirement is not proved. */
export interface Violation {
  /** `before` is what is required, `after` what the policies do. */
  readonly region: Region;
  /** The first policy behind the one that decides that would do what is required for the example. */
  readonly enough: Decider | null;
}

const WEAKER = ["weaker"] as const;

/**
 * Finds the workloads for which policies do less than a requirement. No regions: it is proved for
 * every workload. A region that is not certain is one that is not proved.
 */
export function violations(
  policies: readonly Policy[],
  requirement: Requirement,
): readonly Violation[] {
  const { checks } = requirement;
  const required = requiredPolicies(requirement);
  // Workloads that the requirement leaves out have the same policy, without checks, on both sides.
  const others = required.slice(0, -1);
  const bounded = policies.map((policy) => atMost(policy, checks));
  const found = compareProtection(required, [...others, ...bounded], WEAKER);
  return found
    .filter(({ before }) => before.position === required.length)
    .map((region) => {
      const { policy, position } = region.after;
      const decider =
        policy === null || position === null
          ? region.after
          : placed(policies, position, others.length);
      const violated = { ...region, after: decider };
      return { region: violated, enough: enoughBehind(policies, violated) };
    });
}

/** The policies that do what is required and nothing else. */
export function requiredPolicies({ name, where, unless, checks }: Requirement): readonly Policy[] {
  return [...unless.map((scope) => named("", scope, {})), named(name, where, checks)];
}

/** Finds the workloads that policies protect less than others do, such as a base line. */
export function shortfalls(
  policies: readonly Policy[],
  base: readonly Policy[],
): readonly Violation[] {
  return compareProtection(base, policies, WEAKER).map((region) => {
    return { region, enough: enoughBehind(policies, region) };
  });
}

function named(name: string, scope: Scope, checks: Policy["checks"]): Policy {
  return { name, disabled: false, scope, checks };
}

/** The policy with the required checks only, none of which does more than is required. */
function atMost(policy: Policy, required: Policy["checks"]): Policy {
  const checks = Object.entries(required).flatMap(([id, blocks]) => {
    const effect = effectOf(policy, id);
    return effect === null ? [] : [[id, effect === "blocks" && blocks] as const];
  });
  return { ...policy, checks: Object.fromEntries(checks) };
}

function placed(policies: readonly Policy[], position: number, before: number): Decider {
  const at = position - before;
  return { policy: policies[at - 1]?.name ?? null, position: at };
}

function enoughBehind(
  policies: readonly Policy[],
  { example, checks, after: { position } }: Region,
): Decider | null {
  if (!example || position === null) return null;
  const index = policies.findIndex(
    (policy, at) =>
      at >= position &&
      !policy.disabled &&
      policy.unknown === undefined &&
      isEnough(policy, checks) &&
      matchesScope(compileScope(policy.scope), example),
  );
  const policy = policies[index];
  return policy ? { policy: policy.name, position: index + 1 } : null;
}

function isEnough(policy: Policy, checks: readonly CheckChange[]): boolean {
  return checks.every(({ id, before }) => rankOf(effectOf(policy, id)) >= rankOf(before));
}
