import { compareProtection, type CheckChange, type Decider, type Region } from "./compare";
import { effectOf, matchesPolicy, rankOf, type Policy, type Scope, type Where } from "./policy";
import { remainder } from "./remainder";

/** Requires effects of checks for each workload of `where`. */
export interface Requirement {
  readonly name: string;
  readonly where: Where;
  /** By check ID: true requires a block, false an alert or a block. */
  readonly checks: Policy["checks"];
}

/** The workloads of one deciding policy for which a requirement is not proved. */
export interface Violation {
  /** `before` is the required effect, `after` that of the policies. */
  readonly region: Region;
  /** The first policy behind the deciding one that would meet the requirement for the example. */
  readonly enough: Decider | null;
}

const WEAKER = ["weaker"] as const;

/**
 * Finds the workloads for which policies do less than a requirement. Without a region, the requirement
 * is proved for every workload. A region that is not certain is not proved.
 */
export function violations(
  policies: readonly Policy[],
  requirement: Requirement,
): readonly Violation[] {
  const { name, checks, where } = requirement;
  const [scope = {}, ...more] = where.all;
  // Workloads that the requirement leaves out have the same policy, without checks, on both sides.
  const others = where.none.map((left) => named("", left, {}));
  const required = [...others, named(name, scope, checks)];
  const bounded = policies.map((policy) => atMost(policy, checks));
  const found = compareProtection(required, [...others, ...bounded], WEAKER);
  return found
    .filter(({ before }) => before.position === required.length)
    .flatMap((region) => narrowed(region, more))
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

/** Finds the workloads that policies protect less than others do, such as a base line. */
export function shortfalls(
  policies: readonly Policy[],
  base: readonly Policy[],
): readonly Violation[] {
  return compareProtection(base, policies, WEAKER).map((region) => {
    return { region, enough: enoughBehind(policies, region) };
  });
}

/** Limits a region to more scopes; empty if none of its workloads is in all of them. */
function narrowed(region: Region, scopes: readonly Scope[]): readonly Region[] {
  const { all, none } = region.where;
  if (scopes.length === 0) return [region];
  return remainder({ all: [...all, ...scopes], none }, []).map(({ where, example }) => ({
    ...region,
    where,
    example,
    certainty: example ? region.certainty : "possible",
  }));
}

function named(name: string, scope: Scope, checks: Policy["checks"]): Policy {
  return { name, disabled: false, scope, checks };
}

/** Reduces a policy to the required checks, none of which does more than is required. */
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
      matchesPolicy(policy, example),
  );
  const policy = policies[index];
  return policy ? { policy: policy.name, position: index + 1 } : null;
}

function isEnough(policy: Policy, checks: readonly CheckChange[]): boolean {
  return checks.every(({ id, before }) => rankOf(effectOf(policy, id)) >= rankOf(before));
}
