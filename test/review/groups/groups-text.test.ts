import { groupPlans } from "../../../src/review/groups/group-plans";
import { renderGroups, stacksTitle } from "../../../src/review/groups/groups-text";
import { createStyle } from "../../../src/formats/text/style";
import { policyChange } from "../entries/changes";
import { stackPlan } from "../plans";
import { SET, WEAKENING } from "../protection/sets";

test("one changed policy of 1,000 tenants fits on a screen of 80 columns", () => {
  const half = WEAKENING.find(([name]) => name.startsWith("half"))?.[1];
  const plans = Array.from({ length: 1000 }, (_, index) =>
    stackPlan([policyChange([...SET], half && [...half])], { stack: `tenant-${index}` }),
  );
  const text = [
    ...renderGroups(groupPlans(plans), 1000, { style: createStyle(false), width: 80 }),
  ].join("");
  const lines = text.trim().split("\n");
  expect(lines.length).toBeLessThanOrEqual(26);
  expect(lines.filter((line) => line.length > 80)).toEqual([]);
  expect(lines[0]).toMatch(/^All 1000 stacks: tenant-0, /);
  expect(text).toContain('namespaces prod-pay*  "root" decided, now "half"');
  expect(text).toContain('+ policy 1 ("half") added: 599 alerting; namespaces prod-pay*');
});

test("the workspace of all stacks stands once", () => {
  expect(stacksTitle(["a (workspace w)", "b (workspace w)"], 3)).toBe(
    "2 of 3 stacks (workspace w): a, b",
  );
  expect(stacksTitle(["a (workspace w)", "b"], 2)).toBe("All 2 stacks: a (workspace w), b");
  expect(stacksTitle(["a", "b"], 2)).toBe("All 2 stacks: a, b");
});
