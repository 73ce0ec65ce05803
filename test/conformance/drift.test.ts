import { PASSWORD } from "../cli/stack-files";
import { describeWithTerraform } from "../support/terraform";
import { conforms } from "./support/conform";
import { policy, specification, stackOf } from "./support/stacks";

const SET = "console_compliance_policy_set.all";
const SCAN = "console_registry_scan.all";
const stack = (trigger = "1") =>
  stackOf(
    {
      console_compliance_policy_set: { all: { policies: [policy("First"), policy("Second")] } },
      console_registry_scan: { all: { specifications: [specification("a/*")] } },
      null_resource: {
        scan: {
          triggers: { trigger, digest: "${console_compliance_policy_set.all.content_sha256}" },
        },
      },
    },
    { output: { digest: { value: "${console_compliance_policy_set.all.content_sha256}" } } },
  );
const CREATED = [
  `${SET} create`,
  `${SCAN} create`,
  "null_resource.scan create",
  "output.digest create",
];

describeWithTerraform("both engines see alike what others did", () => {
  conforms("what was changed outside", [
    { does: "creates", stack: stack(), plans: CREATED },
    {
      does: "puts it back",
      before: ({ console }) => console.edit({ policies: [...console.policies()].reverse() }),
      plans: [`${SET} update`, `drift ${SET} update`],
    },
    {
      does: "puts back what was emptied",
      before: ({ console }) => console.edit({ policies: [], registry: [] }),
      plans: [`${SET} update`, `${SCAN} update`, `drift ${SET} update`, `drift ${SCAN} update`],
    },
    {
      does: "leaves what was only renamed in unmanaged members",
      before: ({ console }) =>
        console.load({
          policies: console
            .policies()
            .map((one) => ({ ...one, notes: "Ours", modified: "2021-02-01T00:00:00Z" })),
        }),
      plans: [],
    },
  ]);

  conforms("a console that was installed anew", [
    { does: "creates", stack: stack(), plans: CREATED },
    {
      does: "gives it what it had",
      before: async ({ console }) => {
        await console.reset();
        await console.addUser("admin", PASSWORD);
        await console.installLicense();
      },
      plans: [`${SET} update`, `${SCAN} update`, `drift ${SET} update`, `drift ${SCAN} update`],
    },
  ]);

  conforms("a plan that only looks", [
    { does: "creates", stack: stack(), plans: CREATED },
    { does: "finds nothing", request: { mode: "refresh-only" }, plans: [] },
    {
      does: "takes what it finds into the state",
      request: { mode: "refresh-only" },
      before: ({ console }) => console.edit({ policies: [{ name: "Theirs" }] }),
      plans: [`drift ${SET} update`, "output.digest update"],
    },
    {
      does: "puts it back after that",
      plans: [`${SET} update`, `drift ${SET} update`, "output.digest update"],
    },
  ]);

  conforms("a plan that does not look", [
    { does: "creates", stack: stack(), plans: CREATED },
    {
      does: "finds nothing to do",
      request: { refresh: false },
      before: ({ console }) => console.edit({ policies: [{ name: "Theirs" }] }),
      plans: [],
    },
    {
      does: "changes what the configuration changed",
      request: { refresh: false },
      stack: stack("2"),
      plans: ["null_resource.scan delete create"],
    },
    {
      does: "puts it back when it looks",
      plans: [`${SET} update`, `drift ${SET} update`],
    },
  ]);

  conforms("a part of a stack", [
    {
      does: "creates what is aimed at and what that needs",
      stack: stack(),
      request: { targets: ["null_resource.scan"] },
      plans: [`${SET} create`, "null_resource.scan create", "output.digest create"],
    },
    { does: "creates the rest", plans: [`${SCAN} create`] },
    {
      does: "destroys what is aimed at and what needs that",
      request: { mode: "destroy", targets: [SET] },
      plans: [`${SET} delete`, "null_resource.scan delete"],
    },
    {
      does: "creates that again",
      plans: [`${SET} create`, "null_resource.scan create"],
    },
  ]);
});
