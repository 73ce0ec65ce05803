import type { StackJson } from "../cli/stack-files";
import { describeWithTerraform } from "../support/terraform";
import { conforms } from "./support/conform";
import { consoleBlock, policy, stackOf } from "./support/stacks";

const A = "terraform_data.a";
const B = "terraform_data.b";
const request = { mode: "destroy" } as const;

/** Two objects, of which the second one refers to the first. */
const pair = (blocks: StackJson = {}, more: object = {}) =>
  stackOf({ terraform_data: { a: { input: "x" }, b: { input: `\${${A}.id}` } }, ...more }, blocks);
const rule = (condition: string) => [{ condition, error_message: "This is wrong." }];
const INVALID = { value: `\${tonumber(${A}.output)}` };

describeWithTerraform("both engines plan the configuration before they destroy it:", () => {
  conforms("the destroy", [
    {
      does: "is planned for objects that are applied",
      stack: pair({ output: { a: { value: `\${${A}.output}` } } }),
      plans: [`${A} create`, `${B} create`, "output.a create"],
    },
    {
      does: "is refused where an output is invalid",
      stack: pair({ output: { a: INVALID } }),
      request,
      summariesOnly: true,
      errors: ["error Invalid function argument"],
    },
    {
      does: "is refused where a count is unknown",
      stack: pair({}, { null_resource: { c: {}, n: { count: "${length(null_resource.c.id)}" } } }),
      request,
      errors: ["error Invalid count argument"],
    },
    {
      does: "is refused where a data source cannot be read",
      stack: pair({
        provider: {
          cwp: [consoleBlock(), consoleBlock(1, { alias: "wrong", password: "not-the-password" })],
        },
        data: { cwp_compliance_policies: { d: { provider: "cwp.wrong" } } },
      }),
      request,
      errors: ["error Console refused the credentials"],
    },
    {
      does: "is refused where an object could not be created",
      before: ({ console }) => console.edit({ policies: [{ name: "Theirs" }] }),
      stack: pair({}, { cwp_compliance_policy_set: { all: { policies: [policy("First")] } } }),
      request,
      errors: ["error Console has unmanaged compliance policies"],
    },
    {
      does: "shows outputs as they are now, and none that is null",
      stack: pair(
        {
          output: {
            a: { value: `\${${A}.output == "x" ? null : "y"}` },
            b: { value: `\${${B}.output == ${A}.id}` },
            c: { value: `\${[terraform_data.c.id]}` },
          },
        },
        { terraform_data: { a: { input: "x" }, b: { input: `\${${A}.id}` }, c: {} } },
      ),
      request,
      plans: [`${A} delete`, `${B} delete`, "output.b delete"],
    },
    {
      does: "leaves a stack that is applied again",
      stack: pair({ output: { a: { value: "1" } } }),
      plans: [`${A} create`, `${B} create`, "output.a create"],
    },
    {
      does: "is planned without a refresh, whatever is invalid",
      stack: pair({ output: { a: INVALID } }),
      request: { ...request, refresh: false },
      plans: [`${A} delete`, `${B} delete`, "output.a delete"],
    },
    {
      does: "is not refused where the state is empty",
      request,
      plans: [],
    },
    {
      does: "leaves an empty stack",
      stack: pair(),
      plans: [`${A} create`, `${B} create`],
    },
    {
      does: "is planned although conditions fail",
      stack: pair({
        check: { c: { assert: rule(`\${${A}.input == "y"}`) } },
        output: { b: { value: `\${${B}.output}`, precondition: rule(`\${${A}.input == "y"}`) } },
      }),
      request,
      plans: [`${A} delete`, `${B} delete`, "output.b delete"],
    },
    {
      does: "leaves a stack without results of conditions",
      stack: pair(),
      plans: [`${A} create`, `${B} create`],
    },
  ]);

  const FAILS = { "local-exec": { when: "destroy", command: "exit 3" } };
  const reading = (b: object) =>
    stackOf(
      { null_resource: { a: {}, b } },
      { data: { cwp_compliance_policies: { d: {}, e: { depends_on: ["null_resource.a"] } } } },
    );
  conforms("the destroy of a stack with data sources", [
    {
      does: "is planned for objects that are applied",
      stack: reading({ provisioner: [FAILS] }),
      plans: [
        "data.cwp_compliance_policies.e read",
        "null_resource.a create",
        "null_resource.b create",
      ],
    },
    {
      does: "removes them from the state, also if it fails",
      request,
      plans: ["null_resource.a delete", "null_resource.b delete"],
      errors: ["error local-exec provisioner error"],
    },
    {
      does: "is completed",
      stack: reading({}),
      request,
      plans: ["null_resource.b delete"],
    },
    {
      does: "leaves an empty stack",
      plans: [
        "data.cwp_compliance_policies.e read",
        "null_resource.a create",
        "null_resource.b create",
      ],
    },
  ]);
});
