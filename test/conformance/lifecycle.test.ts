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

describeWithTerraform("both engines treat an object in the same way", () => {
  conforms("that is created, updated and destroyed", [
    {
      does: "creates",
      stack: stackOf({
        ...setOf("First"),
        [SCAN]: { all: { specifications: [specification("a/*")] } },
      }),
      plans: [`${SET}.all create`, `${SCAN}.all create`],
    },
    { does: "finds no changes", plans: [] },
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
    { does: "creates it again", plans: [`${SET}.all create`] },
  ]);

  conforms("that is replaced, delete first", [
    {
      does: "creates",
      stack: stackOf({ null_resource: gate("1") }),
      plans: ["null_resource.behind create", "null_resource.gate create"],
    },
    {
      does: "replaces it and its dependent",
      stack: stackOf({ null_resource: gate("2") }),
      plans: ["null_resource.behind delete create", "null_resource.gate delete create"],
    },
  ]);

  conforms("that is replaced, create first", [
    {
      does: "creates",
      stack: stackOf({ null_resource: gate("1", { create_before_destroy: true }) }),
      plans: ["null_resource.behind create", "null_resource.gate create"],
    },
    {
      does: "replaces it and its dependent",
      stack: stackOf({ null_resource: gate("2", { create_before_destroy: true }) }),
      plans: ["null_resource.behind create delete", "null_resource.gate create delete"],
    },
    {
      does: "applies create_before_destroy to its dependencies",
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

  conforms("of a console that is replaced", [
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

  conforms("of a console that is replaced, create first", [
    {
      does: "creates",
      stack: createdFirst("exclusive", "First", "Second"),
      plans: [`${SET}.all create`],
    },
    {
      does: "keeps the policies of the new object before those that the old one restores",
      stack: createdFirst("prefix", "First"),
      plans: [`${SET}.all create delete`],
      after: ({ console }) => {
        expect(console.policies().map(({ name }) => name)).toEqual(["First", ...DEFAULTS]);
      },
    },
    {
      does: "does so again at the other end",
      stack: createdFirst("suffix", "First"),
      plans: [`${SET}.all create delete`],
      after: ({ console }) => {
        expect(console.policies().map(({ name }) => name)).toEqual([...DEFAULTS, "First"]);
      },
    },
  ]);

  conforms("that is replaced by a change of its dependency", [
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
      does: "replaces it with an update of the dependency",
      stack: stackOf({
        ...setOf("Second"),
        null_resource: {
          scan: { lifecycle: { replace_triggered_by: [`${SET}.all.content_sha256`] } },
        },
      }),
      plans: [`${SET}.all update`, "null_resource.scan delete create"],
    },
  ]);

  conforms("that is tainted or replaced on request", [
    {
      does: "creates",
      stack: stackOf({
        [SET]: { all: { policies: [policy("First")], on_destroy: "clear" } },
        null_resource: gate("1"),
      }),
      plans: [`${SET}.all create`, "null_resource.behind create", "null_resource.gate create"],
    },
    {
      does: "replaces a tainted object",
      commands: ["taint null_resource.gate", `taint ${SET}.all`],
      plans: [
        `${SET}.all delete create`,
        "null_resource.behind delete create",
        "null_resource.gate delete create",
      ],
    },
    {
      does: "does not replace an untainted object",
      commands: ["taint null_resource.gate", "untaint null_resource.gate"],
      plans: [],
    },
    {
      does: "replaces the named object",
      request: { replace: ["null_resource.behind", `${SET}.all`] },
      plans: [`${SET}.all delete create`, "null_resource.behind delete create"],
    },
  ]);

  conforms("that is tainted, and restores the original policies on destroy", [
    { does: "creates", stack: stackOf(setOf("First")), plans: [`${SET}.all create`] },
    {
      does: "replaces it",
      commands: [`taint ${SET}.all`],
      plans: [`${SET}.all delete create`],
    },
    {
      does: "replaces it again with the other engine",
      commands: [`taint ${SET}.all`],
      plans: [`${SET}.all delete create`],
    },
    {
      does: "destroys it",
      request: { mode: "destroy" },
      plans: [`${SET}.all delete`],
      after: ({ console }) => {
        expect(console.policies().map(({ name }) => name)).toEqual(DEFAULTS);
      },
    },
    { does: "creates it again", plans: [`${SET}.all create`] },
  ]);

  conforms("with ignored changes", [
    {
      does: "creates",
      stack: stackOf({
        ...setOf("First"),
        null_resource: { all: { triggers: { a: "1" } }, one: { triggers: { a: "1", b: "1" } } },
      }),
      plans: [`${SET}.all create`, "null_resource.all create", "null_resource.one create"],
    },
    {
      does: "plans only changes that are not ignored",
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
      does: "ignores drift, and reports it as in position",
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
      does: "destroys it when it is removed from the configuration",
      stack: stackOf({}),
      plans: ["null_resource.kept delete"],
    },
  ]);
});
