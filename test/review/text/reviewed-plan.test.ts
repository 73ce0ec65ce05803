import type { ResourceChange } from "../../../src/core/documents/stack-plan";
import { createStyle } from "../../../src/formats/text/style";
import { renderReviewedPlan } from "../../../src/review/text/reviewed-plan";
import { policyChange } from "../entries/changes";
import { stackPlan } from "../plans";
import { protecting } from "../protection/sets";

const options = { style: createStyle(false), width: 80, attributes: false };
const text = (changes: readonly ResourceChange[], attributes = false) =>
  renderReviewedPlan(stackPlan(changes), { ...options, attributes });
const on = (name: string) => ({
  address: `cwp_compliance_policy_set.${name}`,
  endpoint: `https://${name}.example.com`,
});

const root = protecting("root", { namespaces: ["prod-*"] }, "599");
const alerting = protecting("root", { namespaces: ["prod-*"] }, "~599");
const weaker = policyChange([root], [alerting], on("weak"));
const stronger = policyChange([alerting], [root], on("strong"));
const plain: ResourceChange = { ...stronger, address: "other.one", attributes: null };

test("begins with the effect on protection, and ends with its numbers", () => {
  const lines = text([plain, weaker]).split("\n");
  expect(lines.slice(0, 10)).toEqual([
    "",
    "Protection: 1 weaker",
    "  - check 599 blocks -> alerts",
    '      namespaces prod-*  "root"',
    "        for example namespace prod-x",
    "  # (digest 8e74e62b0eaa, for --allow-weaker NAME@DIGEST)",
    "",
    "cdktf-console will perform the following actions:",
    "",
    "  # cwp_compliance_policy_set.weak will be updated in-place",
  ]);
  expect(lines.at(-2)).toBe("Plan: 0 to add, 2 to change, 0 to destroy. Protection: 1 weaker.");
});

test("names the resources of several effects, and those that weaken first", () => {
  const whole = text([stronger, weaker]);
  expect(whole.match(/^Protection: .*$/gm)).toEqual([
    "Protection: 1 weaker in cwp_compliance_policy_set.weak",
    "Protection: 1 stronger in cwp_compliance_policy_set.strong",
  ]);
  expect(whole).toContain("to destroy. Protection: 1 weaker, 1 stronger.\n");
});

test("has the numbers first and the effects with their changes in Terraform's layout", () => {
  const whole = text([stronger, weaker], true);
  expect(whole).toMatch(/^\nProtection: 1 weaker, 1 stronger\n\nTerraform used/);
  const [, ...changes] = whole.split("will be updated in-place\n");
  expect(changes.map((change) => change.split("\n")[0])).toEqual([
    "  Protection: 1 stronger",
    "  Protection: 1 weaker",
  ]);
});

test("says that nothing changes, and nothing where no collection is changed", () => {
  const renamed = policyChange([root], [{ ...root, name: "no-root" }]);
  expect(text([renamed])).toMatch(/^\nProtection does not change\n/);
  expect(text([renamed])).toContain("to destroy. Protection does not change.\n");
  expect(text([plain])).not.toContain("Protection");
});
