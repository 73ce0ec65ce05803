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
} from "../../src/core/schema/attribute";
import { readPlanJson } from "../../src/formats/json/read-plan";
import type { StackPlan } from "../../src/core/documents/stack-plan";

/** The parts of Terraform's JSON of a plan that the fixtures have. */
export interface TerraformPlan {
  readonly resource_changes?: readonly object[];
  readonly resource_drift?: readonly object[];
  readonly relevant_attributes?: readonly unknown[];
  readonly output_changes?: Readonly<Record<string, unknown>>;
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

/** Reads a part of Terraform's JSON, which does not say how the plan was made. */
export function toStackPlan(plan: TerraformPlan, mode: StackPlan["mode"] = "normal"): StackPlan {
  const whole = JSON.stringify({ format_version: "1.2", planned_values: {}, ...plan });
  const { plans, diagnostics } = readPlanJson(whole, "demo", "plan", {
    schemaOf: ({ type }) => SCHEMAS[type],
  });
  const [read] = plans;
  if (!read) throw new Error(JSON.stringify(diagnostics));
  return { ...read, mode };
}
