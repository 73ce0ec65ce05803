import { describeWithTerraform } from "../support/terraform";
import { conforms } from "./support/conform";
import { policy, specification, stackOf } from "./support/stacks";

const SET = "console_compliance_policy_set";
const setOf = (...names: string[]) => ({
  [SET]: { all: { policies: names.map((name) => policy(name)) } },
});

describeWithTerraform("both engines do the same with objects", () => {
  conforms("that come, change and go", [
    {
      does: "creates",
      stack: stackOf({
        ...setOf("First"),
        console_registry_scan: { all: { specifications: [specification("a/*")] } },
      }),
      plans: [`${SET}.all create`, "console_registry_scan.all create"],
    },
    { does: "finds nothing to do", plans: [] },
    {
      does: "updates one in place and deletes the other",
      stack: stackOf(setOf("Second", "First")),
      plans: [`${SET}.all update`, "console_registry_scan.all delete"],
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
});
