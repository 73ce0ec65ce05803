import { renderMarkdown } from "../../src/review/markdown/render-markdown";
import { renderHtml } from "../../src/review/html/render-html";
import { reviewDocument } from "../../src/review/json/review-json";
import { groupPlans } from "../../src/review/groups/group-plans";
import { renderGroups } from "../../src/review/groups/groups-text";
import { renderDriftHeadline } from "../../src/review/text/drift-text";
import { renderReviewedPlan } from "../../src/review/text/reviewed-plan";
import { createStyle } from "../../src/formats/text/style";
import { policy, policyChange } from "./entries/changes";
import { stackPlan } from "./plans";

const options = { style: createStyle(false), width: 78 };
const weakened = policyChange([policy("a")], [policy("a", { disabled: true })]);
const restored = policyChange([policy("a", { disabled: true })], [policy("a")]);
const renamed = policyChange([policy("a")], [policy("b")]);

describe.each(["normal", "refresh-only"] as const)("a %s plan without changes", (mode) => {
  test("names drift instead of no changes", () => {
    const text = renderReviewedPlan(stackPlan([], { mode, drift: [weakened] }), options);
    expect(text).toMatch(/^\nDrift: 1 object drifted; 1 weakens protection\.\n/);
    expect(text).toContain("- check 41 blocks -> not checked");
    expect(text).toContain('~ policy 1 ("a")\n              disabled');
    expect(text).not.toContain("No changes");
  });
});

test("a plan that undoes drift shows what it did to protection", () => {
  const text = renderReviewedPlan(stackPlan([restored], { drift: [weakened] }), options);
  const [drift = "", plan = ""] = text.split("─".repeat(77));
  expect(drift).toContain("Drift: 1 object drifted; 1 weakens protection.");
  expect(drift).toContain("  # cwp_thing.main has changed\n  Protection: 1 weaker");
  expect(plan).toContain("Protection: 1 stronger");
});

test("whole attributes are shown as Terraform does", () => {
  const plan = stackPlan([], { drift: [weakened] });
  expect(renderReviewedPlan(plan, { ...options, attributes: true })).toContain("No changes.");
});

test("many plans have one headline in every form", () => {
  const plans = Array.from({ length: 200 }, (_, index) =>
    stackPlan([], {
      stack: `s${index}`,
      drift: index < 2 ? [weakened] : index < 3 ? [renamed] : [],
    }),
  );
  const headline = "3 of 200 stacks drifted; 2 weaken protection";
  expect(renderDriftHeadline(plans, options)).toBe(`\nDrift: ${headline}.\n`);
  const groups = [...renderGroups(groupPlans(plans), 200, options)].join("");
  expect(groups).toContain("2 of 200 stacks: s0, s1\n\nDrift: 1 object drifted; 1 weakens");
  expect(groups).toContain("197 of 200 stacks: s3,");
  for (const page of [renderMarkdown({ plans }), renderHtml({ plans })])
    expect(page).toContain(headline);
  expect(reviewDocument({ plans }).drifted).toEqual({ stacks: 3, weaker: 2 });
});
