import type { StackJson } from "../cli/stack-files";
import { describeWithTerraform } from "../support/terraform";
import { conforms } from "./support/conform";
import { stackOf } from "./support/stacks";

const A = "terraform_data.a";
const B = "terraform_data.b";
const request = { mode: "destroy", targets: [B] } as const;

/** Two objects, of which the second one refers to the first. */
const pair = (a: object, b: object = {}, blocks: StackJson = {}) =>
  stackOf(
    { terraform_data: { a: { input: "x", ...a }, b: { input: `\${${A}.id}`, ...b } } },
    blocks,
  );
const rule = (condition: string) => [{ condition, error_message: "This is wrong." }];

describeWithTerraform("both engines refresh before a destroy with targets alike:", () => {
  conforms("the destroy", [
    {
      does: "is planned for objects that are applied",
      stack: pair({}),
      plans: [`${A} create`, `${B} create`],
    },
    {
      does: "is refused where an argument is invalid",
      stack: pair({}, { input: `\${tonumber(${A}.input)}` }),
      request,
      summariesOnly: true,
      errors: ["error Invalid function argument"],
    },
    {
      does: "is refused where a local value is invalid",
      stack: pair(
        {},
        { input: "${local.number}" },
        { locals: { number: `\${tonumber(${A}.input)}` } },
      ),
      request,
      summariesOnly: true,
      errors: ["error Invalid function argument"],
    },
    {
      does: "is refused where an output of the target is invalid",
      stack: pair({}, {}, { output: { number: { value: `\${tonumber("a\${${B}.output}")}` } } }),
      request,
      summariesOnly: true,
      errors: ["error Invalid function argument"],
    },
    {
      does: "is refused where a replacement is prevented",
      stack: pair({ triggers_replace: 1, lifecycle: { prevent_destroy: true } }),
      request,
      errors: ["error Instance cannot be destroyed"],
    },
    {
      does: "is planned without a refresh",
      stack: pair({}, { input: `\${tonumber(${A}.input)}` }),
      request: { ...request, refresh: false },
      plans: [`${B} delete`],
    },
    {
      does: "leaves a stack that needs the target again",
      stack: pair({}),
      plans: [`${B} create`],
    },
    {
      does: "is planned although conditions fail",
      stack: pair(
        {
          lifecycle: {
            precondition: rule('${path.module == "x"}'),
            postcondition: rule('${self.input == "y"}'),
          },
        },
        {},
        {
          output: {
            b: { value: `\${${B}.output}`, precondition: rule(`\${${A}.input == "y"}`) },
          },
        },
      ),
      request,
      plans: [`${B} delete`],
    },
    {
      does: "leaves a stack that can be applied",
      stack: pair({}),
      plans: [`${B} create`, "output.b delete"],
    },
  ]);
});
