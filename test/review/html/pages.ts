import { warning } from "../../../src/core/diagnostics";
import type { ResourceChange, StackPlan } from "../../../src/core/documents/stack-plan";
import { policy, policyChange } from "../entries/changes";
import { stackPlan } from "../plans";

/* Plans whose reviews the tests of this folder read. */

export const names = (...all: string[]) => all.map((name) => policy(name));
const order = ["first", "second", "third", "fourth", "fifth", "sixth", "seventh"];

export function change(given: Partial<ResourceChange> & { readonly name: string }): ResourceChange {
  const type = "cwp_compliance_policy_set";
  return policyChange(names(...order), names(...order), {
    type,
    address: `${type}.${given.name}`,
    ...given,
  });
}

export const moved = policyChange(names(...order), names("seventh", ...order.slice(0, 6)), {
  type: "cwp_compliance_policy_set",
  name: "policies",
  address: "cwp_compliance_policy_set.policies",
  endpoint: "https://one.example.com:8083",
  constructPath: "main/policies",
});
export const weaker = policyChange(
  [policy("strict", { checks: { "41": true, "51": true } }), policy("kept")],
  [policy("strict", { checks: { "41": false, "51": true } }), policy("kept")],
  {
    type: "cwp_compliance_policy_set",
    name: "weaker",
    address: "cwp_compliance_policy_set.weaker",
    endpoint: "https://two.example.com:8083",
  },
);
const found = { entries: [] };
const created = change({ name: "license", action: "create", before: null, found });

const quiet = change({
  name: "quiet",
  action: "no-op",
  endpoint: "https://three.example.com:8083",
});

export const plans: readonly StackPlan[] = [
  stackPlan([created, moved], {
    stack: "tenant-one",
    diagnostics: [warning("Soon to go", "The field goes.")],
    dependencies: [
      { resource: "cwp_compliance_policy_set.license", needs: [] },
      {
        resource: "cwp_compliance_policy_set.policies",
        needs: ["cwp_compliance_policy_set.license"],
      },
    ],
    outputs: [
      { name: "url", action: "create", before: null, after: "https://x", sensitive: false },
    ],
  }),
  stackPlan([weaker], { stack: "tenant-two", drift: [{ ...weaker }] }),
  stackPlan([quiet], { stack: "tenant-three" }),
];
