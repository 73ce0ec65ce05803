import { describeWithTerraform } from "../support/terraform";
import { conforms } from "./support/conform";
import { policy, specification, stackOf } from "./support/stacks";

const SET = "cwp_compliance_policy_set";
const SCAN = "cwp_registry_scan";
const DEFAULTS = ["Default - ignore own components", "Default - alert on critical and high"];
const setOf = (...names: string[]) => ({
  [SET]: { all: { policies: names.map((name) => policy(name)) } },
});
const gate = (trigger: string, lifecycle: object = {}) => ({
  gate: { triggers: { trigger }, lifecycle },
  behind: { triggers: { gate: "${null_resource.gate.id}" }, lifecycle },
});

describeWithTerraform("both engines do the same with one object", () => {
  conforms("that comes, changes and goes", [
    {
      does: "creates",
      stack: stackOf({
        ...setOf("First"),
        [SCAN]: { all: { specifications: [specification("a/*")] } },
      }),
      plans: [`${SET}.all create`, `${SCAN}.all create`],
    },
    { does: "finds nothing to do", plans: [] },
    {
      does: "updates one in place and deletes the other",
      stack: stackOf(setOf("Second", "First")),
      plans: [`${SET}.all update`, `${SCAN}.all delete`],
    },
    {
      does: "destroys",
      request: { mode: "destroy" },
      plans: [`${SET}.all delete`],
      after: ({ console }) => {
        expect(console.policies()).toHaveLength(2);
      },
    },
    { does: "creates anew", plans: [`${SET}.all create`] },
  ]);

  conforms("that is replaced, the old one first", [
    {
      does: "creates",
      stack: stackOf({ null_resource: gate("1") }),
      plans: ["null_resource.behind create", "null_resource.gate create"],
    },
    {
      does: "replaces it and what is behind it",
      stack: stackOf({ null_resource: gate("2") }),
      plans: ["null_resource.behind delete create", "null_resource.gate delete create"],
    },
  ]);

  conforms("that is replaced, the new one first", [
    {
      does: "creates",
      stack: stackOf({ null_resource: gate("1", { create_before_destroy: true }) }),
      plans: ["null_resource.behind create", "null_resource.gate create"],
    },
    {
      does: "replaces it and what is behind it",
      stack: stackOf({ null_resource: gate("2", { create_before_destroy: true }) }),
      plans: ["null_resource.behind create delete", "null_resource.gate create delete"],
    },
    {
      does: "passes the order on to what it stands behind",
      stack: stackOf({
        null_resource: {
          ...gate("3"),
          behind: {
            triggers: { gate: "${null_resource.gate.id}" },
            lifecycle: { create_before_destroy: true },
          },
        },
      }),
      plans: ["null_resource.behind create delete", "null_resource.gate create delete"],
    },
    {
      does: "deletes in order",
      stack: stackOf({}),
      plans: ["null_resource.behind delete", "null_resource.gate delete"],
    },
  ]);

  conforms("of the console that is replaced", [
    {
      does: "creates",
      stack: stackOf(setOf("First", "Second")),
      plans: [`${SET}.all create`],
    },
    {
      does: "replaces it where the ownership changes",
      stack: stackOf({ [SET]: { all: { ownership: "prefix", policies: [policy("First")] } } }),
      plans: [`${SET}.all delete create`],
      after: ({ console }) => {
        expect(console.policies().map(({ name }) => name)[0]).toBe("First");
      },
    },
  ]);

  const createdFirst = (ownership: string, ...names: string[]) =>
    stackOf({
      [SET]: {
        all: {
          ownership,
          policies: names.map((name) => policy(name)),
          lifecycle: { create_before_destroy: true },
        },
      },
    });

  conforms("of the console that is replaced, the new one first", [
    {
      does: "creates",
      stack: createdFirst("exclusive", "First", "Second"),
      plans: [`${SET}.all create`],
    },
    {
      does: "keeps what the new one wrote, before what the old one puts back",
      stack: createdFirst("prefix", "First"),
      plans: [`${SET}.all create delete`],
      after: ({ console }) => {
        expect(console.policies().map(({ name }) => name)).toEqual(["First", ...DEFAULTS]);
      },
    },
    {
      does: "and again, at the other end",
      stack: createdFirst("suffix", "First"),
      plans: [`${SET}.all create delete`],
      after: ({ console }) => {
        expect(console.policies().map(({ name }) => name)).toEqual([...DEFAULTS, "First"]);
      },
    },
  ]);

  conforms("that is replaced by what it stands behind", [
    {
      does: "creates",
      stack: stackOf({
        ...setOf("First"),
        null_resource: {
          scan: { lifecycle: { replace_triggered_by: [`${SET}.all.content_sha256`] } },
        },
      }),
      plans: [`${SET}.all create`, "null_resource.scan create"],
    },
    {
      does: "replaces it with an update of the other",
      stack: stackOf({
        ...setOf("Second"),
        null_resource: {
          scan: { lifecycle: { replace_triggered_by: [`${SET}.all.content_sha256`] } },
        },
      }),
      plans: [`${SET}.all update`, "null_resource.scan delete create"],
    },
  ]);

  conforms("that is tainted, or replaced on demand", [
    {
      does: "creates",
      stack: stackOf({
        [SET]: { all: { policies: [policy("First")], on_destroy: "clear" } },
        null_resource: gate("1"),
      }),
      plans: [`${SET}.all create`, "null_resource.behind create", "null_resource.gate create"],
    },
    {
      does: "replaces what a user tainted",
      commands: ["taint null_resource.gate", `taint ${SET}.all`],
      plans: [
        `${SET}.all delete create`,
        "null_resource.behind delete create",
        "null_resource.gate delete create",
      ],
    },
    {
      does: "leaves alone what is untainted again",
      commands: ["taint null_resource.gate", "untaint null_resource.gate"],
      plans: [],
    },
    {
      does: "replaces what is named",
      request: { replace: ["null_resource.behind", `${SET}.all`] },
      plans: [`${SET}.all delete create`, "null_resource.behind delete create"],
    },
  ]);

  conforms("that is tainted, which in the end puts back what was there before it", [
    { does: "creates", stack: stackOf(setOf("First")), plans: [`${SET}.all create`] },
    {
      does: "replaces it",
      commands: [`taint ${SET}.all`],
      plans: [`${SET}.all delete create`],
    },
    {
      does: "replaces it once more, by the other engine",
      commands: [`taint ${SET}.all`],
      plans: [`${SET}.all delete create`],
    },
    {
      does: "ends it",
      request: { mode: "destroy" },
      plans: [`${SET}.all delete`],
      after: ({ console }) => {
        expect(console.policies().map(({ name }) => name)).toEqual(DEFAULTS);
      },
    },
    { does: "creates anew", plans: [`${SET}.all create`] },
  ]);

  conforms("whose changes are ignored", [
    {
      does: "creates",
      stack: stackOf({
        ...setOf("First"),
        null_resource: { all: { triggers: { a: "1" } }, one: { triggers: { a: "1", b: "1" } } },
      }),
      plans: [`${SET}.all create`, "null_resource.all create", "null_resource.one create"],
    },
    {
      does: "sees only what is not ignored",
      stack: stackOf({
        [SET]: {
          all: { policies: [policy("Second")], lifecycle: { ignore_changes: ["policies"] } },
        },
        null_resource: {
          all: { triggers: { a: "2" }, lifecycle: { ignore_changes: "all" } },
          one: { triggers: { a: "2", b: "2" }, lifecycle: { ignore_changes: ['triggers["a"]'] } },
        },
      }),
      plans: ["null_resource.one delete create"],
    },
    {
      does: "leaves drift where it is, and says that it is in position",
      before: ({ console }) => console.edit({ policies: [] }),
      plans: [`${SET}.all update`, `drift ${SET}.all update`],
      after: ({ console }) => {
        expect(console.policies()).toEqual([]);
      },
    },
  ]);

  const kept = (a: string) =>
    stackOf({ null_resource: { kept: { triggers: { a }, lifecycle: { prevent_destroy: true } } } });
  conforms("that must not be destroyed", [
    {
      does: "creates",
      stack: kept("1"),
      plans: ["null_resource.kept create"],
    },
    {
      does: "refuses to replace it",
      stack: kept("2"),
      errors: ["Instance cannot be destroyed"],
    },
    {
      does: "refuses to destroy it",
      stack: kept("1"),
      request: { mode: "destroy" },
      errors: ["Instance cannot be destroyed"],
    },
    {
      does: "deletes it once it is not in the configuration",
      stack: stackOf({}),
      plans: ["null_resource.kept delete"],
    },
  ]);
});
