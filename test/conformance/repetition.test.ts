import { describeWithTerraform } from "../support/terraform";
import { conforms } from "./support/conform";
import { policy, stackOf } from "./support/stacks";

const counted = (count: number | string, more: object = {}) =>
  stackOf({
    null_resource: {
      gate: { count, triggers: { number: "${count.index}" } },
      behind: { triggers: { ids: '${join(",", null_resource.gate[*].id)}' } },
    },
    ...more,
  });
const keyed = (keys: Readonly<Record<string, string>>) =>
  stackOf(
    {
      null_resource: {
        gate: { for_each: keys, triggers: { key: "${each.key}", value: "${each.value}" } },
      },
    },
    { output: { ids: { value: "${{ for key, gate in null_resource.gate : key => gate.id }}" } } },
  );
const gates = (action: string, ...keys: (number | string)[]) =>
  keys.map((key) => `null_resource.gate[${JSON.stringify(key)}] ${action}`);

describeWithTerraform("both engines repeat a resource in the same way", () => {
  conforms("count", [
    {
      does: "creates",
      stack: counted(2),
      plans: ["null_resource.behind create", ...gates("create", 0, 1)],
    },
    {
      does: "grows",
      stack: counted(12),
      plans: [
        "null_resource.behind delete create",
        ...gates("create", 2, 3, 4, 5, 6, 7, 8, 9, 10, 11),
      ],
    },
    {
      does: "shrinks",
      stack: counted(1),
      plans: [
        "null_resource.behind delete create",
        ...gates("delete", 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11),
      ],
    },
    {
      does: "becomes empty",
      stack: counted(0),
      plans: ["null_resource.behind delete create", ...gates("delete", 0)],
    },
    {
      does: "follows a value",
      stack: counted("${length(local.names)}", {
        null_resource: {
          gate: {
            count: "${length(local.names)}",
            triggers: { name: "${local.names[count.index]}" },
          },
        },
      }),
      errors: ["Reference to undeclared local value"],
    },
  ]);

  conforms("count that is added and removed", [
    {
      does: "creates an object without count",
      stack: stackOf({ null_resource: { gate: {} } }),
      plans: ["null_resource.gate create"],
    },
    {
      does: "moves it to the first instance",
      stack: stackOf({ null_resource: { gate: { count: 2 } } }),
      plans: [
        "null_resource.gate[0] moved from null_resource.gate",
        "null_resource.gate[1] create",
      ],
    },
    {
      does: "moves it back",
      stack: stackOf({ null_resource: { gate: {} } }),
      plans: [
        "null_resource.gate moved from null_resource.gate[0]",
        "null_resource.gate[1] delete",
      ],
    },
    {
      does: "replaces it by an instance with a key",
      stack: stackOf({ null_resource: { gate: { for_each: { a: "1" } } } }),
      plans: ["null_resource.gate delete", 'null_resource.gate["a"] create'],
    },
  ]);

  conforms("for_each", [
    {
      does: "creates",
      stack: keyed({ a: "1", "b/c": "2" }),
      plans: [...gates("create", "a", "b/c"), "output.ids create"],
    },
    {
      does: "grows, and updates one",
      stack: keyed({ a: "1", "b/c": "3", 'd"e': "4" }),
      plans: [...gates("delete create", "b/c"), ...gates("create", 'd"e'), "output.ids update"],
    },
    {
      does: "shrinks",
      stack: keyed({ 'd"e': "4" }),
      plans: [...gates("delete", "a", "b/c"), "output.ids update"],
    },
    {
      does: "becomes empty",
      stack: keyed({}),
      plans: [...gates("delete", 'd"e'), "output.ids update"],
    },
  ]);

  conforms("for_each that is known only after apply", [
    {
      does: "is refused",
      stack: stackOf({
        null_resource: {
          first: {},
          gate: { for_each: "${toset([null_resource.first.id])}" },
        },
      }),
      errors: ["Invalid for_each argument"],
    },
    {
      does: "is refused for count as well",
      stack: stackOf({
        null_resource: { first: {}, gate: { count: "${length(null_resource.first.id)}" } },
      }),
      errors: ["Invalid count argument"],
    },
  ]);

  conforms("policies from a variable", [
    {
      does: "creates",
      stack: stackOf(
        {
          cwp_compliance_policy_set: {
            all: {
              policies:
                '${[for name in var.names : { name = name, checks = { "41" = true, "599" = startswith(name, "S") } }]}',
            },
          },
        },
        { variable: { names: { type: "list(string)", default: ["First", "Second"] } } },
      ),
      plans: ["cwp_compliance_policy_set.all create"],
    },
    {
      does: "reorders",
      stack: stackOf({
        cwp_compliance_policy_set: {
          all: {
            policies: [
              { name: "Second", checks: { "41": true, "599": true } },
              policy("First", { checks: { "41": true, "599": false } }),
            ],
          },
        },
      }),
      plans: ["cwp_compliance_policy_set.all update"],
    },
  ]);

  conforms("computed values of for_each", [
    {
      does: "creates with a value that the apply makes known",
      stack: stackOf({
        null_resource: {
          a: {},
          b: {
            for_each: { k: "${null_resource.a.id}", l: "x" },
            triggers: { value: "${each.value}" },
          },
        },
      }),
      plans: [
        "null_resource.a create",
        'null_resource.b["k"] create',
        'null_resource.b["l"] create',
      ],
    },
  ]);

  conforms("conditions on computed values of for_each", [
    {
      does: "enforces a postcondition",
      stack: stackOf({
        terraform_data: { g: { input: "go" } },
        null_resource: {
          b: {
            for_each: { k: "${terraform_data.g.output}", l: "x" },
            triggers: { value: "${each.value}" },
            lifecycle: {
              postcondition: {
                condition: '${each.value != "go"}',
                error_message: "Not ${each.key}.",
              },
            },
          },
        },
      }),
      plans: [
        'null_resource.b["k"] create',
        'null_resource.b["l"] create',
        "terraform_data.g create",
      ],
      errors: ["error Resource postcondition failed: Not k."],
    },
  ]);

  conforms("timestamp and uuid", [
    {
      does: "gives them values in the apply",
      stack: stackOf(
        { null_resource: { a: { triggers: { t: "${length(timestamp())}" } } } },
        { output: { o: { value: "${[length(uuid()), substr(timestamp(), 0, 1)]}" } } },
      ),
      plans: ["null_resource.a create", "output.o create"],
    },
    {
      does: "gives them others in the next apply",
      plans: ["null_resource.a delete create", "output.o update"],
    },
    {
      does: "destroys",
      request: { mode: "destroy" },
      plans: ["null_resource.a delete", "output.o delete"],
    },
    { does: "leaves nothing", stack: stackOf({}), plans: [] },
  ]);
});
