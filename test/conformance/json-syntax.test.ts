import type { StackJson } from "../cli/stack-files";
import { describeWithTerraform } from "../support/terraform";
import { IS_NEWER, IS_TOFU } from "./support/program";
import { openSeats, type Seat } from "./support/seat";
import { configure, executorErrors, terraformErrors } from "./support/validation";

/*
 * The forms that JSON syntax allows for a block, by its description in Terraform's documentation and
 * by trying them. A configuration is accepted by both engines, or refused by both.
 */

const X = { input: 1 };
const x = (body: unknown): StackJson => ({ resource: { terraform_data: { x: body } } });
const condition = { condition: "${terraform_data.x.id != 1}", error_message: "x" };
const withX = (more: StackJson): StackJson => ({ ...x(X), ...more });

const settings = (terraform: object): StackJson => withX({ terraform });

const ACCEPTED: Readonly<Record<string, StackJson>> = {
  "a list of one body": x([X]),
  "a list of names": { resource: { terraform_data: [{ x: X }, { y: X }] } },
  "lists of types and names": {
    resource: [{ terraform_data: { x: X } }, { terraform_data: [{ y: X }] }],
  },
  "no body": x([]),
  "a null body": x(null),
  outputs: { output: [{ a: [{ value: 1 }] }, { b: { value: 2 } }] },
  variables: { variable: [{ a: [{ default: 1 }] }, { b: [{ default: 1 }] }] },
  locals: { locals: [{ a: 1 }, { b: [2] }], output: { o: { value: "${local.a + local.b[0]}" } } },
  providers: { provider: [{ terraform: {} }] },
  lifecycle: x({ ...X, lifecycle: [{ ignore_changes: ["input"] }] }),
  "a list of provisioners": x({ provisioner: [{ "local-exec": [{ command: "true" }] }] }),
  "inner blocks that are none": {
    ...x({ ...X, lifecycle: [], connection: [] }),
    variable: { v: { default: 1, validation: null } },
    output: { o: { value: 1, precondition: [] } },
  },
  "bodies that are lists": {
    ...x([[{ input: 1 }, { lifecycle: [[{ ignore_changes: ["input"] }]] }]]),
    output: { a: [[{ value: 1 }]] },
    variable: { a: [[{ default: 1 }]] },
  },
  "a null body in a list": x([null]),
  "an empty body in a list": x([[]]),
  "no provisioner of a type": x({ provisioner: { "local-exec": null } }),
  "no backend": settings({ backend: { local: null } }),
  "settings that are none": settings({ required_providers: null, cloud: null }),
  "no lifecycle of removed objects": { removed: { from: "terraform_data.a", lifecycle: null } },
  "null in a lifecycle": x({ ...X, lifecycle: { precondition: null } }),
  "a null connection": x({ ...X, connection: null }),
  "two provisioners": x({
    provisioner: { "local-exec": [{ command: "true" }, { command: "true" }] },
  }),
  checks: withX({ check: [{ c: { assert: condition } }] }),
  moved: withX({ moved: { from: "terraform_data.a", to: "terraform_data.x" } }),
  "a list of moved": withX({ moved: [{ from: "terraform_data.a", to: "terraform_data.x" }] }),
  removed: { removed: { from: "terraform_data.a", lifecycle: { destroy: false } } },
  "a precondition": x({
    lifecycle: { precondition: { ...condition, condition: "${path.cwd != 1}" } },
  }),
  "a validation": {
    variable: { a: { default: 1, validation: { condition: "${var.a > 0}", error_message: "x" } } },
  },
  "an import": withX({ import: { to: "terraform_data.x", id: "a" } }),
  "the language's edition": settings({ language: "TF2021" }),
  "metadata of a provider without resources": settings({ provider_meta: { cwp: { a: 1 } } }),
  "a comment on settings": settings({ "//": 1 }),
  "comments in bodies": withX({
    "//": 1,
    output: { a: { "//": 1, value: 1 } },
    locals: { "//": 1, a: 1 },
  }),
};

const AS_TEXT: Readonly<Record<string, readonly [text: string, isAccepted: boolean]>> = {
  "a list at the root": ['[{"terraform":TERRAFORM},{"output":{"a":{"value":1}}}]', true],
  "two terraform blocks": ['{"terraform":[TERRAFORM,{"required_version":"> 1.0"}]}', true],
  "a byte order mark": ['\uFEFF{"terraform":TERRAFORM}', false],
  "a number at the root": ["1", false],
};

const REFUSED: Readonly<Record<string, StackJson>> = {
  "two bodies": x([X, X]),
  "two bodies in two lists": {
    resource: [{ terraform_data: { x: X } }, { terraform_data: { x: X } }],
  },
  "a null type": { resource: { terraform_data: null } },
  "two outputs of a name": { output: { a: [{ value: 1 }, { value: 2 }] } },
  "two locals of a name": { locals: [{ a: 1 }, { a: 2 }] },
  "two lifecycle blocks": x({ ...X, lifecycle: [{}, {}] }),
  "names in lists of lists": { resource: { terraform_data: [[{ x: X }]] } },
  "locals in lists of lists": { locals: [[{ a: 1 }]] },
  "a body that sets a name twice": x([[X, X]]),
  "a null backend": settings({ backend: null }),
  "an empty backend": settings({ backend: {} }),
  "empty metadata": settings({ provider_meta: {} }),
  "a null provisioner": x({ provisioner: null }),
  "a comment in the place of a type": { resource: { "//": 1, terraform_data: { x: X } } },
  "a comment in the place of a name": { output: { "//": {}, a: { value: 1 } } },
  "another member": x({ ...X, nope: 1 }),
  "another member of a variable": { variable: { a: { default: 1, nope: 1 } } },
  "two blocks of metadata": settings({ provider_meta: { null: [{}, {}] } }),
  "metadata of an invalid name": settings({ provider_meta: { "a b": {} } }),
  "another setting": settings({ nope: 1 }),
  "text in the place of blocks": { resource: "x" },
  "text in a list of blocks": { output: ["a"] },
  "a number in the place of names": { resource: { terraform_data: 1 } },
};

/** OpenTofu takes one lifecycle of removed objects. */
const ACCEPTED_BY_TERRAFORM: Readonly<Record<string, StackJson>> = {
  "two lifecycles of removed objects": {
    removed: { from: "terraform_data.a", lifecycle: [{ destroy: false }, {}] },
  },
};

/** Later releases have other versions. */
const ACCEPTED_BY_1_11: Readonly<Record<string, StackJson>> = {
  "the newest patch release": settings({ required_version: "<= 1.11.4" }),
};

/** OpenTofu has other versions, and no editions. */
const OF_TERRAFORM: Readonly<Record<string, StackJson>> = {
  "another edition": settings({ language: "TF2020" }),
  "an older patch release": settings({ required_version: "< 1.11.4" }),
};

describeWithTerraform("in JSON syntax, both engines", () => {
  let seats: readonly [Seat, Seat];
  beforeAll(async () => {
    seats = await openSeats();
  });

  async function expectErrors(stack: StackJson | string, isAccepted: boolean): Promise<void> {
    for (const seat of seats) configure(seat, stack);
    const [ours, theirs] = await Promise.all([executorErrors(seats[0]), terraformErrors(seats[1])]);
    expect({ ours, accepted: ours.length === 0 }).toMatchObject({ accepted: isAccepted });
    expect({ theirs, accepted: theirs.length === 0 }).toMatchObject({ accepted: isAccepted });
  }

  const accepted = {
    ...ACCEPTED,
    ...(!IS_TOFU && ACCEPTED_BY_TERRAFORM),
    ...(!IS_NEWER && ACCEPTED_BY_1_11),
  };
  test.each(Object.entries(accepted))("accept %s", (_, stack) => expectErrors(stack, true));
  const refused = IS_TOFU ? REFUSED : { ...REFUSED, ...OF_TERRAFORM };
  test.each(Object.entries(refused))("refuse %s", (_, stack) => expectErrors(stack, false));
  test.each(Object.entries(AS_TEXT))("agree on %s", (_, [text, isAccepted]) =>
    expectErrors(text, isAccepted),
  );

  test("differ on a member of an object that the schema does not have", async () => {
    const policies = [{ name: "a", checks: { "41": true }, chekcs: {} }];
    const stack = { resource: { cwp_compliance_policy_set: { all: { policies } } } };
    for (const seat of seats) configure(seat, stack);
    // Terraform drops it.
    expect(await terraformErrors(seats[1])).toEqual([]);
    expect(await executorErrors(seats[0])).toEqual(["Unsupported argument"]);
  });
});
