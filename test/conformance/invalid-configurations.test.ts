import type { StackJson } from "../cli/stack-files";
import { describeWithTerraform } from "../support/terraform";
import { IS_NEWER, IS_TOFU } from "./support/program";
import { openSeats, type Seat } from "./support/seat";
import { configure, executorErrors, terraformErrors } from "./support/validation";

type Case = readonly [name: string, stack: StackJson | string, summary: string];

/** A stack with `null_resource.a`, whose arguments are given, and `null_resource.b`. */
const resource = (body: object, more: StackJson = {}): StackJson => ({
  resource: { null_resource: { a: body, b: {} } },
  ...more,
});
const expression = (value: string, more: object = {}): StackJson =>
  resource(more, { output: { x: { value } } });
const named = (name: string): StackJson => ({ resource: { null_resource: { [name]: {} } } });
const provider = (...blocks: readonly object[]): StackJson =>
  resource({}, { provider: { null: blocks } });
const text = (rest: string): string => `{"terraform":TERRAFORM,${rest}}`;

const INVALID_NAME = "Invalid resource name";
const NO_LABEL = "Missing block label";
const UNSUPPORTED = "Unsupported attribute";

const NAMES: readonly Case[] = [
  ["space", named("a b"), INVALID_NAME],
  ["digit first", named("1a"), INVALID_NAME],
  ["dash first", named("-a"), INVALID_NAME],
  ["dot", named("a.b"), INVALID_NAME],
  ["empty", named(""), INVALID_NAME],
  ["emoji", named("a😀"), INVALID_NAME],
  ["zero-width joiner", named("a\u200db"), INVALID_NAME],
  ["expression", named("${a}"), INVALID_NAME],
  [
    "type of a resource",
    { resource: { "null resource": { a: {} } } },
    "Invalid resource type name",
  ],
  ["data source", { data: { null_a: { "a b": {} } } }, "Invalid data resource name"],
  ["type of a data source", { data: { "a b": { c: {} } } }, "Invalid data source name"],
  [
    "ephemeral resource",
    { ephemeral: { null_a: { "a b": {} } } },
    "Invalid ephemeral resource name",
  ],
  ["variable", { variable: { "a b": { default: 1 } } }, "Invalid variable name"],
  ["reserved variable", { variable: { count: { default: 1 } } }, "Invalid variable name"],
  ["output", { output: { "a b": { value: 1 } } }, "Invalid output name"],
  ["local value", { locals: { "9": 1 } }, "Invalid local value name"],
  ["provider", resource({}, { provider: { a_b: {} } }), "Invalid provider local name"],
  [
    "provider in upper case",
    resource({}, { provider: { NULL: {} } }),
    "Invalid provider local name",
  ],
  ["alias", provider({ alias: "a b" }), "Invalid provider configuration alias"],
  ["empty alias", provider({ alias: "" }), "Invalid provider configuration alias"],
];

const ABSENT: readonly Case[] = [
  ["count", resource({ count: null }), "Invalid count argument"],
  ["for_each", resource({ for_each: null }), "Invalid for_each argument"],
  ["depends_on", resource({ depends_on: null }), "Invalid expression"],
  [
    "depends_on of an output",
    { output: { x: { value: 1, depends_on: null } } },
    "Invalid expression",
  ],
  ["provider", resource({ provider: null }), "Invalid provider configuration reference"],
  ["resource", { resource: null }, NO_LABEL],
  ["resource type", { resource: { null_resource: {} } }, NO_LABEL],
  ["output", { output: {} }, NO_LABEL],
  ["variable", { variable: {} }, NO_LABEL],
  ["data", { data: {} }, NO_LABEL],
  ["provider blocks", { provider: {} }, NO_LABEL],
  ["ephemeral", { ephemeral: {} }, NO_LABEL],
  ["module", { module: {} }, NO_LABEL],
  ["check", { check: {} }, NO_LABEL],
  ["provisioner", resource({ provisioner: {} }), NO_LABEL],
  ["provisioners", resource({ provisioner: [] }), NO_LABEL],
];

const STATIC: readonly Case[] = [
  [
    "undeclared resource",
    expression("${try(null_resource.typo.id, 1)}"),
    "Reference to undeclared resource",
  ],
  [
    "undeclared local value",
    expression("${try(1, local.nope)}"),
    "Reference to undeclared local value",
  ],
  [
    "undeclared variable in an empty loop",
    expression("${[for x in [] : var.nope]}"),
    "Reference to undeclared input variable",
  ],
  [
    "function of a provider that is not required",
    {
      resource: { terraform_data: { a: {} } },
      output: { x: { value: "${provider::terraform::encode_expr(1)}" } },
    },
    "Unknown provider function",
  ],
  ["undeclared attribute", expression("${try(null_resource.a.nope, 1)}"), UNSUPPORTED],
  [
    "undeclared attribute behind a value",
    expression("${try(1, null_resource.a.nope)}"),
    UNSUPPORTED,
  ],
  ["undeclared attribute, can", expression("${can(null_resource.a.nope)}"), UNSUPPORTED],
  [
    "undeclared attribute of an instance",
    expression("${try(null_resource.a[0].nope, 1)}", { count: 1 }),
    UNSUPPORTED,
  ],
  [
    "undeclared attribute of self",
    resource({ provisioner: { "local-exec": { command: '${try(self.nope, "a")}' } } }),
    UNSUPPORTED,
  ],
  ["attribute of a string", expression("${null_resource.a.id.foo}"), UNSUPPORTED],
  ["attribute of an element", expression("${try(null_resource.a.triggers.k.z, 1)}"), UNSUPPORTED],
  ["index of a string", expression("${try(null_resource.a.id[0], 1)}"), "Invalid index"],
  [
    "attribute by index",
    expression('${null_resource.a["id"]}'),
    "Unexpected resource instance key",
  ],
  [
    "instance without count",
    expression("${try(null_resource.a[0].id, 1)}"),
    "Unexpected resource instance key",
  ],
  [
    "count without instance",
    expression("${try(null_resource.a.id, 1)}", { count: 1 }),
    "Missing resource instance key",
  ],
  [
    "for_each without instance",
    expression("${null_resource.a.id}", { for_each: { k: 1 } }),
    "Missing resource instance key",
  ],
  [
    "variable by index",
    { variable: { v: { default: 1 } }, ...expression('${var["v"]}') },
    "Invalid reference",
  ],
  ["local alone", expression("${local}"), "Invalid reference"],
  ["type alone", expression("${null_resource}"), "Invalid reference"],
  [
    "each without for_each",
    expression("${try(each.key, 1)}"),
    'Reference to "each" in context without for_each',
  ],
  [
    "precondition on itself",
    resource({
      lifecycle: { precondition: { condition: "${null_resource.a.id != 1}", error_message: "x." } },
    }),
    "Invalid reference in precondition",
  ],
  [
    "postcondition on itself",
    resource({
      lifecycle: {
        postcondition: { condition: "${null_resource.a.id != 1}", error_message: "x." },
      },
    }),
    "Invalid reference in postcondition",
  ],
];

const ARGUMENTS: readonly Case[] = [
  [
    "depends_on an expression",
    resource({ depends_on: ["${null_resource.b}"] }),
    "Invalid expression",
  ],
  [
    "depends_on an attribute",
    resource({ depends_on: ["null_resource.b.id"] }),
    "Invalid depends_on reference",
  ],
  [
    "depends_on a missing instance",
    resource({ depends_on: ["null_resource.b[0]"] }),
    "Unexpected resource instance key",
  ],
  ["depends_on a string", resource({ depends_on: "null_resource.b" }), "Invalid expression"],
  [
    "depends_on each.key",
    resource({ depends_on: ["each.key"] }),
    'Reference to "each" in context without for_each',
  ],
  [
    "depends_on an undeclared variable",
    resource({ depends_on: ["var.v"] }),
    "Reference to undeclared input variable",
  ],
  [
    "provider as expression",
    resource({ provider: "${null.eu}" }, { provider: { null: [{}, { alias: "eu" }] } }),
    "Invalid provider configuration reference",
  ],
  [
    "ignore_changes of all in a list",
    resource({ lifecycle: { ignore_changes: ["all"] } }),
    UNSUPPORTED,
  ],
  [
    "ignore_changes of an expression",
    resource({ lifecycle: { ignore_changes: ["${triggers}"] } }),
    "Invalid expression",
  ],
  [
    "ignore_changes of everything",
    resource({ lifecycle: { ignore_changes: ["*"] } }),
    "Invalid ignore_changes wildcard",
  ],
  ["version of a provider", provider({ version: "foo" }), "Invalid version constraint"],
  ["version with v", provider({ version: ">= v1" }), "Invalid version constraint"],
  [
    "required_version of a later Terraform",
    { terraform: { required_version: ">= 1.12" } },
    "Unsupported Terraform Core version",
  ],
  [
    "required_version before a release",
    { terraform: { required_version: ">= 1.11.0-beta1" } },
    "Invalid required_version constraint",
  ],
];

const condition = (value: unknown): object => ({ condition: value, error_message: "x." });
const PRECONDITION = "Invalid precondition expression";
const WRONG_TYPE = "Incorrect attribute value type";
const variable = (body: object): StackJson => ({ variable: { v: body } });
const localExec = (body: object): StackJson =>
  resource({ provisioner: { "local-exec": { command: "true", ...body } } });

const removedWith = (body: object): object => ({
  from: "null_resource.z",
  lifecycle: { destroy: true },
  provisioner: { "local-exec": body },
});

const VALUES: readonly Case[] = [
  [
    "condition without a reference",
    resource({ lifecycle: { precondition: condition("${1 == 1}") } }),
    PRECONDITION,
  ],
  ["literal condition", resource({ lifecycle: { precondition: condition(true) } }), PRECONDITION],
  [
    "literal postcondition",
    resource({ lifecycle: { postcondition: condition(5) } }),
    "Invalid postcondition expression",
  ],
  [
    "condition of an output",
    { output: { x: { value: 1, precondition: condition("${1 == 1}") } } },
    PRECONDITION,
  ],
  [
    "condition of a check",
    { check: { c: { assert: condition("${1 == 2}") } } },
    "Invalid assert expression",
  ],
  [
    "condition of a variable",
    variable({ default: "d", validation: condition(true) }),
    "Invalid validation expression",
  ],
  [
    "message of a check",
    resource(
      {},
      { check: { c: { assert: { condition: "${null_resource.b.id != 1}", error_message: [] } } } },
    ),
    "Invalid error message",
  ],
  [
    "call in a type",
    variable({ type: 'object({a=optional(string,upper("x"))})', default: {} }),
    "Function calls not allowed",
  ],
  [
    "repeated attribute of a type",
    variable({ type: "object({a=string,a=number})", default: { a: 1 } }),
    "Invalid type specification",
  ],
  [
    "type without a comma",
    variable({ type: "tuple([string number])", default: ["a", 1] }),
    "Invalid type specification",
  ],
  ["repeated key", resource({ triggers: { '${"a"}': "x", a: "y" } }), "Duplicate object attribute"],
  [
    "ignored attribute of a string",
    resource({ lifecycle: { ignore_changes: ['triggers["a"].b'] } }),
    UNSUPPORTED,
  ],
  [
    "import ID",
    resource({}, { import: { to: "null_resource.a", id: "" } }),
    "Invalid import id argument",
  ],
  [
    "for_each of an import",
    resource({}, { import: { to: "null_resource.a", id: "x", for_each: true } }),
    "Invalid for_each argument",
  ],
  [
    "provisioner of a removed block",
    resource({}, { removed: removedWith({ command: "x" }) }),
    "Invalid provisioner block",
  ],
  [
    "reference in a removed block",
    resource({}, { removed: removedWith({ command: "${null_resource.a.id}", when: "destroy" }) }),
    "Invalid reference from destroy provisioner",
  ],
  ["command", localExec({ command: [] }), WRONG_TYPE],
  ["interpreter", localExec({ interpreter: true }), WRONG_TYPE],
  ["environment", localExec({ environment: { k: [] } }), WRONG_TYPE],
  ["quiet", localExec({ quiet: "x" }), WRONG_TYPE],
];

const TWICE: readonly Case[] = [
  [
    "resource",
    text('"resource":{"null_resource":{"a":{},"a":{}}}'),
    'Duplicate resource "null_resource" configuration',
  ],
  [
    "argument",
    text('"resource":{"null_resource":{"a":{"count":1,"count":2}}}'),
    "Duplicate argument",
  ],
  [
    "key of a map",
    text('"resource":{"null_resource":{"a":{"triggers":{"k":"1","\\u006b":"1"}}}}'),
    "Duplicate object attribute",
  ],
  ["output", text('"output":{"x":{"value":1},"x":{"value":2}}'), "Duplicate output definition"],
];

const GROUPS: readonly (readonly [string, readonly Case[]])[] = [
  ["name", NAMES],
  ["absent value", ABSENT],
  ["static reference", STATIC],
  ["argument", ARGUMENTS],
  ["value", VALUES],
];

/** Cases that OpenTofu reports by another summary, or (without one) not at all. */
const OPENTOFU: Readonly<Record<string, string | undefined>> = {
  "absent value: provider": "Expected string expression",
  "argument: provider as expression": "Invalid expression",
  "argument: required_version of a later Terraform": undefined,
  "argument: required_version before a release": undefined,
  "value: import ID": undefined,
  "value: provisioner of a removed block": 'Invalid "removed.provisioner" block',
};

/** Cases that Terraform 1.15 accepts. */
const NEWER: typeof OPENTOFU = {
  "argument: required_version of a later Terraform": undefined,
};

function expectedOfProgram(name: string, summary: string): readonly string[] {
  const other = IS_TOFU ? OPENTOFU : IS_NEWER ? NEWER : {};
  const expected = name in other ? other[name] : summary;
  return expected === undefined ? [] : [expected];
}

describeWithTerraform("both engines refuse before anything is read", () => {
  let seat: Seat;
  beforeAll(async () => {
    [seat] = await openSeats();
  });

  describe.each(GROUPS)("an invalid %s", (group, cases) => {
    test.each(cases)("%s", async (name, stack, summary) => {
      configure(seat, stack);
      const expected = expectedOfProgram(`${group}: ${name}`, summary);
      expect(await terraformErrors(seat)).toEqual(expect.arrayContaining([...expected]));
      expect(await executorErrors(seat)).toContain(summary);
    });
  });

  test.each(TWICE)("a %s that is given twice", async (_name, stack, summary) => {
    configure(seat, stack);
    expect(await terraformErrors(seat)).toContain(summary);
    expect(await executorErrors(seat)).toEqual(["Duplicate argument"]);
  });
});
