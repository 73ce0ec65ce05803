import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describeWithTerraform } from "../support/terraform";
import { conforms } from "./support/conform";
import { stackOf } from "./support/stacks";

const rule = (condition: string, message: string) => [{ condition, error_message: message }];
const variable = (condition: string, message = "Wrong.") => ({
  variable: { v: { default: "a", validation: rule(condition, message) } },
});
const resources = { null_resource: { r: {}, a: { triggers: { v: "${var.v}" } }, b: {} } };

describeWithTerraform("both engines validate variables alike", () => {
  conforms("a validation that refers to", [
    {
      does: "a local value fails the plan",
      stack: stackOf(resources, {
        locals: { l: "${var.w}x" },
        variable: {
          w: { default: "q" },
          v: { default: "a", validation: rule("${var.v == local.l}", " Must be ${local.l}. ") },
        },
      }),
      errors: ["error Invalid value for variable: Must be qx. This was checked"],
    },
    {
      does: "another variable fails the plan",
      opentofu: "stops at the first validation that fails",
      stack: stackOf(resources, {
        variable: {
          w: { default: "q" },
          v: {
            default: "a",
            validation: [
              ...rule("${var.v == var.w}", "Must be ${var.w}."),
              ...rule("${length(var.v) > 3}", "Short."),
            ],
          },
        },
      }),
      errors: [
        "error Invalid value for variable: Must be q. This",
        "error Invalid value for variable: Short. This",
      ],
    },
    {
      does: "a data source fails the plan",
      stack: stackOf(resources, {
        ...variable("${var.v == data.cwp_compliance_policies.d.policies_json}"),
        data: { cwp_compliance_policies: { d: {} } },
      }),
      errors: ["error Invalid value for variable: Wrong. This"],
    },
    {
      does: "a resource fails the apply, and stops what depends on the variable",
      stack: stackOf(resources, variable("${var.v == null_resource.r.id}")),
      plans: ["null_resource.a create", "null_resource.b create", "null_resource.r create"],
      errors: ["error Invalid value for variable: Wrong. This"],
    },
    {
      does: "an existing resource fails the plan",
      errors: ["error Invalid value for variable: Wrong. This"],
    },
    {
      does: "a resource passes, and makes it a dependency",
      stack: stackOf(resources, variable("${var.v != null_resource.r.id}")),
      plans: ["null_resource.a create"],
    },
    {
      does: "a resource is unknown where the variable is not targeted",
      request: { targets: ["null_resource.b"] },
      plans: [],
    },
    {
      does: "a resource is unknown in a destroy",
      request: { mode: "destroy" },
      plans: ["null_resource.a delete", "null_resource.b delete", "null_resource.r delete"],
    },
    {
      does: "a resource passes before that exists",
      plans: ["null_resource.a create", "null_resource.b create", "null_resource.r create"],
    },
  ]);

  conforms("a validation", [
    {
      does: "has a result that is a boolean, and a message that is text",
      opentofu: "words an unknown message otherwise",
      stack: stackOf(resources, {
        variable: {
          v: { default: "a" },
          null: { default: "a", validation: rule('${var.null == "b" ? true : null}', "x") },
          text: { default: "a", validation: rule("${var.text}", "x") },
          unknown: {
            default: "a",
            validation: rule('${var.unknown == "b"}', "${null_resource.r.id}"),
          },
        },
      }),
      errors: [
        "error Invalid error message: Unsuitable value for error message: expression refers to values that won't be known until the apply phase.",
        "error Invalid variable validation result: Invalid validation condition result value: a bool is required.",
        "error Invalid variable validation result: Validation condition expression must return either true or false, not null.",
      ],
    },
    {
      does: "refers to its variable",
      stack: stackOf(resources, variable('${null_resource.r.id == ""}')),
      errors: [
        'error Invalid variable validation condition: The condition for variable "v" must refer to var.v in order to test incoming values.',
      ],
    },
  ]);

  const names = ["a", "b", "c", "d", "e"];
  const over = (count: number, text: string) =>
    names.slice(count).map((name) => [name, text] as const);
  conforms("files in the folder of the stack", [
    {
      does: "set variables, the later ones first",
      stack: stackOf(
        { terraform_data: { r: { input: names.map((name) => `\${var.${name}}`) } } },
        { variable: Object.fromEntries(over(0, "").map(([name]) => [name, { default: "no" }])) },
      ),
      before: ({ stackFolder }) => {
        const write = (name: string, values: ReturnType<typeof over>) => {
          const text = name.endsWith(".json")
            ? JSON.stringify(Object.fromEntries(values))
            : values.map(([key, value]) => `${key} = "${value}"\n`).join("");
          writeFileSync(join(stackFolder, name), text);
        };
        write("terraform.tfvars", over(1, "tfvars"));
        write("terraform.tfvars.json", over(2, "json"));
        write("a.auto.tfvars.json", over(3, "a"));
        write("ignored.tfvars", over(0, "ignored"));
        write("b.auto.tfvars", over(4, "b"));
        return undefined;
      },
      plans: ["terraform_data.r create"],
      after: (world) => {
        expect(world.state()).toMatch(/"no",\s+"tfvars",\s+"json",\s+"a",\s+"b"/);
      },
    },
  ]);

  const literals = {
    call: { default: '${upper("a")}' },
    escaped: { default: "$${x} %%{y}" },
    nested: { default: ["${1 + 1}", { "k${1}": "v${2}" }] },
    directive: { type: "string", default: "%{ if true }a%{ endif }" },
    nothing: { default: null },
    number: { type: "number", default: "1" },
    flagged: { default: "s", sensitive: "true", nullable: "false", description: "a ${upper(1)}" },
  };
  const shown = Object.fromEntries(
    Object.keys(literals).map((name) => [
      name,
      { value: `\${var.${name}}`, sensitive: name === "flagged" },
    ]),
  );
  conforms("a default", [
    {
      does: "is taken literally",
      stack: stackOf({}, { variable: literals, output: shown }),
      plans: [
        "output.call create",
        "output.directive create",
        "output.escaped create",
        "output.flagged create",
        "output.nested create",
        "output.number create",
      ],
    },
    {
      does: "has the type of the variable",
      stack: stackOf({}, { variable: { v: { type: "number", default: ["${1}"] } } }),
      errors: ["error Invalid default value for variable: This default value is not compatible"],
    },
    {
      does: "is not null where that is not a value",
      stack: stackOf({}, { variable: { v: { default: null, nullable: false } } }),
      errors: [
        "error Invalid default value for variable: A null default value is not valid when nullable=false.",
      ],
    },
  ]);
});
