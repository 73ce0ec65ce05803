import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describeWithTerraform } from "../support/terraform";
import { conforms } from "./support/conform";
import { stackOf } from "./support/stacks";

/** A stack with one output for each expression, beside a resource whose ID is unknown at first. */
const outputs = (
  values: Readonly<Record<string, string>>,
  version: string,
  more: Readonly<Record<string, object>> = {},
) =>
  stackOf(
    { null_resource: { a: { triggers: { version } }, n: { count: 2 }, ...more } },
    {
      locals: { n: "${length(local.list)}", list: ["a", "b", "c"] },
      output: Object.fromEntries(
        Object.entries(values).map(([name, value]) => [name, { value: `\${${value}}` }]),
      ),
    },
  );

const created = (values: object) => [
  "null_resource.a create",
  "null_resource.n[0] create",
  "null_resource.n[1] create",
  ...Object.keys(values)
    .sort()
    .map((name) => `output.${name} create`),
];

const FAMILIES = {
  chunks: "chunklist(local.list, 2)",
  coalesced: 'coalescelist([], ["a"])',
  columns: 'csvdecode("a,b\\n1,2")',
  concatenated: 'concat(tolist(["a"]), tolist([1]))',
  conditional: 'true ? [1, 2] : ["a"]',
  decoded: 'jsondecode("{\\"a\\":[1,null,\\"x\\"]}")',
  distinct: 'distinct(["a", "a"])',
  element: 'element([1, "a"], 1)',
  empty: "tolist([])",
  flat: 'flatten([["a"], [1]])',
  fromset: 'tolist(toset(["b", "a"]))',
  grouped: "{for x in local.list : length(x) => x...}",
  id: "[null_resource.a.id]",
  idlist: "tolist([null_resource.a.id])",
  instances: "null_resource.n",
  keys: 'keys(tomap({ a = "x" }))',
  keysof: "keys({ a = 1 })",
  lookup: 'lookup(tomap({ a = "x" }), "n", 2)',
  looped: '[for x in toset(["a"]) : x]',
  matched: 'matchkeys(local.list, ["1", "2", "1"], ["1"])',
  matches: 'regexall("[a-z]", "ab")',
  merged: 'merge(tomap({ a = "x" }), { b = 1 })',
  mergedmaps: 'merge(tomap({ a = "x" }), tomap({ b = "y" }))',
  nulls: "[null, tostring(null)]",
  one: 'one(toset(["a"]))',
  product: 'setproduct(["a"], [1, 2])',
  productset: 'setproduct(toset(["a"]), [1, 2])',
  ranged: "range(2)",
  reversed: 'reverse(toset(["a", "b"]))',
  sliced: 'slice(["a", 1, true], 1, 3)',
  splat: "null_resource.n[*].id",
  splatlist: "tolist([{ a = 1 }])[*].a",
  splatset: "toset([{ a = 1 }])[*].a",
  subtracted: 'setsubtract(["a", "b"], ["b"])',
  tomap: 'tomap({ a = 1, b = "x" })',
  transposed: 'transpose({ a = ["x", "y"] })',
  triggers: "null_resource.a.triggers",
  united: 'setunion(["a"], [1])',
  values: 'values(tomap({ a = "x" }))',
  valuesof: 'values({ a = "x", b = 1 })',
  zipped: 'zipmap(["a"], tolist(["x"]))',
  zippedtuple: 'zipmap(["a", "b"], ["x", 1])',
};

/** The same values with other types. */
const CHANGED = {
  distinct: '["a"]',
  keys: '["a"]',
  tomap: '{ a = "1", b = "x" }',
  united: 'tolist(["1", "a"])',
};

describeWithTerraform("both engines give values the same types", () => {
  conforms("of every family", [
    { does: "creates outputs", stack: outputs(FAMILIES, "1"), plans: created(FAMILIES) },
    { does: "finds no changes", plans: [] },
    {
      does: "changes types",
      stack: outputs({ ...FAMILIES, ...CHANGED }, "1"),
      plans: Object.keys(CHANGED).map((name) => `output.${name} update`),
    },
    { does: "finds no changes afterwards", plans: [] },
  ]);

  const COUNTED = {
    flat: { count: '${length(flatten([[null_resource.a.id], ["b"]]))}' },
    tuple: { count: '${length(null_resource.a.id == "x" ? ["a"] : ["b"])}' },
    bound: { count: '${length(null_resource.a.id == "x" ? tolist(["a"]) : tolist(["b"]))}' },
    sorted: { count: '${length(sort(["b", null_resource.a.id]))}' },
    hit: { count: '${contains(["a", null_resource.a.id], "a") ? 1 : 0}' },
    any: { count: '${anytrue([true, null_resource.a.id == "x"]) ? 1 : 0}' },
    prefix: { count: '${startswith("id-${null_resource.a.id}", "id-") ? 1 : 0}' },
    nonempty: { count: '${"id-${null_resource.a.id}" != "" ? 1 : 0}' },
    object: { count: "${null_resource.a == null ? 0 : 1}" },
    keys: { for_each: "${toset(keys({ k = null_resource.a.id }))}" },
    members: { for_each: "${merge({ k = null_resource.a.id }, { l = 1 })}" },
  };
  conforms("of unknown values, of which enough is known", [
    {
      does: "counts them",
      stack: outputs({}, "1", COUNTED),
      plans: [
        "null_resource.a create",
        ...["any", "bound"].map((name) => `null_resource.${name}[0] create`),
        ...[0, 1].map((index) => `null_resource.flat[${index}] create`),
        "null_resource.hit[0] create",
        'null_resource.keys["k"] create',
        ...["k", "l"].map((key) => `null_resource.members["${key}"] create`),
        ...[0, 1].map((index) => `null_resource.n[${index}] create`),
        ...["nonempty", "object", "prefix"].map((name) => `null_resource.${name}[0] create`),
        ...[0, 1].map((index) => `null_resource.sorted[${index}] create`),
        "null_resource.tuple[0] create",
      ],
    },
  ]);

  for (const [name, count] of Object.entries({
    disjunction: '${true || null_resource.a.id == "x" ? 1 : 0}',
    conjunction: '${false && null_resource.a.id == "x" ? 1 : 0}',
    sets: "${length(toset([null_resource.a.id, null_resource.n[0].id]))}",
    comparison: "${length(null_resource.a.id) >= 0 ? 1 : 0}",
  })) {
    conforms(`an unknown count: ${name}`, [
      {
        does: "is refused",
        stack: outputs({}, "1", { c: { count } }),
        errors: ["Invalid count argument"],
        ...(name.endsWith("junction") && {
          opentofu: "does not evaluate the second operand",
          newer: "does not evaluate the second operand",
        }),
      },
    ]);
  }

  const instances = { terraform_data: { c: { count: 3, input: "${count.index}" } } };
  conforms("of instances that are not targeted", [
    {
      does: "leaves attributes of any type without one",
      stack: stackOf(instances, {
        output: {
          each: { value: "${[for one in terraform_data.c : one.output]}" },
          first: { value: "${[terraform_data.c[0].output]}" },
        },
      }),
      request: { targets: ["terraform_data.c[2]"] },
      plans: ["terraform_data.c[2] create", "output.each create", "output.first create"],
    },
    {
      does: "knows them once they are applied",
      plans: [
        "terraform_data.c[0] create",
        "terraform_data.c[1] create",
        "output.each update",
        "output.first update",
      ],
    },
  ]);

  conforms("of numbers by their digits", [
    {
      does: "calculates lengths in 64 bits",
      stack: outputs(
        {
          thirds: "length(local.list) / 3",
          seventh: "1 / 7",
          short: "length([1]) / length(local.list)",
          local: "local.n / length([1, 2, 3, 4, 5, 6, 7])",
          mixed: "local.n / 7",
          index: "[for i, x in local.list : i / length(local.list)]",
          big: 'jsondecode("[9007199254740993, 1.00000000000000000001]")',
          text: 'tonumber("9007199254740993")',
          yaml: 'yamldecode("a: 9007199254740993")',
        },
        "1",
      ),
      plans: created({
        big: 1,
        index: 1,
        local: 1,
        mixed: 1,
        seventh: 1,
        short: 1,
        text: 1,
        thirds: 1,
        yaml: 1,
      }),
    },
    { does: "finds no changes", plans: [] },
  ]);

  const digits = '{"n": 9007199254740993, "l": [0.1234567890123456789012345, 1e30]}';
  conforms("of numbers in a file of variables", [
    {
      does: "keeps all digits",
      before: (world) => {
        writeFileSync(join(world.stackFolder, "terraform.tfvars.json"), digits);
        return undefined;
      },
      stack: stackOf(
        {},
        {
          variable: { n: { type: "number" }, l: { type: "any" } },
          output: {
            n: { value: "${var.n}" },
            l: { value: "${var.l}" },
            next: { value: "${var.n + 1}" },
          },
        },
      ),
      plans: ["output.l create", "output.n create", "output.next create"],
    },
    { does: "finds no changes", plans: [] },
  ]);
});
