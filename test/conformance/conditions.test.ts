import { describeWithTerraform } from "../support/terraform";
import { conforms } from "./support/conform";
import { policy, stackOf } from "./support/stacks";

const rule = (condition: string, message: string) => [{ condition, error_message: message }];
const WRONG = '${null_resource.a.id == "no"}';
const RIGHT = '${null_resource.a.id != "no"}';

const policies = (lifecycle: object, more: object = {}) => ({
  cwp_compliance_policy_set: { p: { policies: [policy("First")], lifecycle, ...more } },
});
const gate = (value: string) => ({ null_resource: { a: { triggers: { v: value } } } });

describeWithTerraform("both engines enforce conditions alike", () => {
  conforms("a precondition that is unknown at plan", [
    {
      does: "is enforced before a creation",
      stack: stackOf({ ...gate("1"), ...policies({ precondition: rule(WRONG, "Not allowed.") }) }),
      plans: ["cwp_compliance_policy_set.p create", "null_resource.a create"],
      errors: ["error Resource precondition failed: Not allowed."],
    },
    {
      does: "is known in the next plan",
      errors: ["error Resource precondition failed: Not allowed."],
    },
    {
      does: "lets the creation pass",
      stack: stackOf({ ...gate("1"), ...policies({ precondition: rule(RIGHT, "Not allowed.") }) }),
      plans: ["cwp_compliance_policy_set.p create"],
    },
    {
      does: "is enforced before an update",
      stack: stackOf({
        ...gate("2"),
        ...policies(
          { precondition: rule(WRONG, "Not allowed.") },
          { policies: [policy("Second")] },
        ),
      }),
      plans: ["cwp_compliance_policy_set.p update", "null_resource.a delete create"],
      errors: ["error Resource precondition failed: Not allowed."],
    },
    {
      does: "is enforced for an object that does not change, and stops its dependents",
      stack: stackOf({
        null_resource: {
          a: { triggers: { v: "3" } },
          b: { depends_on: ["cwp_compliance_policy_set.p"] },
        },
        ...policies({ precondition: rule(WRONG, "Not allowed.") }),
      }),
      plans: ["null_resource.a delete create", "null_resource.b create"],
      errors: ["error Resource precondition failed: Not allowed."],
    },
    {
      does: "passes in a destroy",
      stack: stackOf({ ...gate("3"), ...policies({ precondition: rule(RIGHT, "Not allowed.") }) }),
      request: { mode: "destroy" },
      plans: ["cwp_compliance_policy_set.p delete", "null_resource.a delete"],
    },
    {
      does: "passes in a creation",
      plans: ["cwp_compliance_policy_set.p create", "null_resource.a create"],
    },
  ]);

  conforms("a postcondition that is unknown at plan", [
    {
      does: "is enforced after a creation",
      stack: stackOf({ ...gate("1"), ...policies({ postcondition: rule(WRONG, "Not right.") }) }),
      plans: ["cwp_compliance_policy_set.p create", "null_resource.a create"],
      errors: ["error Resource postcondition failed: Not right."],
    },
    {
      does: "is enforced for an object that does not change",
      stack: stackOf({ ...gate("2"), ...policies({ postcondition: rule(WRONG, "Not right.") }) }),
      plans: ["null_resource.a delete create"],
      errors: ["error Resource postcondition failed: Not right."],
    },
    {
      does: "passes",
      stack: stackOf({ ...gate("3"), ...policies({ postcondition: rule(RIGHT, "Not right.") }) }),
      plans: ["null_resource.a delete create"],
    },
  ]);

  const data = (lifecycle: object) => ({ data: { cwp_compliance_policies: { d: { lifecycle } } } });
  conforms("conditions of a data source that is read during the apply", [
    {
      does: "are enforced before the read",
      stack: stackOf(gate("1"), data({ precondition: rule(WRONG, "No data.") })),
      plans: ["data.cwp_compliance_policies.d read", "null_resource.a create"],
      errors: ["error Resource precondition failed: No data."],
    },
    {
      does: "are enforced after the read",
      stack: stackOf(gate("2"), data({ postcondition: rule(WRONG, "No data.") })),
      plans: ["data.cwp_compliance_policies.d read", "null_resource.a delete create"],
      errors: ["error Resource postcondition failed: No data."],
    },
    {
      does: "pass, and are unknown after an apply that does not read it",
      stack: stackOf(gate("2"), data({ postcondition: rule(RIGHT, "No data.") })),
      plans: [],
    },
    { does: "are evaluated by a refresh", request: { mode: "refresh-only" }, plans: [] },
  ]);

  const outputs = (condition: string) => ({
    output: {
      known: { value: "known", precondition: rule(condition, "Not known.") },
      unknown: { value: "${null_resource.a.id}", precondition: rule(condition, "Not good.") },
    },
  });
  conforms("a precondition of an output", [
    {
      does: "is enforced by the apply where it is unknown at plan",
      stack: stackOf(gate("1"), outputs(WRONG)),
      plans: ["null_resource.a create", "output.known create", "output.unknown create"],
      errors: [
        "error Module output value precondition failed: Not good.",
        "error Module output value precondition failed: Not known.",
      ],
    },
    {
      does: "is a warning in a refresh-only plan, and an error in its apply",
      request: { mode: "refresh-only" },
      plans: ["output.unknown create"],
      errors: [
        "error Module output value precondition failed: Not good.",
        "error Module output value precondition failed: Not known.",
      ],
    },
    {
      does: "passes",
      stack: stackOf(gate("1"), outputs(RIGHT)),
      plans: [],
    },
  ]);

  conforms("conditions", [
    {
      does: "fail before the arguments are evaluated, with secrets hidden",
      stack: stackOf(
        {
          null_resource: {
            a: {
              triggers: { v: "${[][0]}" },
              lifecycle: {
                precondition: [
                  ...rule('${path.module == "x"}', " Wrong ${path.module} "),
                  ...rule('${path.module == "x"}', "${var.hidden}"),
                  ...rule('${var.hidden == "x"}', "plain"),
                ],
              },
            },
          },
        },
        { variable: { hidden: { default: "a", sensitive: true } } },
      ),
      errors: ["error Invalid index"],
    },
    {
      does: "that are null or no boolean are errors, and so are such messages",
      stack: stackOf(
        {
          null_resource: {
            a: {
              lifecycle: {
                precondition: [
                  ...rule('${path.module == "x"}', " Wrong ${path.module} "),
                  ...rule('${path.module == "x"}', "${var.hidden}"),
                  ...rule('${path.module == "x"}', '${path.module == "x" ? "a" : null}'),
                  ...rule('${path.module == "x" ? true : null}', "null"),
                  ...rule("${path.module}", "text"),
                ],
              },
            },
          },
        },
        { variable: { hidden: { default: "a", sensitive: true } } },
      ),
      errors: [
        "error Invalid condition result: Condition expression must return either true or false, not null.",
        "error Invalid condition result: Invalid condition result value: a bool is required.",
        "error Invalid error message: Unsuitable value for error message: must not be null.",
        "error Resource precondition failed: This check failed, but has an invalid error message",
        "error Resource precondition failed: Wrong .",
      ],
    },
    {
      does: "of no instance pass, and others have one result each",
      stack: stackOf({
        null_resource: {
          none: { count: 0, lifecycle: { precondition: rule('${path.module == "."}', "x") } },
          two: {
            count: 2,
            lifecycle: {
              precondition: rule("${count.index < 2}", "x"),
              postcondition: rule("${self.triggers == null}", "x"),
            },
          },
          each: {
            for_each: { a: 1 },
            lifecycle: { precondition: rule("${each.value == 1}", "x") },
          },
        },
      }),
      plans: [
        'null_resource.each["a"] create',
        "null_resource.two[0] create",
        "null_resource.two[1] create",
      ],
    },
    {
      does: "of what is not targeted are unknown",
      request: { targets: ["null_resource.two[0]"] },
      plans: [],
    },
  ]);

  conforms("a postcondition of an instance that does not exist, in a refresh-only plan", [
    {
      does: "is not met by objects that are applied",
      stack: stackOf({ null_resource: { counted: { count: 2 }, each: { for_each: { a: 1 } } } }),
      plans: [
        "null_resource.counted[0] create",
        "null_resource.counted[1] create",
        'null_resource.each["a"] create',
      ],
    },
    {
      does: "cannot refer to the object, which has a key that the state lacks",
      opentofu: "warns of them",
      stack: stackOf({
        null_resource: {
          plain: { lifecycle: { postcondition: rule('${self.id == "x"}', "plain") } },
          counted: {
            count: 3,
            lifecycle: { postcondition: rule('${try(self.id, "x") != "x"}', "counted") },
          },
          each: {
            for_each: { a: 1, b: 2 },
            lifecycle: { postcondition: rule('${self.id != "x"}', "each") },
          },
          without: {
            count: 1,
            lifecycle: { postcondition: rule("${count.index != 0}", "without") },
          },
        },
      }),
      request: { mode: "refresh-only" },
      errors: [
        "Invalid index: The given key does not identify an element in this collection value.",
        "Invalid index: The given key does not identify an element in this collection value: the given index is greater",
      ],
    },
  ]);
});
