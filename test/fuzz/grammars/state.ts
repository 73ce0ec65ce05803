import type { Mutations } from "../mutations";
import { json, list, mostly, name, object } from "./json";

/*
 * Terraform's state format 4, from its own description: internal/states/statefile/version4.go of
 * Terraform 1.11, with the members that its releases since 0.12 have written.
 */

const MODES = ["managed", "data", "ephemeral"];
const TYPES = ["null_resource", "terraform_data", "cwp_compliance_policy_set", "aws_vpc", "a_b"];
const PROVIDERS = [
  'provider["registry.terraform.io/hashicorp/null"]',
  'provider["terraform.io/builtin/terraform"]',
  'provider["registry.terraform.io/cdktf-console/cwp"]',
  'provider["registry.opentofu.org/hashicorp/null"].other',
  'module.m.provider["example.com/a/b"]',
];
const STATUSES = ["", "other", 1];

export function state(m: Mutations): object {
  return object([
    ["version", mostly(m, 4, [3, 5, "4"])],
    [
      "terraform_version",
      mostly(m, m.pick(["1.11.4", "1.15.5", "0.12.0", "1.11.4-rc1"]), ["x", 1]),
    ],
    ["serial", mostly(m, m.below(9), [-1, 1.5, 2 ** 53])],
    ["lineage", m.pick(["0b4c7d0e-3b4f-4b0c-8d7e-2f8b4e9f1a2b", "", "x"])],
    ["outputs", object(list(m, 3, () => [name(m), output(m)] as const))],
    ["resources", list(m, 4, () => resource(m))],
    ["check_results", m.chance(0.5) ? null : list(m, 2, () => check(m))],
  ]);
}

function output(m: Mutations): object {
  return object([...typed(m), m.chance(0.3) && ["sensitive", m.chance(0.8)]]);
}

/** A value with its type, in the two members of an output. */
function typed(m: Mutations): readonly (readonly [string, unknown])[] {
  if (m.chance(0.03))
    return [
      ["value", json(m)],
      ["type", type(m)],
    ];
  const [value, itsType] = m.pick<readonly [unknown, unknown]>([
    [name(m), "string"],
    [m.below(9) / 2, "number"],
    [true, "bool"],
    [null, type(m)],
    [[name(m)], ["list", "string"]],
    [
      [name(m), 1],
      ["tuple", ["string", "number"]],
    ],
    [object([[name(m), "x"]]), ["map", "string"]],
    objectValue(m),
    [{ value: 1, type: "number" }, "dynamic"],
  ]);
  return [
    ["value", value],
    ["type", itsType],
  ];
}

function objectValue(m: Mutations): readonly [unknown, unknown] {
  const key = name(m);
  return [object([[key, 1]]), ["object", object([[key, "number"]])]];
}

/** The JSON form of a type: cty's documentation of `json.MarshalType`. */
function type(m: Mutations, depth = 2): unknown {
  if (depth === 0 || m.chance(0.4)) return m.pick(["string", "number", "bool", "dynamic"]);
  const inner = () => type(m, depth - 1);
  switch (m.below(3)) {
    case 0:
      return [m.pick(["list", "set", "map"]), inner()];
    case 1:
      return ["tuple", list(m, 2, inner)];
    default: {
      const members = object(list(m, 3, () => [name(m), inner()] as const));
      return m.chance(0.3) ? ["object", members, [name(m)]] : ["object", members];
    }
  }
}

function resource(m: Mutations): object {
  return object([
    m.chance(0.15) && ["module", m.pick(["module.a", 'module.a["b"]', "module.a[0].module.b"])],
    ["mode", mostly(m, m.chance(0.9) ? "managed" : "data", MODES)],
    ["type", mostly(m, m.pick(TYPES), [name(m)])],
    ["name", mostly(m, m.pick(["a", "b", "c", "constructor", "toString", "é"]), [name(m)])],
    m.chance(0.05) && ["each", mostly(m, m.pick(["list", "map"]), ["x"])],
    ["provider", mostly(m, m.pick(PROVIDERS), ["provider.null", "x"])],
    ["instances", list(m, 3, () => instance(m))],
  ]);
}

function instance(m: Mutations): object {
  return object([
    m.chance(0.4) && ["index_key", m.pick<unknown>([0, 1, "a", "constructor", "\n"])],
    m.chance(0.2) && ["status", mostly(m, "tainted", STATUSES)],
    m.chance(0.2) && ["deposed", mostly(m, m.pick(["00000000", "abcdef12"]), ["x", ""])],
    ["schema_version", mostly(m, 0, [1, 99])],
    m.chance(0.01) ? ["attributes_flat", { id: "1", "a.%": "0" }] : ["attributes", attributes(m)],
    m.chance(0.3) && ["sensitive_attributes", list(m, 2, () => path(m))],
    m.chance(0.2) && ["identity_schema_version", 0],
    m.chance(0.1) && ["identity", mostly(m, object([[name(m), "x"]]), [json(m, 2)])],
    m.chance(0.3) && ["private", mostly(m, m.pick(["bnVsbA==", "e30=", "eyJhIjoieCJ9"]), ["?", 1])],
    m.chance(0.3) && [
      "dependencies",
      list(m, 3, () => `${m.pick(TYPES)}.${m.pick(["a", "b", "c"])}`),
    ],
    m.chance(0.2) && ["create_before_destroy", m.chance(0.5)],
  ]);
}

/** Makes the attributes of a provider that nobody has here, or of the two that are included. */
function attributes(m: Mutations): object {
  if (m.chance(0.4)) return object(list(m, 5, () => [name(m), json(m)] as const));
  return m.pick([
    { id: name(m), triggers: object(list(m, 3, () => [name(m), name(m)] as const)) },
    { id: name(m), input: json(m), output: json(m), triggers_replace: null },
    { id: name(m), input: { value: [1], type: ["list", "number"] }, output: null },
  ]);
}

function path(m: Mutations): readonly object[] {
  return list(m, 3, () =>
    m.chance(0.6)
      ? { type: "get_attr", value: name(m) }
      : {
          type: "index",
          value: m.pick([
            { value: name(m), type: "string" },
            { value: 0, type: "number" },
          ]),
        },
  );
}

function check(m: Mutations): object {
  return {
    object_kind: m.pick(["resource", "output", "check", "var", "x"]),
    config_addr: `${m.pick(TYPES)}.${name(m)}`,
    status: m.pick(["pass", "fail", "error", "unknown"]),
    objects: list(m, 2, () => ({
      object_addr: `${m.pick(TYPES)}.${name(m)}`,
      status: m.pick(["pass", "fail", "error", "unknown"]),
      ...(m.chance(0.3) && { failure_messages: list(m, 2, () => name(m)) }),
    })),
  };
}
