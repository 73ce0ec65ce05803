import { matchesLabels, matchesValue, patternList, writtenList, type PatternList } from "./pattern";

/** The resource fields of a policy, in the order in which reviews name them. */
export const FIELDS = [
  "images",
  "containers",
  "namespaces",
  "hosts",
  "labels",
  "account_ids",
] as const;

export type Field = (typeof FIELDS)[number];

/** The patterns of a policy's fields. A field that is left out is `["*"]`. */
export type Scope = { readonly [F in Field]?: readonly string[] | undefined };

/** The workloads that are in each scope of `all` and in none of `none`. */
export interface Where {
  readonly all: readonly Scope[];
  readonly none: readonly Scope[];
}

export interface Policy {
  readonly name: string;
  readonly disabled: boolean;
  readonly scope: Scope;
  /** Further scopes: a workload of any of them is one of the policy. Collections are such a union. */
  readonly or?: readonly Scope[];
  /** By check ID: true blocks, false alerts. Other checks are not checked. */
  readonly checks: Readonly<Record<string, boolean>>;
  /**
   * Set if the scope or the checks have values that are not known yet. The policy matches at most the
   * workloads that its known fields match. `presence`: the policy may be there, or not.
   */
  readonly unknown?: "scope" | "checks" | "both" | "presence";
  /**
   * Names what is unknown if it is not known after apply either, such as `unmanaged policies`. Policies
   * with the same name here decide alike for each workload, before and after. If the scope and the
   * checks are unknown, the policy is a placeholder for any number of policies.
   */
  readonly missing?: string;
}

/** The scopes of a policy, of which any one is enough. */
export function scopesOf({ scope, or = [] }: Policy): readonly [Scope, ...Scope[]] {
  return [scope, ...or];
}

/** The policy with other scopes. */
export function withScopes(policy: Policy, [scope, ...or]: readonly [Scope, ...Scope[]]): Policy {
  return { ...policy, scope, or };
}

/** Returns true if the policy is for the workload, regardless of its being disabled. */
export function matchesPolicy(policy: Policy, workload: Workload): boolean {
  return scopesOf(policy).some((scope) => matchesScope(compileScope(scope), workload));
}

/** Makes a placeholder for any number of policies of which nothing is known. */
export function unknownPolicies(missing: string): Policy {
  return { name: missing, disabled: false, scope: {}, checks: {}, unknown: "both", missing };
}

/** Returns true for a placeholder of any number of policies. */
export function isPlaceholder({ unknown, missing }: Policy): boolean {
  return unknown === "both" && missing !== undefined;
}

/** The values of one workload that policies match; null if it has none. */
export interface Workload {
  readonly image: string | null;
  readonly container: string | null;
  readonly namespace: string | null;
  readonly host: string | null;
  readonly account_id: string | null;
  readonly labels: readonly string[];
}

/** The member of a workload that the patterns of a field are matched with. Labels are a list. */
export const MEMBER_OF = {
  images: "image",
  containers: "container",
  namespaces: "namespace",
  hosts: "host",
  labels: "labels",
  account_ids: "account_id",
} as const satisfies Record<Field, keyof Workload>;

export type CompiledScope = Readonly<Record<Field, PatternList>>;

const EVERYTHING = patternList(["*"]);

export function compileScope(scope: Scope): CompiledScope {
  const field = (name: Field) => (scope[name] ? patternList(scope[name]) : EVERYTHING);
  return {
    images: field("images"),
    containers: field("containers"),
    namespaces: field("namespaces"),
    hosts: field("hosts"),
    labels: field("labels"),
    account_ids: field("account_ids"),
  };
}

/** Regions of one comparison share their scopes, so each is written once. */
const written = new WeakMap<CompiledScope, Scope>();

/** Writes a scope in the form of a policy. */
export function writtenScope(scope: CompiledScope): Scope {
  const known = written.get(scope);
  if (known) return known;
  const narrow = FIELDS.filter((field) => !scope[field].isEverything);
  const made = Object.fromEntries(narrow.map((field) => [field, writtenList(scope[field])]));
  written.set(scope, made);
  return made;
}

/** Returns true if all fields match. */
export function matchesScope(scope: CompiledScope, workload: Workload): boolean {
  return FIELDS.every((field) => matchesField(scope, field, workload));
}

export function matchesField(scope: CompiledScope, field: Field, workload: Workload): boolean {
  return field === "labels"
    ? matchesLabels(scope.labels, workload.labels)
    : matchesValue(scope[field], workload[MEMBER_OF[field]]);
}

/** The effect of a check on a workload; null if it is not checked. */
export type CheckEffect = "blocks" | "alerts" | null;

const RANK = { blocks: 2, alerts: 1, none: 0 } as const;

/** Ranks effects: not checked, alerts, blocks. */
export function rankOf(effect: CheckEffect): number {
  return RANK[effect ?? "none"];
}

export function effectOf(policy: Policy | null, check: string): CheckEffect {
  const block = policy && Object.hasOwn(policy.checks, check) ? policy.checks[check] : undefined;
  return block === undefined ? null : block ? "blocks" : "alerts";
}
