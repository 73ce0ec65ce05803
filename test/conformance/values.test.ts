import { describeWithTerraform } from "../support/terraform";
import { conforms } from "./support/conform";
import { consoleBlock, policy, specification, stackOf } from "./support/stacks";

const SET = "cwp_compliance_policy_set";
const hidden = (value: string) => ({ hidden: { type: "string", default: value, sensitive: true } });

describeWithTerraform("both engines treat values alike", () => {
  conforms("outputs", [
    {
      does: "keeps all types, and says what is sensitive",
      stack: stackOf(
        { null_resource: { one: { triggers: { hidden: "${var.hidden}", plain: "<a&b>" } } } },
        {
          variable: hidden("s3cret"),
          output: {
            object: { value: { name: "é", list: [1, "two", null], flag: true } },
            list: { value: '${["a", "b"]}' },
            set: { value: '${toset(["b", "a"])}' },
            number: { value: 9007199254740991 },
            nothing: { value: null },
            hidden: { value: "${null_resource.one.triggers}", sensitive: true },
            plain: { value: "${nonsensitive(null_resource.one.triggers.hidden)}" },
          },
        },
      ),
      plans: [
        "null_resource.one create",
        "output.hidden create",
        "output.list create",
        "output.number create",
        "output.object create",
        "output.plain create",
        "output.set create",
      ],
    },
    {
      does: "changes types, and what is sensitive",
      stack: stackOf(
        { null_resource: { one: { triggers: { hidden: "${var.hidden}", plain: "<a&b>" } } } },
        {
          variable: hidden("s3cret"),
          output: {
            object: { value: { name: "é" } },
            list: { value: ["b"] },
            number: { value: "9007199254740991" },
            hidden: { value: "${null_resource.one.triggers.plain}", sensitive: true },
            plain: { value: "s3cret", sensitive: true },
          },
        },
      ),
      plans: [
        "output.hidden update",
        "output.list update",
        "output.number update",
        "output.object update",
        "output.plain update",
        "output.set delete",
      ],
    },
    {
      does: "refuses a sensitive value that the output does not call so",
      stack: stackOf(
        {},
        { variable: hidden("s3cret"), output: { plain: { value: "${var.hidden}" } } },
      ),
      errors: ["Output refers to sensitive values"],
    },
  ]);

  const exact = stackOf(
    { null_resource: { one: { triggers: { third: "${1 / 3}", large: "${9007199254740993}" } } } },
    {
      output: {
        third: { value: "${1 / 3}" },
        large: { value: "${9007199254740993}" },
        decoded: { value: '${jsondecode("[9007199254740993, 0.1]")}' },
        sum: { value: "${0.1 + 0.2}" },
        difference: { value: "${1 - 0.9}" },
        trigger: { value: "${tonumber(null_resource.one.triggers.large)}" },
      },
    },
  );
  conforms("numbers that JavaScript rounds", [
    {
      does: "stores Terraform's digits",
      stack: exact,
      plans: [
        "null_resource.one create",
        "output.decoded create",
        "output.difference create",
        "output.large create",
        "output.sum create",
        "output.third create",
        "output.trigger create",
      ],
    },
    {
      does: "plans what Terraform plans for stored digits",
      stack: exact,
      plans: [],
    },
  ]);

  conforms("sensitive values in objects", [
    {
      does: "marks them",
      stack: stackOf(
        {
          [SET]: {
            all: { policies: [policy("First", { resources: { hosts: ["${var.hidden}"] } })] },
          },
          null_resource: { one: { triggers: { a: "${var.hidden}", b: "${var.hidden}", c: "c" } } },
        },
        { variable: hidden("s3cret") },
      ),
      plans: [`${SET}.all create`, "null_resource.one create"],
    },
    {
      does: "marks others",
      stack: stackOf(
        {
          [SET]: { all: { policies: [policy("${var.hidden}")] } },
          null_resource: { one: { triggers: { a: "s3cret", b: "s3cret", c: "${var.hidden}" } } },
        },
        { variable: hidden("c") },
      ),
      plans: [`${SET}.all update`, "null_resource.one update"],
    },
    {
      does: "no longer marks them",
      stack: stackOf({
        [SET]: { all: { policies: [policy("c")] } },
        null_resource: { one: { triggers: { a: "s3cret", b: "s3cret", c: "c" } } },
      }),
      plans: [`${SET}.all update`, "null_resource.one update"],
    },
  ]);

  const license = (key: string) => ({ cwp_license: { all: { key } } });
  conforms("write-only and ephemeral values", [
    {
      does: "installs a license whose key is kept nowhere",
      stack: stackOf(license("${var.CONSOLE_LICENSE_KEY}"), {
        output: { fingerprint: { value: "${cwp_license.all.key_fingerprint}" } },
      }),
      plans: ["cwp_license.all create", "output.fingerprint create"],
    },
    {
      does: "notices another key",
      stack: stackOf(license("another-key-of-high-entropy"), {
        output: { fingerprint: { value: "${cwp_license.all.key_fingerprint}" } },
      }),
      plans: ["cwp_license.all update", "output.fingerprint update"],
    },
    {
      does: "refuses an ephemeral value elsewhere",
      stack: stackOf({
        null_resource: { one: { triggers: { key: "${var.CONSOLE_LICENSE_KEY}" } } },
      }),
      errors: ["Invalid use of ephemeral value"],
    },
  ]);

  const inline = (secret: string) =>
    stackOf(
      {
        cwp_registry_scan: {
          all: {
            specifications: [
              specification("a/*", {
                credential: { type: "basic", account_id: "robot", secret },
              }),
              specification("b/*", { credential_id: "stored" }),
            ],
          },
        },
      },
      { provider: { cwp: [consoleBlock(1, { release: "20.04" })] } },
    );
  conforms(
    "write-only values in lists",
    [
      {
        does: "sends them",
        stack: inline("${var.CONSOLE_LICENSE_KEY}"),
        plans: ["cwp_registry_scan.all create"],
      },
      {
        does: "notices another one",
        stack: inline("another-secret-of-high-entropy"),
        plans: ["cwp_registry_scan.all update"],
      },
    ],
    { release: "20.04" },
  );

  conforms("values that are not known before the apply", [
    {
      does: "plans around them",
      stack: stackOf(
        {
          null_resource: {
            first: {},
            second: { triggers: { first: "${null_resource.first.id}" } },
          },
          [SET]: {
            all: {
              policies: [policy("First", { resources: { labels: ["${local.late}", "b"] } })],
            },
          },
          cwp_registry_scan: {
            all: { specifications: [specification("a/${local.late}", { cap: 3 })] },
          },
        },
        {
          // Not known before the apply, and then the same for both.
          locals: { late: '${null_resource.second.id == "" ? "none" : "late"}' },
          output: { both: { value: ["${null_resource.first.id}", "${null_resource.second.id}"] } },
        },
      ),
      plans: [
        `${SET}.all create`,
        "cwp_registry_scan.all create",
        "null_resource.first create",
        "null_resource.second create",
        "output.both create",
      ],
    },
    {
      does: "carries a replacement on",
      commands: ["taint null_resource.first"],
      plans: [
        `${SET}.all update`,
        "cwp_registry_scan.all update",
        "null_resource.first delete create",
        "null_resource.second delete create",
        "output.both update",
      ],
    },
  ]);

  const unknownConsole = (...names: string[]) =>
    stackOf(
      {
        null_resource: { address: {} },
        [SET]: { all: { policies: names.map((name) => policy(name)) } },
      },
      {
        provider: {
          cwp: [
            consoleBlock(1, {
              username: '${null_resource.address.id == "" ? "nobody" : "admin"}',
            }),
          ],
        },
      },
    );
  conforms("a console that is not known before the apply", [
    {
      does: "plans without it",
      stack: unknownConsole("First"),
      plans: [`${SET}.all create`, "null_resource.address create"],
    },
    { does: "knows it afterwards", plans: [] },
    {
      does: "does not know it again, and changes it all the same",
      stack: unknownConsole("Second", "First"),
      commands: ["taint null_resource.address"],
      plans: [`${SET}.all update`, "null_resource.address delete create"],
    },
  ]);

  const LATE = { condition: '${self.id == ""}', error_message: "Too late." };
  const checked = (note: string) =>
    stackOf(
      {
        null_resource: {
          one: {
            triggers: { note: "${var.note}" },
            lifecycle: {
              precondition: { condition: '${var.note != "bad"}', error_message: "No bad notes." },
              postcondition: {
                condition: '${self.triggers.note != "worse"}',
                error_message: "No worse notes.",
              },
              // Not known before the apply.
              ...(note === "late" && { postcondition: LATE }),
            },
          },
        },
      },
      {
        variable: {
          note: {
            type: "string",
            default: note,
            validation: { condition: "${length(var.note) < 9}", error_message: "Be short." },
          },
        },
        output: {
          note: {
            value: "${null_resource.one.triggers.note}",
            precondition: { condition: '${var.note != "worst"}', error_message: "Not the worst." },
          },
        },
      },
    );
  conforms("conditions", [
    {
      does: "holds",
      stack: checked("good"),
      plans: ["null_resource.one create", "output.note create"],
    },
    {
      does: "fails at the first error that a plan cannot find",
      stack: checked("late"),
      plans: ["null_resource.one delete create", "output.note update"],
      errors: ["Too late."],
    },
    {
      does: "holds again",
      stack: checked("fine"),
      plans: ["null_resource.one delete create", "output.note update"],
    },
    {
      does: "holds for what is destroyed",
      request: { mode: "destroy" },
      plans: ["null_resource.one delete", "output.note delete"],
    },
    {
      does: "holds once more",
      plans: ["null_resource.one create", "output.note create"],
    },
    { does: "refuses a resource", stack: checked("bad"), errors: ["Resource precondition failed"] },
    {
      does: "refuses the result",
      stack: checked("worse"),
      errors: ["Resource postcondition failed"],
    },
    {
      does: "refuses an output",
      stack: checked("worst"),
      errors: ["Module output value precondition failed"],
    },
    {
      does: "refuses a variable",
      stack: checked("much too long"),
      errors: ["Invalid value for variable"],
    },
  ]);
});
