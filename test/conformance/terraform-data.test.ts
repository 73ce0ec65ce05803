import { describeWithTerraform } from "../support/terraform";
import { conforms } from "./support/conform";
import { stackOf } from "./support/stacks";

const data = (blocks: object) => stackOf({ terraform_data: blocks });
/** Objects with an input and a trigger, and outputs of a type that depends on theirs. */
const nulls = (input: string, trigger: string) =>
  stackOf(
    { terraform_data: { a: { input, triggers_replace: input }, b: { triggers_replace: trigger } } },
    {
      output: {
        a: { value: ["${terraform_data.a.output}"] },
        b: { value: ["${terraform_data.b.triggers_replace}"] },
      },
    },
  );
const variables = {
  variable: { secret: { type: "string", default: "s3cret", sensitive: true } },
};

describeWithTerraform("both engines treat terraform_data alike", () => {
  conforms("values of all types", [
    {
      does: "stores them with their types",
      stack: stackOf(
        {
          terraform_data: {
            none: {},
            text: { input: "é <a&b>" },
            number: { input: 1.5 },
            flag: { input: true },
            tuple: { input: ["a", 1, null, { b: [true] }] },
            list: { input: '${tolist(["b", "a"])}' },
            set: { input: '${toset(["b", "a"])}' },
            map: { input: "${tomap({ b = 1, a = 2 })}" },
            object: { input: { list: '${tolist(["x"])}', empty: {}, none: [] } },
            reference: { input: ["${terraform_data.none.id}", "${terraform_data.list.output[0]}"] },
            whole: { input: "${terraform_data.object}" },
          },
        },
        {
          output: {
            set: { value: "${terraform_data.set.output}" },
            length: { value: "${length(terraform_data.tuple.output)}" },
            member: { value: "${terraform_data.object.output.list}" },
            type: { value: "${terraform_data.map.output == tomap({ a = 2, b = 1 })}" },
          },
        },
      ),
      plans: [
        ...[
          "flag",
          "list",
          "map",
          "none",
          "number",
          "object",
          "reference",
          "set",
          "text",
          "tuple",
          "whole",
        ].map((name) => `terraform_data.${name} create`),
        "output.length create",
        "output.member create",
        "output.set create",
        "output.type create",
      ],
    },
    {
      does: "updates where a value or its type changes",
      stack: data({
        none: { input: "set" },
        text: {},
        number: { input: "1.5" },
        flag: { input: true },
        tuple: { input: ["a", 1, null, { b: [true] }] },
        list: { input: ["b", "a"] },
        set: { input: '${tolist(["a", "b"])}' },
        map: { input: { b: 1, a: 2 } },
        object: { input: { list: '${tolist(["x"])}', empty: {}, none: [] } },
        reference: { input: ["${terraform_data.none.id}", "${terraform_data.list.output[0]}"] },
        whole: { input: "${terraform_data.object.output}" },
      }),
      plans: [
        "terraform_data.list update",
        "terraform_data.map update",
        "terraform_data.none update",
        "terraform_data.number update",
        "terraform_data.reference update",
        "terraform_data.set update",
        "terraform_data.text update",
        "terraform_data.whole update",
        "output.length delete",
        "output.member delete",
        "output.set delete",
        "output.type delete",
      ],
    },
  ]);

  conforms("a trigger", [
    {
      does: "is stored",
      stack: data({
        a: { input: "x", triggers_replace: ["1", { b: 2 }] },
        b: { input: "${terraform_data.a.output}", triggers_replace: "${terraform_data.a.id}" },
        c: { lifecycle: { replace_triggered_by: ["terraform_data.b"] } },
      }),
      plans: ["terraform_data.a create", "terraform_data.b create", "terraform_data.c create"],
    },
    {
      does: "replaces the object when it changes",
      stack: data({
        a: { input: "x", triggers_replace: ["1", { b: 3 }] },
        b: { input: "${terraform_data.a.output}", triggers_replace: "${terraform_data.a.id}" },
        c: { lifecycle: { replace_triggered_by: ["terraform_data.b"] } },
      }),
      plans: [
        "terraform_data.a delete create",
        "terraform_data.b delete create",
        "terraform_data.c delete create",
      ],
    },
    {
      does: "is removed, and ignored",
      stack: data({
        a: { input: "y", lifecycle: { ignore_changes: ["input"] } },
        b: { input: ["z"], lifecycle: { ignore_changes: ["triggers_replace"] } },
        c: {},
      }),
      plans: ["terraform_data.a delete create", "terraform_data.b update"],
    },
  ]);

  conforms("the type of a null", [
    {
      does: "is stored",
      stack: nulls("${null}", "${tostring(null)}"),
      plans: [
        "terraform_data.a create",
        "terraform_data.b create",
        "output.a create",
        "output.b create",
      ],
    },
    {
      does: "is changed: the value of a trigger is not, so its object is updated",
      stack: nulls("${tostring(null)}", "${tolist([])[*].a}"),
      plans: [
        "terraform_data.a update",
        "terraform_data.b delete create",
        "output.a update",
        "output.b update",
      ],
    },
    {
      does: "is changed without a value before and after",
      stack: nulls("${tonumber(null)}", "${null}"),
      plans: [
        "terraform_data.a update",
        "terraform_data.b delete create",
        "output.a update",
        "output.b update",
      ],
    },
    {
      does: "is that of a value before",
      stack: nulls("${5}", "${toset([])}"),
      plans: [
        "terraform_data.a delete create",
        "terraform_data.b delete create",
        "output.a update",
        "output.b update",
      ],
    },
    {
      does: "is that of a value after",
      stack: nulls("${tonumber(null)}", "${[]}"),
      plans: [
        "terraform_data.a delete create",
        "terraform_data.b delete create",
        "output.a update",
        "output.b update",
      ],
    },
    {
      does: "is ignored",
      stack: data({
        a: { input: "${tobool(null)}", lifecycle: { ignore_changes: ["input"] } },
        b: { triggers_replace: "${tobool(null)}", lifecycle: { ignore_changes: "all" } },
      }),
      plans: ["terraform_data.a update", "output.a delete", "output.b delete"],
    },
  ]);

  conforms("the expressions of cdktf's iterators", [
    {
      does: "are evaluated in blocks, in attributes and in outputs",
      stack: stackOf(
        {
          terraform_data: {
            each: { for_each: "${toset(var.teams)}", input: "${each.value}" },
            chained: { for_each: "${terraform_data.each}", input: "${each.value.output}" },
          },
          cwp_serverless_auto_deploy: {
            teams: {
              specs:
                '${[ for key, val in toset(var.teams): {"name" = val, "credential_id" = "aws"}]}',
            },
          },
        },
        {
          variable: { teams: { type: "list(string)", default: ["b", "a"] } },
          output: { keys: { value: "${[ for key, val in toset(var.teams): key]}" } },
        },
      ),
      plans: [
        "cwp_serverless_auto_deploy.teams create",
        'terraform_data.chained["a"] create',
        'terraform_data.chained["b"] create',
        'terraform_data.each["a"] create',
        'terraform_data.each["b"] create',
        "output.keys create",
      ],
    },
  ]);

  conforms("an imported object", [
    {
      does: "has its ID alone, and is updated",
      stack: stackOf(
        { terraform_data: { a: { input: ["x"] }, b: {} } },
        {
          import: [
            { to: "terraform_data.a", id: "one" },
            { to: "terraform_data.b", id: "two" },
          ],
        },
      ),
      plans: ["terraform_data.a import update", "terraform_data.b import"],
    },
  ]);

  conforms("instances, conditions and secrets", [
    {
      does: "are planned",
      stack: stackOf(
        {
          terraform_data: {
            a: { count: 2, input: { index: "${count.index}", hidden: "${var.secret}" } },
            b: {
              for_each: { k: "${terraform_data.a[0].id}", l: "m" },
              input: "${each.value}",
              lifecycle: {
                postcondition: [
                  { condition: '${self.output != "never"}', error_message: "Not this." },
                ],
              },
            },
            c: { input: "${sensitive([1, 2])}" },
          },
        },
        {
          ...variables,
          output: {
            hidden: { value: "${terraform_data.a[*].output}", sensitive: true },
            index: { value: "${terraform_data.a[1].output.index}" },
          },
        },
      ),
      plans: [
        "terraform_data.a[0] create",
        "terraform_data.a[1] create",
        'terraform_data.b["k"] create',
        'terraform_data.b["l"] create',
        "terraform_data.c create",
        "output.hidden create",
        "output.index create",
      ],
    },
    {
      does: "change",
      stack: stackOf(
        {
          terraform_data: {
            a: { count: 1, input: { index: "${count.index}", hidden: "plain" } },
            b: { for_each: { l: "n" }, input: "${each.value}" },
            c: { input: [1, 2] },
          },
        },
        variables,
      ),
      plans: [
        "terraform_data.a[0] update",
        "terraform_data.a[1] delete",
        'terraform_data.b["k"] delete',
        'terraform_data.b["l"] update',
        "terraform_data.c update",
        "output.hidden delete",
        "output.index delete",
      ],
    },
  ]);
});
