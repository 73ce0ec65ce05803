import { candidates, deciderOf, placesOf, type Decider, type Region } from "./compare";
import { decisionsOf } from "./decisions";
import {
  compileScope,
  effectOf,
  FIELDS,
  isPlaceholder,
  matchesField,
  type CheckEffect,
  type Field,
  type Policy,
  type Workload,
} from "./policy";

/** The known values of a workload; null if it has none. A member that is left out may have any value. */
export type Query = Partial<Workload>;

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

/** The member of a query that the patterns of a field are matched with. */
export const QUERIED = {
  images: "image",
  containers: "container",
  namespaces: "namespace",
  hosts: "host",
  labels: "labels",
  account_ids: "account_id",
} as const satisfies Record<Field, keyof Workload>;

export const NO_VALUES: Workload = {
  image: null,
  container: null,
  namespace: null,
  host: null,
  account_id: null,
  labels: [],
};

/** Explains which policy decides for the workloads of a query, and why those in front of it do not. */
export function explainDecision(policies: readonly Policy[], query: Query): Explanation {
  const known = FIELDS.filter((field) => query[QUERIED[field]] !== undefined);
  const workload: Workload = { ...NO_VALUES, ...query };
  const missed = policies.map((policy) => {
    const scope = compileScope(policy.scope);
    return known.filter((field) => !matchesField(scope, field, workload));
  });
  // The known fields are matched above, so the comparison needs only the others.
  const open = policies.map((policy, index): Policy => {
    const others = FIELDS.filter((field) => !known.includes(field));
    const scope = others.flatMap((field) => {
      const patterns = policy.scope[field];
      return patterns ? [[field, patterns] as const] : [];
    });
    return {
      ...policy,
      disabled: policy.disabled || (missed[index] ?? []).length > 0,
      scope: Object.fromEntries(scope),
      checks: { decides: true },
    };
  });
  const end: Policy = { name: "", disabled: false, scope: {}, checks: { decides: true } };
  const sides = decisionsOf([...open, end], []);
  const found = [...candidates(sides)].flatMap(([decision, none]) =>
    placesOf(decision, none, sides).map((place) => ({ decision, ...place })),
  );
  const [first, ...more] = found.map(({ decision, where, certainty }): Case => {
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
    return [{ policy: name, position, disabled, fields: missed[index] ?? [] }];
  });
  return { cases: [first, ...more], passed };
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
