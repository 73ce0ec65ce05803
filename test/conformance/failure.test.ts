import type { Fault } from "../../src/simulator";
import { describeWithTerraform } from "../support/terraform";
import { conforms } from "./support/conform";
import { consoleBlock, policy, specification, stackOf } from "./support/stacks";
import type { World } from "./support/world";

const SET = "cwp_compliance_policy_set";
const SCAN = "cwp_registry_scan";
const REFUSED = { kind: "status", status: 400 } as const;

const meets =
  (...faults: Fault[]) =>
  (world: World) => {
    world.console.faults.clear();
    for (const fault of faults) world.console.faults.add(fault);
    return Promise.resolve();
  };
const heals = meets();

/** A chain: the scan depends on the policies, the end on the scan. */
const chain = (trigger: string, lifecycle: object = {}, policies = "First") =>
  stackOf(
    {
      [SET]: { all: { policies: [policy(policies)] } },
      [SCAN]: { all: { specifications: [specification(trigger)], depends_on: [`${SET}.all`] } },
      null_resource: {
        beside: { triggers: { trigger }, lifecycle },
        end: { triggers: { trigger }, depends_on: [`${SCAN}.all`], lifecycle },
      },
    },
    {
      provider: { cwp: [consoleBlock(1, { max_retries: 0 })] },
      output: { end: { value: "${null_resource.end.id}" } },
    },
  );
const CREATED = [
  `${SET}.all create`,
  `${SCAN}.all create`,
  "null_resource.beside create",
  "null_resource.end create",
  "output.end create",
];

describeWithTerraform("both engines fail and recover in the same way", () => {
  conforms("an interrupted apply", [
    {
      does: "keeps completed changes",
      stack: chain("1"),
      before: meets({ target: "putRegistrySettings", outcome: REFUSED }),
      plans: CREATED,
      errors: ["400"],
    },
    {
      does: "continues from there",
      before: heals,
      plans: [`${SCAN}.all create`, "null_resource.end create", "output.end create"],
    },
    {
      does: "fails at an update",
      stack: chain("2"),
      before: meets({ target: "putRegistrySettings", outcome: REFUSED }),
      plans: [
        `${SCAN}.all update`,
        "null_resource.beside delete create",
        "null_resource.end delete create",
        "output.end update",
      ],
      errors: ["400"],
    },
    {
      does: "continues from there again",
      before: heals,
      plans: [`${SCAN}.all update`, "null_resource.end create", "output.end update"],
    },
    {
      does: "fails at a destroy",
      request: { mode: "destroy" },
      before: meets({ target: "putRegistrySettings", outcome: REFUSED }),
      plans: [
        `${SET}.all delete`,
        `${SCAN}.all delete`,
        "null_resource.beside delete",
        "null_resource.end delete",
        "output.end delete",
      ],
      errors: ["400"],
    },
    {
      does: "destroys the rest",
      request: { mode: "destroy" },
      before: heals,
      plans: [`${SET}.all delete`, `${SCAN}.all delete`],
    },
    { does: "creates everything again", plans: CREATED },
  ]);

  const FIRST = { create_before_destroy: true };
  conforms("a failed replacement", [
    { does: "creates", stack: chain("1", FIRST), plans: CREATED },
    {
      does: "leaves dependents unchanged",
      stack: chain("2", FIRST),
      before: meets({ target: "putRegistrySettings", outcome: REFUSED }),
      plans: [
        `${SCAN}.all update`,
        "null_resource.beside create delete",
        "null_resource.end create delete",
        "output.end update",
      ],
      errors: ["400"],
    },
    {
      does: "continues",
      before: heals,
      plans: [`${SCAN}.all update`, "null_resource.end create delete", "output.end update"],
    },
  ]);

  const removed = (policies: readonly object[], behind: object = {}) =>
    stackOf(
      { [SET]: { all: { policies } }, null_resource: { beside: {}, ...behind } },
      {
        provider: { cwp: [consoleBlock(1, { max_retries: 0 })] },
        variable: { label: { type: "string", default: "l", sensitive: true } },
      },
    );
  const behind = (lifecycle: object) => ({
    behind: { triggers: { digest: `\${${SET}.all.content_sha256}` }, lifecycle },
  });
  const hidden = policy("Second", { resources: { labels: ["${var.label}"] } });
  conforms("a failed update with a dependent that is removed", [
    {
      does: "creates",
      stack: removed([policy("First")], behind(FIRST)),
      plans: [`${SET}.all create`, "null_resource.behind create", "null_resource.beside create"],
    },
    {
      does: "does not remove the dependent, and taints nothing",
      stack: removed([policy("First"), hidden]),
      before: meets({ target: "putCompliancePolicies", outcome: REFUSED }),
      plans: [`${SET}.all update`, "null_resource.behind delete"],
      errors: ["400"],
    },
    {
      does: "completes both",
      before: heals,
      plans: [`${SET}.all update`, "null_resource.behind delete"],
    },
    {
      does: "creates a dependent again, which is removed first",
      stack: removed([policy("First"), hidden], behind({})),
      plans: ["null_resource.behind create"],
    },
    {
      does: "removes the dependent although it fails",
      stack: removed([policy("First")]),
      before: meets({ target: "putCompliancePolicies", outcome: REFUSED }),
      plans: [`${SET}.all update`, "null_resource.behind delete"],
      errors: ["400"],
    },
    { does: "succeeds", before: heals, plans: [`${SET}.all update`] },
  ]);

  const conditional = {
    depends_on: [`${SET}.all`],
    lifecycle: { precondition: { condition: '${var.label != ""}', error_message: "None." } },
  };
  const gated = (gate: object, trigger: string) =>
    stackOf({
      null_resource: { gate: { triggers: { trigger: "1" }, ...gate } },
      [SCAN]: {
        all: { specifications: [specification(trigger)], depends_on: ["null_resource.gate"] },
      },
    });
  conforms("a failed update with a dependent instance that gets another kind of key", [
    {
      does: "creates",
      stack: gated({ count: 1, lifecycle: { create_before_destroy: true } }, "1"),
      plans: [`${SCAN}.all create`, "null_resource.gate[0] create"],
    },
    {
      does: "fails",
      stack: gated({ for_each: { a: "a" } }, "2"),
      before: meets({ target: "putRegistrySettings", outcome: REFUSED }),
      plans: [
        `${SCAN}.all update`,
        "null_resource.gate[0] delete",
        'null_resource.gate["a"] create',
      ],
      errors: ["400"],
    },
    {
      does: "continues from there",
      before: heals,
      plans: [`${SCAN}.all update`, "null_resource.gate[0] delete"],
    },
  ]);

  conforms("a failed update before a condition", [
    {
      does: "creates",
      stack: removed([policy("First")], { behind: conditional }),
      plans: [`${SET}.all create`, "null_resource.behind create", "null_resource.beside create"],
    },
    {
      does: "does not evaluate the condition",
      stack: removed([policy("Second")], { behind: conditional }),
      before: meets({ target: "putCompliancePolicies", outcome: REFUSED }),
      plans: [`${SET}.all update`],
      errors: ["400"],
    },
    { does: "evaluates it afterwards", before: heals, plans: [`${SET}.all update`] },
  ]);

  const owned = (ownership: string) =>
    stackOf(
      { [SET]: { all: { ownership, policies: [policy("First")] } } },
      { provider: { cwp: [consoleBlock(1, { max_retries: 0 })] } },
    );
  conforms("a replacement whose create fails", [
    { does: "creates", stack: owned("exclusive"), plans: [`${SET}.all create`] },
    {
      does: "destroys the old object",
      stack: owned("prefix"),
      before: meets({ target: "putCompliancePolicies", skip: 1, outcome: REFUSED }),
      plans: [`${SET}.all delete create`],
      errors: ["400"],
    },
    { does: "creates the new object", before: heals, plans: [`${SET}.all create`] },
  ]);

  conforms("a replacement whose destroy fails", [
    { does: "creates", stack: owned("exclusive"), plans: [`${SET}.all create`] },
    {
      does: "keeps the old object",
      stack: owned("prefix"),
      before: meets({ target: "putCompliancePolicies", outcome: REFUSED }),
      plans: [`${SET}.all delete create`],
      errors: ["400"],
    },
    { does: "completes both", before: heals, plans: [`${SET}.all delete create`] },
  ]);

  const replaced = (trigger: string, command: string, name = "b") =>
    stackOf({
      null_resource: {
        a: { triggers: { trigger }, lifecycle: { create_before_destroy: true } },
        [name]: {
          triggers: { a: "${null_resource.a.triggers.trigger}" },
          provisioner: [{ "local-exec": { command } }],
        },
      },
    });
  conforms("a deposed object", [
    {
      does: "is created",
      stack: replaced("1", "true"),
      plans: ["null_resource.a create", "null_resource.b create"],
    },
    {
      does: "is left by a dependent that cannot be replaced",
      stack: replaced("2", "exit 3"),
      plans: ["null_resource.a create delete", "null_resource.b delete create"],
      errors: ["local-exec provisioner error"],
    },
    {
      does: "stays while another dependent cannot be created",
      stack: replaced("2", "exit 3", "c"),
      plans: [
        "null_resource.a (deposed) delete",
        "null_resource.b delete",
        "null_resource.c create",
      ],
      errors: ["local-exec provisioner error"],
    },
    {
      does: "is destroyed after the dependent is created",
      stack: replaced("2", "true", "c"),
      plans: ["null_resource.a (deposed) delete", "null_resource.c delete create"],
    },
  ]);

  const again = (trigger: string, command: string) =>
    stackOf({
      null_resource: {
        a: {
          triggers: { trigger },
          lifecycle: { create_before_destroy: true },
          provisioner: [{ "local-exec": { command } }],
        },
      },
    });
  conforms("a replacement that is created first, and fails again", [
    {
      does: "creates",
      stack: again("1", "true"),
      plans: ["null_resource.a create"],
      ordered: true,
    },
    {
      does: "keeps the old object aside",
      stack: again("2", "exit 3"),
      plans: ["null_resource.a create delete"],
      errors: ["local-exec provisioner error"],
      ordered: true,
      after: (world) => {
        expect(world.deposed().size).toBe(1);
      },
    },
    {
      does: "creates before it destroys the old object, which stays",
      plans: ["null_resource.a create delete", "null_resource.a (deposed) delete"],
      errors: ["local-exec provisioner error"],
      ordered: true,
      after: (world) => {
        expect(world.deposed().size).toBe(2);
      },
    },
    {
      does: "destroys what is left when the create succeeds",
      stack: again("2", "true"),
      plans: [
        "null_resource.a create delete",
        "null_resource.a (deposed) delete",
        "null_resource.a (deposed) delete",
      ],
      ordered: true,
      after: (world) => {
        expect(world.deposed().size).toBe(0);
      },
    },
  ]);

  conforms("a console that drops requests", [
    {
      does: "stores nothing that was not written",
      stack: stackOf(
        { [SET]: { all: { policies: [policy("First")], on_destroy: "clear" } } },
        { provider: { cwp: [consoleBlock(1, { max_retries: 0 })] } },
      ),
      before: meets({ target: "putCompliancePolicies", outcome: { kind: "reset-before" } }),
      plans: [`${SET}.all create`],
      errors: ["console"],
    },
    { does: "creates it when requests succeed", before: heals, plans: [`${SET}.all create`] },
    {
      does: "recovers from a lost answer",
      stack: stackOf(
        { [SET]: { all: { policies: [policy("Second")], on_destroy: "clear" } } },
        { provider: { cwp: [consoleBlock(1, { max_retries: 0 })] } },
      ),
      before: meets({
        target: "putCompliancePolicies",
        outcome: { kind: "reset-after" },
        times: 1,
      }),
      plans: [`${SET}.all update`],
    },
  ]);

  const provisioned = (trigger: string, command: string) =>
    stackOf({
      null_resource: {
        one: {
          triggers: { trigger },
          provisioner: [{ "local-exec": { command } }],
        },
        behind: { triggers: { one: "${null_resource.one.id}" } },
      },
    });
  conforms("a provisioner that fails", [
    {
      does: "taints the created object",
      stack: provisioned("1", "exit 3"),
      plans: ["null_resource.behind create", "null_resource.one create"],
      errors: ["local-exec provisioner error"],
    },
    {
      does: "replaces the tainted object",
      stack: provisioned("1", "true"),
      plans: ["null_resource.behind create", "null_resource.one delete create"],
    },
  ]);

  conforms("a failed plan", [
    { does: "creates", stack: chain("1"), plans: CREATED },
    {
      does: "reports the failed read",
      before: meets({ target: "getRegistrySettings", outcome: { kind: "status", status: 500 } }),
      errors: ["500"],
    },
    { does: "finds no changes when the read succeeds", before: heals, plans: [] },
  ]);

  conforms("a create over unmanaged policies", [
    {
      does: "is refused at plan time",
      stack: stackOf({ [SET]: { all: { policies: [policy("First")] } } }),
      before: ({ console }) => console.edit({ policies: [{ name: "Theirs" }] }),
      errors: ["Console has unmanaged compliance policies"],
    },
    {
      does: "creates the policies next to them",
      stack: stackOf({ [SET]: { all: { ownership: "suffix", policies: [policy("First")] } } }),
      plans: [`${SET}.all create`],
    },
  ]);
});
