import type { Mutations } from "../mutations";
import { json, list, mostly, name, object } from "./json";

/*
 * The JSON of a plan, from its own description: "JSON Output Format" in Terraform's documentation,
 * format 1.2, which OpenTofu documents too.
 */

const TYPES = [
  ...["null_resource", "terraform_data", "aws_vpc"],
  ...["cwp_compliance_policy_set", "cwp_registry_scan", "cwp_license", "cwp_bootstrap"],
];
const ACTIONS = [
  ...[["no-op"], ["create"], ["read"], ["update"], ["delete"], ["forget"]],
  ...[
    ["delete", "create"],
    ["create", "delete"],
    ["create", "forget"],
  ],
];
const REASONS = [
  ...["replace_because_tainted", "replace_because_cannot_update", "replace_by_request"],
  ...[
    "delete_because_no_resource_config",
    "delete_because_each_key",
    "read_because_config_unknown",
  ],
];

export function planJson(m: Mutations): object {
  return object([
    ["format_version", mostly(m, "1.2", ["1.9", "2.0", "x", 1])],
    ["terraform_version", "1.11.4"],
    ["planned_values", values(m)],
    ["resource_changes", list(m, 4, () => change(m))],
    m.chance(0.4) && ["resource_drift", list(m, 2, () => change(m))],
    ["output_changes", object(list(m, 3, () => [name(m), changeOf(m)] as const))],
    m.chance(0.5) && ["prior_state", { format_version: "1.0", values: values(m) }],
    m.chance(0.7) && ["configuration", configuration(m)],
    m.chance(0.3) && ["variables", object(list(m, 2, () => [name(m), { value: json(m) }]))],
    m.chance(0.3) && ["relevant_attributes", [{ resource: "a.b", attribute: [name(m), 0] }]],
    m.chance(0.3) && ["checks", [{ address: { kind: "check", name: name(m) }, status: "fail" }]],
    ["timestamp", "2026-01-01T00:00:00Z"],
    m.chance(0.7) && ["applyable", m.chance(0.5)],
    m.chance(0.7) && ["complete", m.chance(0.5)],
    m.chance(0.7) && ["errored", m.chance(0.2)],
  ]);
}

function address(m: Mutations): readonly [address: string, type: string, name: string] {
  const [type, label] = [m.pick(TYPES), name(m)];
  const module = m.chance(0.1) ? 'module.m["\\n"].' : "";
  const key = m.chance(0.3) ? m.pick(["[0]", '["a"]', '["\\"]"]']) : "";
  return [`${module}${type}.${label}${key}`, type, label];
}

/** Attributes as this provider has them, or anything. */
function after(m: Mutations): unknown {
  if (m.chance(0.4)) return json(m);
  const policies = list(m, 3, () =>
    object([
      ["name", name(m)],
      ["checks", m.pick<unknown>([{ "41": true }, { x: 1 }, null])],
      m.chance(0.5) && [
        "resources",
        m.pick<unknown>([{ images: ["*"] }, null, [], { hosts: [1] }]),
      ],
      m.chance(0.3) && ["condition_json", m.pick(["{}", "{", "[]", '{"__proto__":1}'])],
      m.chance(0.3) && ["collections", list(m, 2, () => name(m))],
    ]),
  );
  return object([
    ["policies", m.chance(0.9) ? policies : json(m)],
    ["ownership", m.pick<unknown>(["exclusive", "prefix", "suffix", "shared", null, name(m)])],
    ["on_destroy", m.pick(["restore", "keep", "clear", "x"])],
  ]);
}

function changeOf(m: Mutations): object {
  return object([
    ["actions", mostly(m, m.pick(ACTIONS), [["create", "forget"], [], ["x"], null])],
    ["before", m.chance(0.4) ? null : after(m)],
    ["after", m.chance(0.2) ? null : after(m)],
    [
      "after_unknown",
      mostly(m, m.pick<unknown>([{}, {}, true, { policies: true }, { id: true }]), [json(m)]),
    ],
    ["before_sensitive", mostly(m, m.pick<unknown>([false, {}, true]), [json(m, 2)])],
    [
      "after_sensitive",
      m.chance(0.6) ? {} : m.pick<unknown>([true, { policies: [true] }, json(m)]),
    ],
    m.chance(0.2) && ["replace_paths", [[name(m), 0]]],
    m.chance(0.1) && ["importing", { id: name(m) }],
    m.chance(0.1) && ["generated_config", name(m)],
  ]);
}

function change(m: Mutations): object {
  const [full, type, label] = address(m);
  return object([
    ["address", full],
    m.chance(0.1) && ["previous_address", address(m)[0]],
    m.chance(0.1) && ["module_address", "module.m"],
    ["mode", mostly(m, m.chance(0.9) ? "managed" : "data", ["x"])],
    ["type", type],
    ["name", label],
    m.chance(0.3) && ["index", mostly(m, m.pick<unknown>([0, "a"]), [null, 1.5])],
    ["provider_name", mostly(m, "registry.terraform.io/cdktf-console/cwp", ["x", ""])],
    m.chance(0.2) && ["deposed", "abcdef12"],
    ["change", changeOf(m)],
    m.chance(0.3) && ["action_reason", m.pick(REASONS)],
  ]);
}

function values(m: Mutations): object {
  const resource = () => {
    const [full, type, label] = address(m);
    return { address: full, mode: "managed", type, name: label, values: after(m) };
  };
  return object([
    m.chance(0.5) && ["outputs", object(list(m, 2, () => [name(m), { value: json(m) }]))],
    ["root_module", { resources: list(m, 3, resource), child_modules: list(m, 1, () => ({})) }],
  ]);
}

function configuration(m: Mutations): object {
  const expression = () =>
    m.pick<unknown>([
      { constant_value: json(m) },
      { references: [`${address(m)[0]}.id`, address(m)[0]] },
      [{ name: {} }],
      null,
    ]);
  const resource = () => {
    const [full, type, label] = address(m);
    const expressions = object(list(m, 3, () => [name(m), expression()] as const));
    return { address: full, mode: "managed", type, name: label, expressions, schema_version: 0 };
  };
  const provider = () => ({ name: name(m), full_name: "registry.terraform.io/cdktf-console/cwp" });
  return {
    provider_config: object(list(m, 2, () => [name(m), provider()] as const)),
    root_module: { resources: list(m, 3, resource) },
  };
}
