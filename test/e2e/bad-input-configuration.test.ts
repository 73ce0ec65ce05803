import type { StackJson } from "../cli/stack-files";
import { errorsOf } from "./support/diagnostics";
import { Workspace } from "./support/workspace";
// Errors of the configuration are reported together, each with its address, construct and attribute,
// before a state is written or a request is sent.

let workspace: Workspace;
/** The environment at the start of the tests. */
let environment: Workspace["environment"];

beforeAll(async () => {
  workspace = await Workspace.open();
  ({ environment } = workspace);
});
beforeEach(() => {
  workspace.environment = environment;
});
afterEach(() => {
  expect(workspace.requests).toEqual([]);
  expect(workspace.state()).toBeUndefined();
});
afterAll(() => workspace.close());

/** The errors that plan, apply and validate report for a stack. */
async function faultsOf(resource: StackJson, more: StackJson = {}): Promise<string[]> {
  workspace.write(workspace.stackOf(resource, more));
  const errors = errorsOf(await workspace.run("plan"), workspace);
  expect(errorsOf(await workspace.run("apply --auto-approve"), workspace)).toEqual(errors);
  expect(errorsOf(await workspace.run("validate"), workspace)).toEqual(errors);
  return errors;
}

const at = (path: string) => ({ "//": { metadata: { path } } });
const KEY = "${var.CONSOLE_LICENSE_KEY}";

test("reports all errors of all attributes together", async () => {
  expect(
    await faultsOf({
      cwp_license: {
        a: { ...at("prod/a"), colour: "red" },
        b: { key: ["x"] },
        c: { key: "" },
        d: { key: KEY, lifecycle: { prevent_destory: true } },
        e: { key: "${upper(}" },
      },
      cwp_compliance_policy_set: {
        p: {
          ...at("prod/policies"),
          policies: [
            { name: 5, checks: "x" },
            { checks: { a: true, "41": "maybe" } },
            { name: "b", checks: {}, resources: { host: ["a"], hosts: "x" } },
          ],
        },
        q: { ownership: "mine", policies: [] },
        r: {
          policies: ["b", "c", "b"].map((name) => ({ name, checks: {} })),
        },
      },
      cwp_registry_scan: {
        s: { specifications: [{ registry: "r", repository: "x", cap: "5x" }] },
      },
    }),
  ).toEqual([
    'Incorrect attribute value type | with cwp_compliance_policy_set.p (construct prod/policies), at policies[0].checks | Inappropriate value for attribute "policies[0].checks": map(bool) required. Correct the value.',
    "Invalid attribute value | with cwp_compliance_policy_set.p (construct prod/policies), at policies[1].checks.a | A compliance check is identified by a whole number.",
    'Incorrect attribute value type | with cwp_compliance_policy_set.p (construct prod/policies), at policies[1].checks["41"] | Inappropriate value for attribute "policies[1].checks["41"]": bool required. Correct the value.',
    'Missing required argument | with cwp_compliance_policy_set.p (construct prod/policies), at policies[1].name | The argument "policies[1].name" is required: Name of the policy; unique in the set. Set it.',
    'Unsupported argument | with cwp_compliance_policy_set.p (construct prod/policies), at policies[2].resources.host | An argument named "host" is not expected here. Did you mean "hosts"?',
    'Incorrect attribute value type | with cwp_compliance_policy_set.p (construct prod/policies), at policies[2].resources.hosts | Inappropriate value for attribute "policies[2].resources.hosts": set(string) required. Correct the value.',
    'Invalid attribute value | with cwp_compliance_policy_set.q, at ownership | Must be one of "exclusive", "prefix", "suffix".',
    'Duplicate name | with cwp_compliance_policy_set.r, at policies[2].name ("b") | Entries 1 and 3 of policies have the same name "b". Each entry must be unique.',
    'Unsupported argument | with cwp_license.a (construct prod/a), at colour | An argument named "colour" is not expected here. Remove it, or correct its name.',
    'Missing required argument | with cwp_license.a (construct prod/a), at key | The argument "key" is required: The license key. It is sent to the console and stored nowhere. Set it.',
    'Incorrect attribute value type | with cwp_license.b, at key | Inappropriate value for attribute "key": string required. Correct the value.',
    "Invalid attribute value | with cwp_license.c, at key | Must not be empty: give it a text.",
    'Unsupported argument | with cwp_license.d, at lifecycle.prevent_destory | An argument named "prevent_destory" is not expected here. Remove it, or correct its name.',
    expect.stringMatching(/^Invalid expression \| with cwp_license\.e, at key \| /) as string,
    'Incorrect attribute value type | with cwp_registry_scan.s, at specifications[0].cap | Inappropriate value for attribute "specifications[0].cap": number required. Correct the value.',
    'Missing required argument | with cwp_registry_scan.s, at specifications[0].tag | The argument "specifications[0].tag" is required: Tag pattern. Set it.',
  ]);
});

test("reports an invalid check", async () => {
  expect(
    await faultsOf({
      cwp_compliance_policy_set: { p: { policies: [{ name: "a", checks: { root: true } }] } },
    }),
  ).toEqual([
    expect.stringMatching(
      /^Invalid attribute value \| with cwp_compliance_policy_set\.p, at policies\[0\]\.checks\.root \("a"\) \| .*check/,
    ) as string,
  ]);
});

test("reports references to undeclared objects", async () => {
  const references = {
    a: "${var.nope}",
    b: "${cwp_license.zzz.id}",
    c: "${cwp_license.a.nope}",
    d: "${local.x}",
    e: "${data.cwp_x.y.z}",
    f: "${each.key}",
    g: "${module.x.y}",
    h: "${terraform.workspce}",
  };
  const errors = await faultsOf(
    {
      cwp_license: {
        ...Object.fromEntries(Object.entries(references).map(([name, key]) => [name, { key }])),
        i: { key: KEY, depends_on: ["cwp_bootstrap.none"] },
      },
    },
    { output: { o: { value: "${cwp_license.q.id}" } } },
  );
  expect(errors).toEqual([
    'Reference to undeclared input variable | with cwp_license.a, at key | An input variable with the name "nope" has not been declared. Declare it in the app, or correct the name.',
    'Reference to undeclared resource | with cwp_license.b, at key | A managed resource "cwp_license" "zzz" has not been declared in this stack. Did you mean "cwp_license.a"?',
    'Unsupported attribute | with cwp_license.c, at key | This object has no argument, nested block, or exported attribute named "nope". Correct the name.',
    'Reference to undeclared local value | with cwp_license.d, at key | A local value with the name "x" has not been declared. Declare it in the app, or correct the name.',
    'Reference to undeclared resource | with cwp_license.e, at key | A data resource "cwp_x" "y" has not been declared in this stack. Declare it in the app, or correct the name.',
    'Reference to "each" in context without for_each | with cwp_license.f, at key | The "each" object can be used only in "resource" and "data" blocks, and only when the "for_each" argument is set.',
    "Unsupported reference | with cwp_license.g, at key | The expression refers to a module. This executor does not load modules. Write a construct, or declare the resources in the stack. Terraform can run the stack.",
    'Invalid "terraform" attribute | with cwp_license.h, at key | The "terraform" object does not have an attribute named "workspce". Supported: workspace.',
    'Reference to undeclared resource | with cwp_license.i, at depends_on | A managed resource "cwp_bootstrap" "none" has not been declared in this stack. Declare it in the app, or correct the name.',
    'Reference to undeclared resource | with output.o (construct prod), at value | A managed resource "cwp_license" "q" has not been declared in this stack. Did you mean "cwp_license.a"?',
  ]);
});

describe("cycles", () => {
  test("of resources are reported as a path, together with other errors", async () => {
    const gate = (next: string) => ({ triggers: { x: `\${null_resource.${next}.id}` } });
    expect(
      await faultsOf({
        null_resource: {
          a: gate("b"),
          b: gate("c"),
          c: { depends_on: ["null_resource.a"] },
          d: gate("d"),
        },
        cwp_license: { l: {} },
      }),
    ).toEqual([
      'Missing required argument | with cwp_license.l, at key | The argument "key" is required: The license key. It is sent to the console and stored nowhere. Set it.',
      "Cycle | with null_resource.a | Each of these refers to the next one, and the last one to the first: null_resource.a → null_resource.b → null_resource.c → null_resource.a. Remove one of the references.",
      "Self-referential block | with null_resource.d | Configuration for null_resource.d may not refer to itself. Remove the reference.",
    ]);
  });

  test("of local values too", async () => {
    expect(await faultsOf({}, { locals: { a: "${local.b}", b: "${local.a}" } })).toEqual([
      "Cycle | with local.a | Each of these refers to the next one, and the last one to the first: local.a → local.b → local.a. Remove one of the references.",
    ]);
  });
});

test("reports unsupported features with their address", async () => {
  expect(
    await faultsOf({
      aws_instance: { web: at("prod/web") },
      cwp_licence: { l: {} },
      null_resource: {
        a: { triggers: { x: '${bcrypt("x")}' } },
        b: { provisioner: [{ "remote-exec": {} }] },
      },
    }),
  ).toEqual([
    "Provider not supported | with aws_instance.web (construct prod/web) | The stack uses the provider registry.terraform.io/hashicorp/aws. This executor includes the providers cdktf-console/cwp, hashicorp/null and Terraform's own only. Put its resources into another stack. Terraform can run the stack.",
    'Invalid resource type | with cwp_licence.l | The provider cdktf-console/cwp does not support resource type "cwp_licence". Did you mean "cwp_license"?',
    expect.stringMatching(
      /^Unsupported function \| with null_resource\.a, at triggers\.x \| .*"bcrypt".* Terraform can run the stack\.$/,
    ) as string,
    'Unsupported provisioner | with null_resource.b, at provisioner[0].remote-exec | null_resource.b has a "remote-exec" provisioner. This executor runs commands on its own machine only. Use "ssh" or "scp" in a "local-exec" provisioner. Terraform can run the stack.',
  ]);
  expect(await faultsOf({}, { module: { vpc: { source: "./vpc" } } })).toEqual([
    "Unsupported block | with module.vpc | The stack has the block module.vpc. This executor does not load modules. Write a construct, or declare the resources in the stack. Terraform can run the stack.",
  ]);
});

test("does not say that another provider lacks what only this executor lacks", async () => {
  const data = { null_data_source: { n: {} } };
  expect(await faultsOf({}, { data })).toEqual([
    "Invalid data source | with data.null_data_source.n | This executor has no data sources of the provider hashicorp/null. Terraform can run the stack.",
  ]);
});

describe("an inline credential in a release that does not support it", () => {
  const registry = {
    cwp_registry_scan: {
      r: {
        ...at("prod/registries"),
        specifications: [
          { registry: "r", repository: "a", tag: "*", credential: { type: "basic", secret: KEY } },
        ],
      },
    },
  };
  const refusal = (release: string) =>
    `Inline credentials: not in ${release} (section 9.1.2) | with cwp_registry_scan.r (construct prod/registries), at specifications[0].credential | Registry settings no longer have credentials: store each credential on the console and set credential_id. The release of the console is set by the provider's "release".`;
  const provider = (change: StackJson) => {
    const { provider: blocks } = workspace.stack() as { provider: { cwp: StackJson[] } };
    return { provider: { cwp: [{ ...blocks.cwp[0], ...change }] } };
  };
  // A plan would read the others before the registry.
  const whole = () => ({ ...registry, ...(workspace.stack().resource as StackJson) });

  test.each([
    ["20.09", "release 20.09"],
    ["20.12", "release 20.12"],
    ["next", "the next release"],
  ])("%s", async (release, named) => {
    expect(await faultsOf(whole(), provider({ release }))).toEqual([refusal(named)]);
  });

  test("is refused by default and by the release of the environment", async () => {
    expect(await faultsOf(whole())).toEqual([refusal("release 20.12")]);
    workspace.environment = { ...environment, CONSOLE_RELEASE: "20.09" };
    const planned = errorsOf(await workspace.run("plan"), workspace);
    expect(planned).toEqual([refusal("release 20.09")]);
  });

  test("is refused next to a stored credential in the release that supports it", async () => {
    const [specification] = registry.cwp_registry_scan.r.specifications;
    const both = { specifications: [{ ...specification, credential_id: "x" }] };
    expect(
      await faultsOf({ cwp_registry_scan: { r: both } }, provider({ release: "20.04" })),
    ).toEqual([
      "Two credentials | with cwp_registry_scan.r, at specifications[0].credential | A specification has an inline credential or a credential_id, not both. Remove one of them.",
    ]);
  });
});

test("validates the provider block with the resources", async () => {
  expect(
    await faultsOf(
      { cwp_license: { l: {} }, null_resource: { a: { provider: "null.other" } } },
      {
        provider: {
          cwp: [{ base_url: "console", user: "x", request_timeout: "long", max_retries: -1 }],
        },
      },
    ),
  ).toEqual([
    'Missing required argument | with cwp_license.l, at key | The argument "key" is required: The license key. It is sent to the console and stored nowhere. Set it.',
    'Provider configuration not present | with null_resource.a | null_resource.a uses provider["registry.terraform.io/hashicorp/null"].other, but the stack has no provider block with that alias. Declare that block in the app, or correct the provider.',
    "Invalid attribute value | with provider.cwp (construct prod), at max_retries | Must be 0 or more.",
    'Incorrect attribute value type | with provider.cwp (construct prod), at request_timeout | Inappropriate value for attribute "request_timeout": number required. Correct the value.',
    'Unsupported argument | with provider.cwp (construct prod), at user | An argument named "user" is not expected here. Remove it, or correct its name.',
  ]);
  workspace.write(
    workspace.stackOf(
      { cwp_license: { l: { key: 5 } }, cwp_registry_scan: { r: {} } },
      {
        provider: { cwp: [{ base_url: "https://console", ca_certificate_file: "/no/ca.pem" }] },
      },
    ),
  );
  const planned = errorsOf(await workspace.run("plan"), workspace);
  // The environment may have credentials, so that validation does not miss them.
  expect(errorsOf(await workspace.run("validate"), workspace)).toEqual(
    planned.filter((text) => !text.startsWith("Missing credentials")),
  );
  expect(planned).toEqual([
    'Missing required argument | with cwp_registry_scan.r, at specifications | The argument "specifications" is required: The registries to scan. Registry, repository, tag, operating system and credential together identify a specification. Another order is a change of the list, without an effect on the console. Set it.',
    expect.stringMatching(
      /^Missing credentials \| with provider\.cwp \(construct prod\) \| .*CONSOLE_USERNAME/,
    ) as string,
    "File cannot be read | with provider.cwp (construct prod), at ca_certificate_file | /no/ca.pem: no such file or directory. There is no folder /no. Correct the path.",
  ]);
});

test("refuses secrets in attributes that are stored", async () => {
  expect(
    await faultsOf(
      {
        null_resource: { a: { triggers: { x: KEY } } },
        cwp_compliance_policy_set: { p: { policies: [{ name: KEY, checks: {} }] } },
      },
      { output: { o: { value: KEY } } },
    ),
  ).toEqual([
    'Invalid use of ephemeral value | with cwp_compliance_policy_set.p, at policies[0].name | Ephemeral values are not valid for "policies[0].name", because it is not a write-only attribute and must be persisted to state.',
    'Invalid use of ephemeral value | with null_resource.a, at triggers.x | Ephemeral values are not valid for "triggers.x", because it is not a write-only attribute and must be persisted to state.',
    'Ephemeral value not allowed | with output.o (construct prod) | The value of output "o" is ephemeral, and the outputs of a stack are kept in its state.',
  ]);
});

describe("variables", () => {
  const variable = (own: StackJson) => ({
    variable: { ...(workspace.stack().variable as StackJson), ...own },
  });

  test("that are not set are reported together with other errors", async () => {
    workspace.environment = {};
    workspace.write(
      workspace.stackOf(
        { cwp_license: { l: { key: KEY, colour: "red" } } },
        variable({ A: { type: "string" } }),
      ),
    );
    const errors = errorsOf(await workspace.run("plan"), workspace);
    expect(errorsOf(await workspace.run("apply --auto-approve"), workspace)).toEqual(errors);
    // Validation does not need secrets.
    expect(errorsOf(await workspace.run("validate"), workspace)).toEqual(errors.slice(0, 1));
    expect(errors).toEqual([
      'Unsupported argument | with cwp_license.l, at colour | An argument named "colour" is not expected here. Remove it, or correct its name.',
      "No value for required variable | with var.A | The variable \"A\" is not set and has no default. Set TF_VAR_A or A in the environment, or give --var 'A=…' or a --var-file.",
      ...["CONSOLE_LICENSE_KEY", "CONSOLE_PASSWORD"].map(
        (name) =>
          `No value for required variable | with var.${name} | The variable "${name}" is not set and has no default. Set TF_VAR_${name} or ${name} in the environment, or give a --var-file.`,
      ),
    ]);
  });

  test("with invalid values are reported", async () => {
    workspace.environment = { ...environment, TF_VAR_D: "[" };
    workspace.write(
      workspace.stackOf(
        {},
        variable({
          B: { type: "number", default: "x" },
          C: { type: "strin", default: "x" },
          D: { type: "list(string)" },
          E: {
            default: 1,
            validation: [{ condition: "${var.E > 3}", error_message: "E is too small." }],
          },
        }),
      ),
    );
    const planned = errorsOf(await workspace.run("plan"), workspace);
    // Validation takes no value from the environment.
    expect(errorsOf(await workspace.run("validate"), workspace)).toEqual(
      planned.filter((text) => !text.includes("TF_VAR_D")),
    );
    expect(planned).toEqual([
      "Invalid default value for variable | with var.B, at default | This default value is not compatible with the variable's type constraint: number required. Correct the default, or the type of the variable.",
      'Invalid type specification | with var.C, at type | The keyword "strin" is not a valid type specification. Use string, number, bool, any, list(…), set(…), map(…) or object(…).',
      "Invalid value for input variable | with var.D | The value given by TF_VAR_D is neither JSON nor an HCL expression without references and function calls.",
      "Invalid value for variable | with var.E | E is too small. This was checked by the validation rule at variable.E.validation[0]. Correct the value where it is set.",
    ]);
  });

  test("with invalid arguments of the command line are reported", async () => {
    workspace.file("broken.tfvars", "A = \n");
    workspace.file("broken.tfvars.json", '{"A": 1,}');
    workspace.write(workspace.stackOf({}));
    const run = await workspace.run(
      "plan --var X --var nope=1 --var-file none.tfvars --var-file broken.tfvars --var-file broken.tfvars.json",
    );
    expect(errorsOf(run, workspace)).toEqual([
      "Invalid --var option |  | The value of --var must be of the form NAME=VALUE.",
      "Invalid JSON |  | ~/broken.tfvars.json, line 1, column 9: the file is not valid JSON from here on. Correct it there.",
      "Invalid variable file |  | ~/broken.tfvars, line 1: the file is not valid HCL. Correct it there: a line is NAME = VALUE.",
      "No variable file |  | The file of variables ~/none.tfvars cannot be read: no such file or directory. Correct the name; the folder ~ does not have it.",
      'Value for undeclared variable | with var.nope | No selected stack declares a variable named "nope", but --var gives it a value. Correct the name, or remove the value.',
    ]);
  });
});
