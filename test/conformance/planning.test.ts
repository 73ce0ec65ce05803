import { describeWithTerraform } from "../support/terraform";
import type { StackJson } from "../cli/stack-files";
import { conforms } from "./support/conform";
import { stackOf } from "./support/stacks";

const A = "null_resource.a";
const B = "null_resource.b";
const replaced = (address: string) => `${address} delete create`;

/** Two repeated resources and the outputs over them. */
const repeated = (count: number, v: string) =>
  stackOf(
    {
      null_resource: {
        a: { count, triggers: { v } },
        b: { for_each: { x: v, y: v }, triggers: { v: "${each.value}" } },
      },
    },
    {
      locals: { last: '${try(null_resource.a[2].id, "none")}' },
      output: {
        zero: { value: "${null_resource.a[0].id}" },
        last: { value: "${local.last}" },
        whole: { value: "${null_resource.a}" },
        length: { value: "${length(null_resource.a)}" },
        keys: { value: "${keys(null_resource.b)}" },
      },
    },
  );

const created = (indexes: readonly number[], ...outputs: string[]) => [
  ...indexes.map((index) => `${A}[${index}] create`),
  ...["x", "y"].map((key) => `${B}["${key}"] create`),
  ...outputs.map((name) => `output.${name} create`),
];

describeWithTerraform("both engines evaluate references to targeted instances alike", () => {
  conforms("where other instances exist", [
    {
      does: "creates all",
      stack: repeated(3, "1"),
      plans: created([0, 1, 2], "keys", "last", "length", "whole", "zero"),
    },
    {
      does: "keeps the values of instances that are not targeted",
      stack: repeated(3, "2"),
      request: { targets: [`${A}[2]`] },
      plans: [replaced(`${A}[2]`), "output.last update", "output.whole update"],
    },
    {
      does: "keeps an instance that would be destroyed",
      stack: repeated(1, "1"),
      request: { targets: [`${A}[1]`] },
      plans: [`${A}[1] delete`, "output.whole update"],
    },
    {
      does: "destroys one instance",
      stack: repeated(3, "2"),
      request: { mode: "destroy", targets: [`${B}["x"]`] },
      plans: [`${B}["x"] delete`],
    },
    {
      does: "completes the rest",
      plans: [
        replaced(`${A}[0]`),
        `${A}[1] create`,
        `${B}["x"] create`,
        replaced(`${B}["y"]`),
        ...["whole", "zero"].map((name) => `output.${name} update`),
      ],
    },
  ]);

  conforms("where no other instance exists", [
    {
      does: "leaves elements before the targeted one unknown",
      stack: repeated(3, "1"),
      request: { targets: [`${A}[2]`] },
      plans: [
        `${A}[2] create`,
        ...["last", "length", "whole", "zero"].map((name) => `output.${name} create`),
      ],
    },
    {
      does: "creates the rest",
      plans: [
        ...created([0, 1], "keys"),
        ...["whole", "zero"].map((name) => `output.${name} update`),
      ],
    },
  ]);
});

const triggered = (a: object | undefined, by: string, more: object = {}) =>
  stackOf({
    null_resource: { ...(a && { a }), b: { ...more, lifecycle: { replace_triggered_by: [by] } } },
  });

describeWithTerraform("both engines replace by triggers alike", () => {
  const v = (x: string, y = "1") => ({ triggers: { x, y } });
  conforms(
    "an attribute of a resource that is new, replaced and changed elsewhere",
    [
      { does: "creates", stack: stackOf({ null_resource: { b: {} } }), plans: [`${B} create`] },
      {
        does: "does not replace for a new object",
        stack: triggered(v("1"), `${A}.triggers["x"]`),
        plans: [`${A} create`],
      },
      {
        does: "does not replace for another attribute",
        stack: triggered(v("1", "2"), `${A}.triggers["x"]`),
        plans: [replaced(A)],
      },
      {
        does: "replaces for that attribute",
        stack: triggered(v("2", "2"), `${A}.triggers["x"]`),
        plans: [replaced(A), replaced(B)],
      },
      {
        does: "ignores a map's key as an attribute",
        stack: triggered(v("3", "2"), `${A}.triggers.x`),
        plans: [replaced(A)],
      },
    ],
    { opentofu: "replaces for an object that is created" },
  );

  const counted = (count: number, x: string, by: string) =>
    triggered({ count, triggers: { x: `\${count.index == 0 ? "${x}" : "-"}` } }, by, { count: 2 });
  conforms("count.index", [
    {
      does: "creates",
      stack: counted(2, "1", `${A}[count.index]`),
      plans: [`${A}[0] create`, `${A}[1] create`, `${B}[0] create`, `${B}[1] create`],
    },
    {
      does: "replaces the instance of the same index",
      stack: counted(2, "2", `${A}[count.index].id`),
      plans: [replaced(`${A}[0]`), replaced(`${B}[0]`)],
    },
    {
      does: "does not replace for a deletion",
      stack: counted(1, "2", `${A}[count.index]`),
      plans: [`${A}[1] delete`],
    },
    {
      does: "refuses an instance that does not exist",
      errors: [`no change found for ${A}[1] in the root module`],
    },
  ]);

  const each = (members: object, by: string) =>
    triggered({ for_each: members, triggers: { v: "${each.value}" } }, by, {
      for_each: { k: "1", l: "2" },
    });
  conforms("each.key", [
    {
      does: "creates",
      stack: each({ k: "1", l: "1" }, `${A}[each.key]`),
      plans: [`${A}["k"] create`, `${A}["l"] create`, `${B}["k"] create`, `${B}["l"] create`],
    },
    {
      does: "replaces the instance of the same key",
      stack: each({ k: "1", l: "2" }, `${A}[each.key].triggers`),
      plans: [replaced(`${A}["l"]`), replaced(`${B}["l"]`)],
    },
    {
      does: "refuses each.value",
      stack: each({ k: "1", l: "2" }, `${A}[each.value]`),
      errors: ["Invalid each reference in replace_triggered_by expression"],
    },
  ]);

  const both = (t: string, b: string, more: object = {}) =>
    stackOf({
      null_resource: {
        a: { triggers: { t } },
        b: { triggers: { b }, lifecycle: { replace_triggered_by: [A], ...more } },
        c: { triggers: { t } },
      },
    });
  conforms("with further reasons", [
    {
      does: "creates",
      stack: both("1", "1"),
      plans: [`${A} create`, `${B} create`, "null_resource.c create"],
    },
    {
      does: "prefers the trigger to the attribute, and the request to both",
      stack: both("2", "2"),
      request: { replace: ["null_resource.c"] },
      plans: [replaced(A), replaced(B), replaced("null_resource.c")],
    },
    {
      does: "prefers the trigger to the taint",
      stack: both("3", "2"),
      commands: [`taint ${B}`, "taint null_resource.c"],
      plans: [replaced(A), replaced(B), replaced("null_resource.c")],
    },
  ]);
});

const KEY = 'triggers["x"]';
const Y = 'triggers["y"]';
const ignoring = (triggers: object | undefined, ignored: unknown, sensitive = false): StackJson =>
  stackOf(
    { null_resource: { a: { triggers, lifecycle: { ignore_changes: ignored } } } },
    { variable: { v: { default: "1", sensitive } } },
  );

describeWithTerraform("both engines ignore changes alike", () => {
  conforms("of a map's key", [
    { does: "creates", stack: ignoring({ x: "1", y: "1" }, []), plans: [`${A} create`] },
    { does: "keeps a changed key", stack: ignoring({ x: "2", y: "1" }, [KEY]), plans: [] },
    { does: "keeps a removed key", stack: ignoring({ y: "1" }, [KEY]), plans: [] },
    {
      does: "keeps the last key of a removed map",
      stack: ignoring(undefined, [KEY, Y]),
      plans: [],
    },
    {
      does: "has no effect where the key is written as an attribute",
      stack: ignoring({ x: "2", y: "1" }, ["triggers.x"]),
      plans: [replaced(A)],
    },
    { does: "removes another key", stack: ignoring({ x: "3" }, [KEY]), plans: [replaced(A)] },
    {
      does: "does not add an ignored key",
      stack: ignoring({ x: "3", y: "9" }, [Y]),
      plans: [],
    },
    { does: "keeps all", stack: ignoring({ z: "1" }, "all"), plans: [] },
    {
      does: "refuses all in a list",
      stack: ignoring({ z: "1" }, ["all"]),
      errors: ["Unsupported attribute"],
    },
  ]);

  conforms("of a sensitive value", [
    { does: "creates", stack: ignoring({ x: "${var.v}" }, []), plans: [`${A} create`] },
    { does: "keeps the mark of a key", stack: ignoring({ x: "${var.v}" }, [KEY], true), plans: [] },
    {
      does: "keeps the mark of the map",
      stack: ignoring({ x: "${var.v}" }, ["triggers"], true),
      plans: [],
    },
    { does: "marks it", stack: ignoring({ x: "${var.v}" }, [], true), plans: [`${A} update`] },
    { does: "keeps the mark of all", stack: ignoring({ x: "${var.v}" }, "all"), plans: [] },
  ]);
});

const KEYED = "${tomap({ k = tolist([1]), l = tolist([2]) })}";
const anyType = (input: unknown, triggers: unknown, ignored: string[], by: string[] = []) =>
  stackOf({
    terraform_data: {
      a: { input, triggers_replace: triggers, lifecycle: { ignore_changes: ignored } },
      b: { lifecycle: { replace_triggered_by: by } },
    },
  });
const IN = "terraform_data.a";

describeWithTerraform("both engines find addresses within values of any type", () => {
  conforms("that changes ignore", [
    {
      does: "creates",
      stack: anyType({ k: 1, l: [1, "${tolist([2])}"] }, ["x"], []),
      plans: [`${IN} create`, "terraform_data.b create"],
    },
    {
      does: "keeps a member, and an element of a tuple",
      stack: anyType(
        { k: "2", l: [9, 3] },
        ["y"],
        ["input.k", "input.l[1]", "triggers_replace[0]"],
      ),
      plans: [`${IN} update`],
    },
    {
      does: "does not find the key of an object, and what is not there",
      stack: anyType({ k: 3, m: 4 }, ["x"], ['input["k"].o', "input.l[0]", "input.m"]),
      plans: [`${IN} update`],
    },
    {
      does: "keeps the key of a map with its type",
      stack: anyType(KEYED, ["x"], []),
      plans: [`${IN} update`],
    },
    {
      does: "finds no changes in the kept key",
      stack: anyType("${tomap({ k = tolist([3]), l = tolist([2]) })}", ["x"], ['input["k"]']),
      plans: [],
    },
    {
      does: "keeps an element of a list",
      stack: anyType("${tomap({ k = tolist([3]), l = tolist([4]) })}", ["x"], ['input["k"][0]']),
      plans: [`${IN} update`],
    },
  ]);

  conforms("that replace another object", [
    {
      does: "creates",
      stack: anyType({ k: [1, 2] }, null, []),
      plans: [`${IN} create`, "terraform_data.b create"],
    },
    {
      does: "does not replace for another element",
      stack: anyType({ k: [1, 3] }, null, [], [`${IN}.input.k[0]`]),
      plans: [`${IN} update`],
    },
    {
      does: "replaces for the element",
      stack: anyType({ k: [1, 4] }, null, [], [`${IN}.input.k[1]`]),
      plans: [`${IN} update`, replaced("terraform_data.b")],
    },
    {
      does: "replaces for a type",
      stack: anyType({ k: "${tolist([1, 4])}" }, null, [], [`${IN}.input.k`]),
      plans: [`${IN} update`, replaced("terraform_data.b")],
    },
    {
      does: "replaces for an element that is removed",
      stack: anyType({ k: "${tolist([1])}" }, null, [], [`${IN}.input.k[1]`]),
      plans: [`${IN} update`, replaced("terraform_data.b")],
    },
    {
      does: "does not find the key of an object",
      stack: anyType({ k: 2 }, null, [], [`${IN}.input["k"]`]),
      plans: [`${IN} update`],
    },
  ]);
});

const output = (value: unknown) =>
  stackOf({ null_resource: { a: {} } }, { output: { one: { value } } });

describeWithTerraform("both engines plan null outputs alike", () => {
  conforms("an output that becomes null", [
    { does: "creates", stack: output("x"), plans: [`${A} create`, "output.one create"] },
    { does: "updates it", stack: output("${null}"), plans: ["output.one update"] },
    { does: "finds no changes", plans: [] },
    { does: "creates it again", stack: output("y"), plans: ["output.one create"] },
  ]);
});
