import { compareProtection } from "../../../src/protection/compare";
import { LiveTally } from "../../../src/protection/live";
import { documentText } from "../../../src/core/printed";
import { createStyle } from "../../../src/formats/text/style";
import { renderHtml } from "../../../src/review/html/render-html";
import { renderMarkdown } from "../../../src/review/markdown/render-markdown";
import { plannedPolicies } from "../../../src/review/protection/review-protection";
import { renderReviewedPlan } from "../../../src/review/text/reviewed-plan";
import { check, expectHarmless } from "../../cli/hostile";
import { policyChange } from "../entries/changes";
import { HOSTILE, stackPlan } from "../plans";
import { protecting } from "./sets";
import { withNote } from "../../../src/core/notes";
import { LIVE } from "../../../src/review/protection/live-reading";

const before = [protecting("root", { namespaces: ["*"], images: ["*x*"] }, "599")];
const after = [protecting("root", { namespaces: ["*"], images: ["*x*"] }, "~599")];

/** A plan whose console runs a workload with this text in each member. */
function planWith(text: string) {
  const change = policyChange(before, after, { found: { entries: [], left: [] } });
  const [changed] = plannedPolicies(stackPlan([change]));
  const workload = {
    image: `x${text}`,
    container: text,
    namespace: text,
    host: text,
    account_id: text,
    labels: [text],
  };
  const sides = [changed!.before, changed!.after] as const;
  const tally = new LiveTally(...sides, compareProtection(...sides));
  tally.add({ workload, failing: new Map([["599", text]]) });
  const live = {
    read: [{ console: text, at: new Date(0) }],
    unread: [{ console: text, reason: text }],
    counts: tally.counts(),
  };
  expect(live.counts.changes).toHaveLength(1);
  return stackPlan([withNote(change, LIVE, live)]);
}

test("names of workloads are no lines and no control sequences of a text or a comment", async () => {
  const style = createStyle(false);
  await check((text) =>
    Promise.resolve(
      documentText(renderReviewedPlan(planWith(text), { style, width: 80 })).toString(),
    ),
  );
  await check((text) =>
    Promise.resolve(documentText(renderMarkdown({ plans: [planWith(text)] })).toString()),
  );
});

test.each(HOSTILE)("the name %j of a workload is no markup", (text) => {
  const html = renderHtml({ plans: [planWith(text)], excluded: [] });
  const plain = renderHtml({ plans: [planWith("plain")], excluded: [] });
  const tags = (page: string) => page.match(/<[a-z!/][^>]*>/gi)?.length;
  expect(tags(html)).toBe(tags(plain));
  const markdown = renderMarkdown({ plans: [planWith(text)] });
  expectHarmless(documentText(markdown).toString());
  const outside = markdown.replaceAll(/^(`{3,})diff\n.*?^\1$/gms, "");
  expect(outside).toContain("running container");
  expect(tags(outside)).toBe(tags(renderMarkdown({ plans: [planWith("plain")] })));
});
