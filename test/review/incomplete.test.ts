import { renderHtml } from "../../src/review/html/render-html";
import { reviewDocument } from "../../src/review/json/review-json";
import { renderMarkdown } from "../../src/review/markdown/render-markdown";
import { renderReviewedPlan } from "../../src/review/text/reviewed-plan";
import { createStyle } from "../../src/formats/text/style";
import { policy, policyChange } from "./entries/changes";
import { stackPlan } from "./plans";

const strict = policy("strict", { checks: { "5": true } });
const GAP = "Review is incomplete: The plan does not have the unmanaged policies of the console.";

/** Changes of a set whose unmanaged policies the plan lacks, with and without an effect. */
const CHANGES = {
  "an effect": policyChange([strict], [], { object: { ownership: "prefix" } }),
  "no effect": policyChange([strict], [{ ...strict, extra_json: '{"notes":"x"}' }], {
    object: { ownership: "prefix" },
  }),
};

/** The words of a form, without its markup and line breaks. */
const wordsOf = (text: string) =>
  text
    .replace(/<[^>]*>|[`│#]|&#\d+;/g, " ")
    .replace(/\s+/g, " ")
    .trim();

describe.each(Object.entries(CHANGES))("a review that lacks policies and has %s", (_, change) => {
  const plan = stackPlan([change]);
  test.each([
    ["text", renderReviewedPlan(plan, { style: createStyle(false), width: 78 })],
    ["Markdown", renderMarkdown({ plans: [plan] })],
    ["HTML", renderHtml({ plans: [plan] })],
  ])("is marked incomplete in %s", (_form, text) => {
    expect(wordsOf(text)).toContain(wordsOf(GAP));
  });

  test("is marked incomplete in JSON", () => {
    expect(reviewDocument({ plans: [plan] })).toMatchObject({
      stacks: [
        { protection: [{ complete: false, reasons: [expect.stringContaining("unmanaged")] }] },
      ],
    });
  });
});

test("a complete review is not marked", () => {
  const plan = stackPlan([policyChange([strict], [])]);
  expect(renderMarkdown({ plans: [plan] })).not.toContain("ncomplete");
});
