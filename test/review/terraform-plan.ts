import {
  bool,
  computed,
  list,
  map,
  number,
  object,
  optional,
  required,
  set,
  string,
  type Attributes,
} from "../../src/provider/schema/attribute";
import {
  UNKNOWN,
  type AttributePath,
  type ObjectValue,
  type Value,
} from "../../src/provider/values";
import type { Action, ResourceChange, StackPlan } from "../../src/runtime/documents/stack-plan";

/** Terraform's JSON of a plan, which is converted to compare our text with Terraform's. */
export interface TerraformPlan {
  readonly resource_changes?: readonly TerraformChange[];
  readonly resource_drift?: readonly TerraformChange[];
  readonly relevant_attributes?: readonly { resource: string; attribute: (string | number)[] }[];
  readonly output_changes?: Readonly<Record<string, Change>>;
}

interface Change {
  readonly actions: readonly string[];
  readonly before: unknown;
  readonly after: unknown;
  readonly after_unknown: unknown;
  readonly before_sensitive: unknown;
  readonly after_sensitive: unknown;
  readonly replace_paths?: AttributePath[];
  readonly importing?: { id: string };
}

interface TerraformChange {
  readonly address: string;
  readonly previous_address?: string;
  readonly mode: "managed" | "data";
  readonly type: string;
  readonly name: string;
  readonly index?: string | number;
  readonly deposed?: string;
  readonly action_reason?: ResourceChange["reason"];
  readonly change: Change;
}

const plain: Attributes = {
  id: computed(string(), ""),
  name: optional(string(), ""),
  zone: optional(string(), ""),
  amount: optional(number(), ""),
  flag: optional(bool(), ""),
  hosts: optional(list(string()), ""),
  labels: optional(set(string()), ""),
  tags: optional(map(string()), ""),
  triggers: optional(map(string()), ""),
  text: optional(string(), ""),
  token: optional(string(), "", { sensitive: true }),
  key: optional(string(), "", { writeOnly: true }),
  secret_key: optional(string(), "", { writeOnly: true, sensitive: true }),
  fingerprint: computed(string(), ""),
};

const policy: Attributes = {
  name: required(string(), ""),
  disabled: optional(bool(), ""),
  note: optional(string(), ""),
  password: optional(string(), "", { writeOnly: true }),
  pin: optional(string(), "", { sensitive: true }),
  resources: optional(
    object({
      hosts: optional(set(string()), ""),
      labels: optional(set(string()), ""),
      images: optional(list(string()), ""),
    }),
    "",
  ),
  checks: optional(map(bool()), ""),
};

/** The resource types of the fixtures, as the provider that Terraform was run with declares them. */
export const SCHEMAS: Readonly<Record<string, Attributes>> = {
  demo_plain: plain,
  demo_rich: {
    id: computed(string(), ""),
    name: optional(string(), ""),
    ownership: optional(string(), ""),
    policies: optional(list(object(policy)), ""),
    settings: optional(object({ mode: optional(string(), ""), limit: optional(number(), "") }), ""),
    digest: computed(string(), ""),
    note: optional(string(), ""),
  },
  demo_data: {
    id: computed(string(), ""),
    query: optional(string(), ""),
    found: computed(list(string()), ""),
  },
  terraform_data: {
    id: computed(string(), ""),
    input: optional(string(), ""),
    output: computed(string(), ""),
    triggers_replace: optional(string(), ""),
  },
};

export function toStackPlan(plan: TerraformPlan, mode: StackPlan["mode"] = "normal"): StackPlan {
  return {
    stack: "demo",
    mode,
    complete: true,
    changes: (plan.resource_changes ?? []).map(toResourceChange),
    drift: (plan.resource_drift ?? []).map(toResourceChange),
    relevantAttributes: plan.relevant_attributes ?? [],
    outputs: Object.entries(plan.output_changes ?? {}).map(([name, change]) => ({
      name,
      action: toAction(change.actions) as "create",
      before: change.before as Value,
      after: withUnknowns(change.after, change.after_unknown),
      sensitive: change.after_sensitive === true,
    })),
    diagnostics: [],
    dependencies: [],
    endpoints: [],
  };
}

function toResourceChange({ change, ...resource }: TerraformChange): ResourceChange {
  return {
    address: resource.address,
    ...(resource.previous_address !== undefined && { previousAddress: resource.previous_address }),
    mode: resource.mode,
    type: resource.type,
    name: resource.name,
    ...(resource.index !== undefined && { key: resource.index }),
    ...(resource.deposed !== undefined && { deposed: resource.deposed }),
    ...(resource.action_reason !== undefined && { reason: resource.action_reason }),
    provider: "registry.terraform.io/test/demo",
    ...(change.importing && { importing: change.importing }),
    action: toAction(change.actions),
    before: change.before as ObjectValue | null,
    after:
      change.after === null
        ? null
        : (withUnknowns(change.after, change.after_unknown) as ObjectValue),
    beforeSensitive: markedPaths(change.before_sensitive),
    afterSensitive: markedPaths(change.after_sensitive),
    replacePaths: change.replace_paths ?? [],
    attributes: SCHEMAS[resource.type]!,
  };
}

function toAction(actions: readonly string[]): Action {
  return actions.join("-then-") as Action;
}

function withUnknowns(value: unknown, unknown: unknown): Value {
  if (unknown === true) return UNKNOWN;
  if (Array.isArray(unknown)) {
    return unknown.map((mark, index) => withUnknowns((value as unknown[])[index], mark));
  }
  if (typeof unknown === "object" && unknown !== null) {
    const marks = unknown as Record<string, unknown>;
    const members = (value ?? {}) as Record<string, unknown>;
    const keys = new Set([...Object.keys(members), ...Object.keys(marks)]);
    return Object.fromEntries(
      [...keys].map((key) => [key, withUnknowns(members[key] ?? null, marks[key])]),
    );
  }
  return (value ?? null) as Value;
}

function markedPaths(marks: unknown): AttributePath[] {
  if (marks === true) return [[]];
  if (typeof marks !== "object" || marks === null) return [];
  const step = (key: string) => (Array.isArray(marks) ? Number(key) : key);
  return Object.entries(marks).flatMap(([key, inner]) =>
    markedPaths(inner).map((path) => [step(key), ...path]),
  );
}
