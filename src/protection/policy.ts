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

/** The patterns of a policy's fields; a field that is left out is `["*"]`. */
export type Scope = Readonly<Partial<Record<Field, readonly string[]>>>;

export interface Policy {
  readonly name: string;
  readonly disabled: boolean;
  readonly scope: Scope;
  /** By check ID: true blocks, false alerts. A check that is not in it is not checked. */
  readonly checks: Readonly<Record<string, boolean>>;
  /**
   * The scope or the checks hold values that are not known yet. Its matches are within
   * those of the known fields.
   */
  readonly unknown?: "scope" | "checks" | "both";
  /**
   * Names what the policy is unknown for, if that is not known after apply either: `unmanaged
   * policies`. Policies with one name decide alike for each workload, before and after. With an
   * unknown scope and unknown checks it represents any number of policies.
   */
  readonly missing?: string;
}

/** Any number of policies, of which nothing is known. */
export function unknownPolicies(missing: string): Policy {
  return { name: missing, disabled: false, scope: {}, checks: {}, unknown: "both", missing };
}

/** True for a policy that represents any number of them. */
export function isPlaceholder({ unknown, missing }: Policy): boolean {
  return unknown === "both" && missing !== undefined;
}

/** The values of one workload that policies look at; null where it has none. */
export interface Workload {
  readonly image: string | null;
  readonly container: string | null;
  readonly namespace: string | null;
  readonly host: string | null;
  readonly account_id: string | null;
  readonly labels: readonly string[];
}

/** The member of a workload that a field's patterns are matched with; labels are a list. */
export const MEMBER_OF = {
  images: "image",
  containers: "container",
  namespaces: "namespace",
  hosts: "host",
  account_ids: "account_id",
} as const satisfies Record<Exclude<Field, "labels">, keyof Workload>;

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

/** Regions of one comparison share their scopes. */
const written = new WeakMap<CompiledScope, Scope>();

/** A scope as policies write it. */
export function writtenScope(scope: CompiledScope): Scope {
  const known = written.get(scope);
  if (known) return known;
  const narrow = FIELDS.filter((field) => !scope[field].isEverything);
  const made = Object.fromEntries(narrow.map((field) => [field, writtenList(scope[field])]));
  written.set(scope, made);
  return made;
}

/** Fields are combined by AND. */
export function matchesScope(scope: CompiledScope, workload: Workload): boolean {
  return FIELDS.every((field) => matchesField(scope, field, workload));
}

export function matchesField(scope: CompiledScope, field: Field, workload: Workload): boolean {
  return field === "labels"
    ? matchesLabels(scope.labels, workload.labels)
    : matchesValue(scope[field], workload[MEMBER_OF[field]]);
}

/** The effect of a check on a workload that a policy decides for; null: it is not checked. */
export type CheckEffect = "blocks" | "alerts" | null;

const RANK = { blocks: 2, alerts: 1, none: 0 } as const;

/** Orders effects: not checked, alerts, blocks. */
export function rankOf(effect: CheckEffect): number {
  return RANK[effect ?? "none"];
}

export function effectOf(policy: Policy | null, check: string): CheckEffect {
  const block = policy && Object.hasOwn(policy.checks, check) ? policy.checks[check] : undefined;
  return block === undefined ? null : block ? "blocks" : "alerts";
}

/** The position, from 0, of the policy that decides for a workload; -1 where none matches. */
export function decide(policies: readonly Policy[], workload: Workload): number {
  return policies.findIndex(
    ({ disabled, scope }) => !disabled && matchesScope(compileScope(scope), workload),
  );
}
