import { candidates, deciderOf, placesOf, type Decider, type Region } from "./compare";
import { decisionsOf } from "./decisions";
import { remainder } from "./remainder";
import {
  compileScope,
  effectOf,
  FIELDS,
  isPlaceholder,
  matchesField,
  MEMBER_OF,
  scopesOf,
  withScopes,
  type CheckEffect,
  type Field,
  type Policy,
  type Scope,
  type Workload,
} from "./policy";

/** The known values of a workload; null if it has none. A member that is left out may have any value. */
export type WorkloadQuery = Partial<Workload>;

/** A decision that is possible for some values of the members that the query leaves out. */
export interface Case extends Decider {
  readonly checks: Readonly<Record<string, CheckEffect>>;
  /** The values of the members that are left out for which this policy decides. */
  readonly where: Region["where"];
  readonly certainty: Region["certainty"];
}

/** A policy in front of the one that decides. */
export interface Passed extends Decider {
  /** The fields that do not match; empty for a policy that is disabled or includes nothing. */
  readonly fields: readonly Field[];
  readonly disabled: boolean;
}

export interface Explanation {
  /** Several if the decision depends on members that are left out; ordered by position. */
  readonly cases: readonly [Case, ...Case[]];
  /** Policies in front of the last one that decides, which match none of the workloads. */
  readonly passed: readonly Passed[];
}

export const NO_VALUES: Workload = {
  image: null,
  container: null,
  namespace: null,
  host: null,
  account_id: null,
  labels: [],
};

/** Returns a scope that looks at some fields only. */
export function limitedTo(scope: Scope, fields: readonly Field[]): Scope {
  return Object.fromEntries(
    fields.filter((field) => scope[field]).map((field) => [field, scope[field]]),
  );
}

/**
 * Explains which policy decides for the workloads of a query, and why those in front of it do not.
 *
 * @param within Scopes that the workloads are in, by members that the query leaves out.
 */
export function explainDecision(
  policies: readonly Policy[],
  query: WorkloadQuery,
  within: readonly Scope[] = [],
): Explanation {
  const known = FIELDS.filter((field) => query[MEMBER_OF[field]] !== undefined);
  const others = FIELDS.filter((field) => !known.includes(field));
  const workload: Workload = { ...NO_VALUES, ...query };
  const missedBy = (scope: Scope) => {
    const compiled = compileScope(scope);
    const meets = (one: Scope) => remainder({ all: [one, scope], none: [] }, []).length > 0;
    return FIELDS.filter((field) =>
      known.includes(field)
        ? !matchesField(compiled, field, workload)
        : within.some((one) => one[field] && !meets(one)),
    );
  };
  const judged = policies.map((policy) => {
    const scopes = scopesOf(policy).map((scope) => ({ scope, missed: missedBy(scope) }));
    const [first, ...more] = scopes.filter(({ missed }) => missed.length === 0);
    // The known fields are matched above, so the comparison needs only the others.
    const limited = (one: (typeof scopes)[number]) => limitedTo(one.scope, others);
    const open: Policy = {
      ...(first ? withScopes(policy, [limited(first), ...more.map(limited)]) : policy),
      disabled: policy.disabled || first === undefined,
      checks: { decides: true },
    };
    const fields = scopes.flatMap(({ missed }) => missed);
    return { open, missed: first ? [] : FIELDS.filter((field) => fields.includes(field)) };
  });
  const open = judged.map((one) => one.open);
  const end: Policy = { name: "", disabled: false, scope: {}, checks: { decides: true } };
  const [asked = {}, ...more] = within;
  const sides = decisionsOf([...open, end], [{ ...end, scope: asked, checks: {} }]);
  const found = [...candidates(sides)]
    .filter(([, { policy }]) => policy !== null)
    .flatMap(([decision, is]) =>
      placesOf(decision, is, sides).flatMap((place) => {
        if (more.length === 0) return [{ decision, ...place }];
        const { all, none } = place.where;
        const parts = remainder({ all: [...all, ...more], none }, []);
        return parts.map((part) => ({ decision, ...place, ...part }));
      }),
    );
  const [first, ...rest] = found.map(({ decision, where, certainty }): Case => {
    const policy = policies[decision.index] ?? null;
    const checks = Object.keys(policy?.checks ?? {});
    return {
      ...(policy ? deciderOf(decision) : { policy: null, position: null }),
      checks: Object.fromEntries(checks.map((id) => [id, effectOf(policy, id)])),
      where,
      certainty,
    };
  });
  if (!first) throw new Error("no policy decides, and neither does their end");
  const indexes = found.map(({ decision }) => decision.index);
  const front = policies.findIndex(isPlaceholder);
  const passed = policies.slice(0, Math.max(...indexes)).flatMap((policy, index): Passed[] => {
    if (indexes.includes(index) || isPlaceholder(policy)) return [];
    const { name, disabled } = policy;
    const position = front >= 0 && index > front ? null : index + 1;
    return [{ policy: name, position, disabled, fields: judged[index]?.missed ?? [] }];
  });
  return { cases: [first, ...rest], passed };
}

/**
 * Completes an image name without a registry as the console does: with Docker Hub's and, without an
 * owner, with `library/`.
 */
export function completeImage(name: string): string {
  const [first = "", ...rest] = name.split("/");
  const hasRegistry = rest.length > 0 && (/[.:]/.test(first) || first === "localhost");
  if (name === "" || hasRegistry) return name;
  return rest.length === 0 ? `docker.io/library/${name}` : `docker.io/${name}`;
}
