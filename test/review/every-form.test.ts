import fc from "fast-check";
import { FILE_TEXT } from "../../src/formats/text/style";
import { renderJunit } from "../../src/review/findings/render-junit";
import { renderSarif } from "../../src/review/findings/render-sarif";
import { renderHtml } from "../../src/review/html/render-html";
import { reviewDocument } from "../../src/review/json/review-json";
import { renderMarkdown } from "../../src/review/markdown/render-markdown";
import { renderReviewedPlan } from "../../src/review/text/reviewed-plan";
import { cases } from "../support/cases";
import { policyChange } from "./entries/changes";
import { stackPlan } from "./plans";
import { protecting } from "./protection/sets";

const NAMESPACES = ["prod-*", "prod-a", "dev-*", "*"];
const CHECKS = ["501", "502", "~503", "~504"];

const policies = fc.uniqueArray(
  fc.record({
    name: fc.constantFrom("alpha", "beta", "gamma", "delta"),
    namespace: fc.constantFrom(...NAMESPACES),
    checks: fc.subarray(CHECKS, { minLength: 1 }),
  }),
  { maxLength: 4, selector: ({ name }) => name },
);
const set = policies.map((all) =>
  all.map(({ name, namespace, checks }) =>
    protecting(name, { namespaces: [namespace] }, ...checks),
  ),
);
const locate = () => ({ file: "main.ts", line: 1 });

/** Text without markup, so that a name is found whichever form escapes it. */
const plain = (text: string) =>
  text
    .replace(/<[^>]*>/g, "")
    .replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)))
    .replaceAll("&quot;", '"')
    .replaceAll("&gt;", ">");

test("each region of the document is in each form, with its checks and policies", () => {
  fc.assert(
    fc.property(set, set, (before, after) => {
      const reviewed = { plans: [stackPlan([policyChange(before, after)])] };
      const document = reviewDocument(reviewed);
      const everything = {
        text: renderReviewedPlan(stackPlan([policyChange(before, after)]), FILE_TEXT).toString(),
        markdown: plain(renderMarkdown(reviewed)),
        html: plain(renderHtml(reviewed)),
      };
      const findings = {
        sarif: renderSarif(document, locate, "1").replaceAll('\\"', '"'),
        junit: plain(renderJunit(document, locate)),
      };
      const regions = document.stacks[0]?.protection[0]?.regions ?? [];
      for (const { change, checks, before: was, after: will } of regions) {
        const forms = change === "weaker" ? { ...everything, ...findings } : everything;
        const names = [...checks.map(({ id }) => id), will.policy ?? ""];
        for (const [form, text] of Object.entries(forms)) {
          for (const name of names)
            expect([form, text]).toEqual([form, expect.stringContaining(name)]);
        }
        for (const text of Object.values(everything)) expect(text).toContain(was.policy ?? "");
      }
    }),
    { numRuns: cases(15) },
  );
});
