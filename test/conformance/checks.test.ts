import { describeWithTerraform } from "../support/terraform";
import { conforms } from "./support/conform";
import { consoleBlock, stackOf } from "./support/stacks";

const assert = (condition: string, message: string) => [{ condition, error_message: message }];
const gate = (value: string) => ({ null_resource: { a: { triggers: { v: value } } } });
const SAME = '${null_resource.a.id != "x"}';
const OTHER = '${null_resource.a.id == "x"}';

describeWithTerraform("both engines evaluate checks alike", () => {
  conforms("assertions", [
    {
      does: "are known after the apply, and fail without an error",
      stack: stackOf(gate("1"), {
        check: {
          right: { assert: assert(SAME, "Right.") },
          wrong: {
            assert: [...assert(OTHER, "Wrong."), ...assert('${path.module == "x"}', "Module.")],
          },
        },
      }),
      plans: ["null_resource.a create"],
    },
    { does: "fail again where nothing changes", plans: [] },
    { does: "are evaluated by a refresh", request: { mode: "refresh-only" }, plans: [] },
    { does: "are not targeted", request: { targets: ["null_resource.a"] }, plans: [] },
    {
      does: "are not evaluated by a destroy",
      request: { mode: "destroy" },
      plans: ["null_resource.a delete"],
    },
    {
      does: "are added and removed",
      stack: stackOf(gate("1"), { check: { right: { assert: assert(SAME, "Right.") } } }),
      plans: ["null_resource.a create"],
    },
    { does: "leave no result", stack: stackOf(gate("1")), plans: [] },
  ]);

  conforms("a check", [
    {
      does: "needs an assertion",
      stack: stackOf({}, { check: { c: {} } }),
      errors: ["error Zero assert blocks: Check blocks must have at least one assert block."],
    },
    {
      does: "keeps its data source to itself",
      stack: stackOf(
        {},
        {
          check: {
            c: {
              data: { cwp_connectivity: { d: {} } },
              assert: assert("${data.cwp_connectivity.d.licensed}", "No license."),
            },
          },
          output: { o: { value: "${data.cwp_connectivity.d.licensed}" } },
        },
      ),
      errors: [
        'error Reference to scoped resource: The referenced data resource "cwp_connectivity" "d" is not available from this context.',
      ],
    },
  ]);

  const scoped = (condition: string, data: object = {}) => ({
    check: {
      c: {
        data: { cwp_connectivity: { d: data } },
        assert: assert(condition, "Licensed: ${data.cwp_connectivity.d.licensed}."),
      },
    },
  });
  conforms("the data source of a check", [
    {
      does: "is read by the plan, and again by the apply",
      stack: stackOf(gate("1"), scoped("${data.cwp_connectivity.d.licensed}")),
      plans: ["data.cwp_connectivity.d read", "null_resource.a create"],
    },
    {
      does: "is read after what it depends on",
      stack: stackOf(
        gate("2"),
        scoped("${!data.cwp_connectivity.d.licensed}", { depends_on: ["null_resource.a"] }),
      ),
      plans: ["data.cwp_connectivity.d read", "null_resource.a delete create"],
    },
    { does: "is read by a refresh", request: { mode: "refresh-only" }, plans: [] },
    {
      does: "fails the check and nothing else",
      stack: {
        ...stackOf(gate("3"), {
          check: {
            c: {
              data: { cwp_compliance_policies: { d: { provider: "cwp.wrong" } } },
              assert: assert("${length(data.cwp_compliance_policies.d.policies) > 0}", "None."),
            },
          },
        }),
        provider: {
          cwp: [consoleBlock(), consoleBlock(1, { alias: "wrong", password: "not-the-password" })],
        },
      },
      plans: ["data.cwp_compliance_policies.d read", "null_resource.a delete create"],
    },
    {
      does: "is not read by a destroy",
      stack: stackOf(gate("3"), scoped("${data.cwp_connectivity.d.licensed}")),
      request: { mode: "destroy" },
      plans: ["null_resource.a delete"],
    },
    { does: "is gone", stack: stackOf({}), plans: [] },
  ]);
});
