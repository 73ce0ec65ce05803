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

/** The known values of a workload; null where it has none. A member that is left out is any. */
export type Query = Partial<Workload>;

/** One of the decisions that the members which are left out allow. */
export interface Case extends Decider {
  readonly checks: Readonly<Record<string, CheckEffect>>;
  /** The members that are left out decide this, by scopes. */
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
  /** Several where members that are left out decide; ordered by position. */
  readonly cases: readonly [Case, ...Case[]];
  /** Policies that do not match any of the workloads, in front of the last one that decides. */
  readonly passed: readonly Passed[];
}

/** The member of a workload that a field's patterns are matched with. */
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

/** Explains which policy decides for the workloads of a query, and why those in front do not. */
export function explainDecision(policies: readonly Policy[], query: Query): Explanation {
  const known = FIELDS.filter((field) => query[QUERIED[field]] !== undefined);
  const workload: Workload = { ...NO_VALUES, ...query };
  const missed = policies.map((policy) => {
    const scope = compileScope(policy.scope);
    return known.filter((field) => !matchesField(scope, field, workload));
  });
  // Known fields are decided here, so only the other fields are left to compare.
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
