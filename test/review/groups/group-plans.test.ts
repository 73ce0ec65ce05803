import { warning } from "../../../src/core/diagnostics";
import { UNKNOWN } from "../../../src/core/values";
import { groupPlans, type GroupedPlans } from "../../../src/review/groups/group-plans";
import { renderGroups } from "../../../src/review/groups/groups-text";
import { PLAIN } from "../../../src/formats/text/style";
import type { OutputChange, StackPlan } from "../../../src/core/documents/stack-plan";
import { policy, policyChange } from "../entries/changes";
import { stackPlan } from "../plans";

const names = (count: number) =>
  Array.from({ length: count }, (_, at) => `tenant-${String(at).padStart(4, "0")}`);

const DENY = policy("deny-root", { checks: { "599": true } });
const OTHERS = ["a", "b", "c"].map((name) => policy(name));

/** The policy moved from 4 to 1, with values of the console that differ from tenant to tenant. */
const moved = (stack: string, given: Partial<StackPlan> = {}) =>
  stackPlan(
    [
      policyChange([...OTHERS, DENY], [DENY, ...OTHERS], {
        address: "cwp_compliance_policy_set.policies",
        endpoint: `https://${stack}.example`,
        object: { id: stack, content_sha256: stack },
      }),
    ],
    { stack, ...given },
  );

const output = (name: string, after: OutputChange["after"]): OutputChange => ({
  name,
  action: "create",
  before: null,
  after,
  sensitive: false,
});

const membersOf = ({ groups }: GroupedPlans) => groups.map(({ stacks }) => stacks);

test("alike changes of many stacks are one group, whatever the console computes", () => {
  const grouped = groupPlans(names(1000).map((name) => moved(name)));
  expect(membersOf(grouped)).toEqual([names(1000)]);
  expect(grouped.groups[0]?.plan.changes).toHaveLength(1);
  expect(grouped.unchanged).toEqual([]);
});

test("a change that differs stands apart, behind the same loss of more stacks", () => {
  const plans = names(5).map((name) => moved(name));
  plans[3] = stackPlan(
    [policyChange([DENY], [], { address: "cwp_compliance_policy_set.policies" })],
    {
      stack: "tenant-0003",
    },
  );
  expect(membersOf(groupPlans(plans))).toEqual([
    ["tenant-0000", "tenant-0001", "tenant-0002", "tenant-0004"],
    ["tenant-0003"],
  ]);
});

test("objects that are imported as they are are alike if they are equal", () => {
  const imported = (stack: string, name: string) => {
    const change = policyChange([policy(name)], [policy(name)], { object: { id: stack } });
    return stackPlan([{ ...change, action: "no-op", importing: { id: "container" } }], { stack });
  };
  const plans = [imported("a", "one"), imported("b", "one"), imported("c", "other")];
  expect(membersOf(groupPlans(plans))).toEqual([["c"], ["a", "b"]]);
});

test("an attribute, a sensitivity and an unknown value that differ are not alike", () => {
  const address = "cwp_compliance_policy_set.policies";
  const change = policyChange([], [DENY], { address });
  const plans = [
    stackPlan([change], { stack: "a" }),
    stackPlan([{ ...change, afterSensitive: [["policies"]] }], { stack: "b" }),
    stackPlan([policyChange([], UNKNOWN, { address })], { stack: "c" }),
    stackPlan([{ ...change, reason: "replace_by_request" }], { stack: "d" }),
    stackPlan([{ ...change, displaced: ["Default"] }], { stack: "e" }),
  ];
  const alike = groupPlans(plans).groups.flatMap((group) =>
    group.variants.length > 0 ? group.variants : [group],
  );
  expect(alike).toHaveLength(5);
});

test("a stack is in a group for what it shares, and in another for what it does not", () => {
  const plans = names(4).map((name) => moved(name));
  plans[2] = moved("tenant-0002", { outputs: [output("extra", "x")] });
  const { groups } = groupPlans(plans);
  const shown = groups.map(({ stacks, plan }) => [
    stacks,
    plan.changes.length,
    plan.outputs.length,
  ]);
  // Policies that move to the front weaken those behind them.
  expect(shown).toEqual([
    [names(4), 1, 0],
    [["tenant-0002"], 0, 1],
  ]);
});

test("an output whose value differs from stack to stack is named once", () => {
  const plans = names(20).map((name) =>
    moved(name, { outputs: [output("url", `https://${name}`), output("ring", "canary")] }),
  );
  const { groups } = groupPlans(plans);
  expect(groups).toHaveLength(1);
  expect(groups[0]?.ownOutputs).toEqual(["url"]);
  expect(groups[0]?.plan.outputs.map(({ name }) => name)).toEqual(["ring"]);
  const few = groupPlans(plans.slice(0, 2));
  expect(few.groups.flatMap(({ ownOutputs }) => ownOutputs)).toEqual([]);
});

test("warnings with one summary are one group, and unchanged stacks are listed", () => {
  const plans = names(3).map((name) =>
    stackPlan([], { stack: name, diagnostics: [warning("Console is not readable yet", name)] }),
  );
  const { groups, unchanged } = groupPlans(plans);
  expect(groups.map(({ stacks, plan }) => [stacks, plan.diagnostics.length])).toEqual([
    [names(3), 1],
  ]);
  expect(unchanged).toEqual(names(3));
});

test("the review of one changed policy is as long for 1,000 tenants as for one", () => {
  const render = (count: number) => {
    const plans = names(count).map((name) => moved(name, { outputs: [output("url", name)] }));
    return [...renderGroups(groupPlans(plans), count, { style: PLAIN, width: 80 })].join("");
  };
  const text = render(1000);
  expect(text.split("\n").length).toBeLessThanOrEqual(render(1).split("\n").length + 3);
  expect(text.replace(/\s+/g, " ")).toContain(
    " All 1000 stacks: tenant-0000, tenant-0001, tenant-0002, tenant-0003, tenant-0004 and 995 more ",
  );
  expect(text.match(/will be updated in-place/g)).toHaveLength(1);
  expect(text).toContain("\nOutputs that change to another value in each stack: url.");
});

test("stacks without changes are one line", () => {
  const plans = names(50).map((name) => stackPlan([], { stack: name }));
  plans[7] = moved("tenant-0007");
  const text = [...renderGroups(groupPlans(plans), 50, { style: PLAIN, width: 80 })].join("");
  expect(text).toContain("\nStack tenant-0007\n");
  expect(text).toContain(
    "\nNo changes. Your infrastructure matches the configuration.\n49 of 50 stacks:",
  );
});
