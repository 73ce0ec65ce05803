import type { Mistake } from "./mistake";
import type { Workspace } from "./workspace";

const SET = { policies: [{ name: "a", checks: { "41": true } }] };

const set = (body: object) => (workspace: Workspace) =>
  workspace.stackOf({ cwp_compliance_policy_set: { p: body } });

const policy = (body: object) => set({ policies: [{ name: "a", ...body }] });

/** A stack whose provider has other arguments. */
const provider = (more: object) => (workspace: Workspace) => {
  const stack = set(SET)(workspace);
  const { cwp } = stack.provider as { cwp: readonly object[] };
  return { ...stack, provider: { cwp: [{ ...cwp[0], ...more }] } };
};

const data = (input: unknown, more: object = {}) => ({
  resource: { terraform_data: { a: { input } } },
  ...more,
});

/** Mistakes in stacks, expressions and variables. */
export const MISTAKES_OF_STACKS: Readonly<Record<string, Mistake>> = {
  "a host that does not exist": {
    command: "plan",
    stack: provider({ base_url: "https://nosuch.invalid:8083" }),
    place: /https:\/\/nosuch\.invalid:8083/,
    cause: /does not resolve/,
    next: /Check .* base_url/,
  },
  "a console that is not trusted": {
    command: "plan",
    stack: provider({ ca_certificate_file: null }),
    place: /TLS with https:\/\/127/,
    cause: /not signed by a trusted authority/,
    next: /Set ca_certificate or CONSOLE_CA_FILE/,
  },
  "a wrong password": {
    command: "plan",
    environment: { TF_VAR_CONSOLE_PASSWORD: "wrong" },
    stack: provider({}),
    place: /cwp_compliance_policy_set\.p.*https:\/\//,
    cause: /refuses the username and password/,
    next: /CONSOLE_USERNAME and CONSOLE_PASSWORD/,
  },
  "a misspelled attribute": {
    command: "plan",
    stack: policy({ chekcs: { "41": true } }),
    place: /policies\[0\]\.chekcs/,
    cause: /not expected here/,
    next: /Did you mean "checks"/,
  },
  "a word for a check": {
    command: "plan",
    stack: policy({ checks: { "41": "block" } }),
    place: /policies\[0\]\.checks\["41"\]/,
    cause: /Incorrect attribute value type/,
    next: /bool required/,
  },
  "two policies with one name": {
    command: "plan",
    stack: set({ policies: [...SET.policies, ...SET.policies] }),
    place: /policies\[1\]\.name \("a"\)/,
    cause: /Entries 1 and 2 .* same name/,
    next: /must be unique/,
  },
  "a misspelled ownership": {
    command: "plan",
    stack: set({ ...SET, ownership: "prefx" }),
    place: /at ownership/,
    cause: /Invalid attribute value/,
    next: /one of "exclusive", "prefix", "suffix"/,
  },
  "a word for the ID of a check": {
    command: "plan",
    stack: policy({ checks: { abc: true } }),
    place: /checks\.abc/,
    cause: /Invalid attribute value/,
    next: /identified by a whole number/,
  },
  "a word for policies": {
    command: "plan",
    stack: set({ policies: "all" }),
    place: /at policies/,
    cause: /Incorrect attribute value type/,
    next: /list of object required/,
  },
  "a variable that is not set": {
    command: "plan",
    stack: data("${var.zone}", { variable: { zone: { type: "string" } } }),
    place: /var\.zone/,
    cause: /not set and has no default/,
    next: /Set TF_VAR_zone or zone .* --var/,
  },
  "a variable that no stack has": {
    command: "plan --var FOO=1",
    place: /var\.FOO/,
    cause: /No selected stack declares/,
    next: /Correct the name, or remove the value/,
  },
  "a file of variables that is not HCL": {
    command: "plan --var-file x.tfvars",
    files: { "x.tfvars": "a = = 1" },
    place: /x\.tfvars, line 1/,
    cause: /not valid HCL/,
    next: /Correct it there/,
  },
  "a word for a number in a variable": {
    command: "plan --var n=abc",
    stack: data("${var.n}", { variable: { n: { type: "number" } } }),
    place: /var\.n/,
    cause: /given by --var is not suitable/,
    next: /number required/,
  },
  "a misspelled function": {
    command: "validate",
    stack: data('${upperr("x")}'),
    place: /terraform_data\.a, at input/,
    cause: /no function named "upperr"/,
    next: /Did you mean "upper"/,
  },
  "a resource that is not declared": {
    command: "validate",
    stack: data("${terraform_data.b.id}"),
    place: /terraform_data\.a, at input/,
    cause: /"b" has not been declared/,
    next: /Did you mean "terraform_data\.a"/,
  },
  "a misspelled type": {
    command: "validate",
    stack: { resource: { cwp_licence: { a: { key: "x" } } } },
    place: /cwp_licence\.a/,
    cause: /does not support resource type/,
    next: /Did you mean "cwp_license"/,
  },
  "a provider of Terraform": {
    command: "validate",
    stack: { resource: { aws_instance: { a: {} } } },
    place: /aws_instance\.a/,
    cause: /uses the provider .*hashicorp\/aws/,
    next: /Terraform can run the stack/,
  },
};
