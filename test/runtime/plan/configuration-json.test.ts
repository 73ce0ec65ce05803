import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseStack } from "../../../src/language/config/stack";
import { relevantAttributes } from "../../../src/runtime/plan/relevant-attributes";
import { configurationJson } from "../../../src/runtime/plan/configuration-json";
import { formatJson } from "../../../src/core/json/format-json";
import { describeWithTerraform, terraform } from "../../support/terraform";
import { toStackPlan, type TerraformPlan } from "../../formats/terraform-plan";

const STACK = {
  "//": { metadata: { backend: "local" } },
  terraform: {
    required_version: ">= 1.11",
    required_providers: { second: { source: "terraform.io/builtin/terraform" } },
  },
  provider: { terraform: [{}, { alias: "two" }] },
  variable: {
    plain: { type: "string", default: "<a&b>", description: "A plain one" },
    number: { type: "number", default: "5" },
    list: { type: "list(string)", default: ["x", "y"] },
    set: { type: "set(string)", default: ["b", "a", "b"] },
    map: { type: "map(number)", default: { x: "2", a: 1 } },
    object: { type: 'object({a=optional(string,"z"),b=number})', default: { b: "4" } },
    secret: { type: "string", sensitive: true, default: "s3cret" },
    passing: { type: "string", ephemeral: true, default: null },
    needed: { type: "string", nullable: false },
  },
  locals: {
    first: "${terraform_data.a.output}",
    second: "${local.first}x",
    unused: "${terraform_data.lonely.id}",
  },
  resource: {
    terraform_data: {
      a: { "//": { metadata: { path: "s/a" } }, input: "é${var.plain}" },
      b: {
        for_each: { "k.1": "${var.object.a}", k2: "${var.object.b}" },
        input: ["${each.value}", { x: "${local.second}", 'y"': "${terraform_data.a.input}" }],
        triggers_replace: ["${var.map}", null, true, 1.5],
        depends_on: ["terraform_data.a"],
        provisioner: [
          {
            "local-exec": {
              command: "echo ${self.input[0]}",
              environment: { A: "${var.needed}" },
              interpreter: ["sh", "-c"],
              quiet: true,
            },
          },
          { "local-exec": { when: "destroy", command: "true", on_failure: "continue" } },
        ],
        lifecycle: {
          ignore_changes: ["triggers_replace"],
          replace_triggered_by: ["terraform_data.a"],
          precondition: [{ condition: "${var.number > 1}", error_message: "small" }],
        },
      },
      c: {
        count: '${terraform_data.lonely.input == "l" ? 2 : 3}',
        input: "${count.index}-${var.map[var.list[0]]}",
        provider: "terraform.two",
      },
      d: {
        input:
          '${terraform_data.b["k.1"].input[0]} ${terraform_data.b["k2"].input.0} ${terraform_data.c[0].output} ${join("", terraform_data.c[*].id)}',
        provider: "second",
      },
      e: { input: '${[for k, v in var.map : "${k}${var.plain}" if v > var.number]}' },
      lonely: { input: "l" },
      late: { input: "", depends_on: ["terraform_data.c[0]", "terraform_data.a"] },
    },
  },
  output: {
    plain: { value: "${terraform_data.d.output}", description: "What it is" },
    literal: { value: "$${x} %%{y}" },
    object: { value: { a: "${var.number}", b: ["${path.module}", "${terraform.workspace}"] } },
    secret: { value: "${var.secret}", sensitive: true },
    nothing: { value: null },
    waits: {
      value: '${join(",", var.list)}',
      depends_on: ["terraform_data.b"],
      precondition: [{ condition: "${var.number > 0}", error_message: "negative" }],
    },
  },
};

describeWithTerraform("of a stack that is written in JSON", () => {
  let directory: string;
  let plan: TerraformPlan & { readonly configuration: unknown };
  beforeAll(() => {
    directory = mkdtempSync(join(tmpdir(), "configuration-"));
    writeFileSync(join(directory, "cdk.tf.json"), JSON.stringify(STACK));
    terraform(["init", "-input=false"], { cwd: directory });
    terraform(["plan", "-input=false", "-out=plan", "-var=needed=n"], { cwd: directory });
    const shown = terraform(["show", "-json", "plan"], { cwd: directory });
    plan = JSON.parse(shown) as typeof plan;
  });
  afterAll(() => {
    rmSync(directory, { recursive: true });
  });

  test("encodes the configuration like Terraform", async () => {
    const { config, diagnostics } = await parseStack(STACK, {
      name: "s",
      directory,
      workspace: "default",
    });
    expect(diagnostics).toEqual([]);
    const encoded = formatJson(configurationJson(config!, new Map()));
    expect(JSON.parse(encoded)).toEqual(plan.configuration);
    // The order of the members, too.
    expect(encoded).toBe(formatted(plan.configuration));
  });

  test("has the same relevant attributes", async () => {
    const { config } = await parseStack(STACK, { name: "s", directory, workspace: "default" });
    const { changes, outputs } = toStackPlan({ ...plan, resource_drift: [] });
    const found = relevantAttributes(config!, changes, outputs);
    const sorted = (list: readonly unknown[]) => list.map((one) => JSON.stringify(one)).sort();
    expect(sorted(found)).toEqual(sorted(plan.relevant_attributes ?? []));
  });
});

/** Formats JSON as Terraform does; JSON.stringify keeps the order of members. */
function formatted(json: unknown): string {
  return JSON.stringify(json).replace(
    /[<>&]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
