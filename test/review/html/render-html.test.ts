import type { StackPlan } from "../../../src/core/documents/stack-plan";
import { renderHtml } from "../../../src/review/html/render-html";
import { stackPlan } from "../plans";
import { change, names, plans } from "./pages";

describe("the file", () => {
  test("loads nothing, and has a policy that forbids loading", () => {
    const html = renderHtml({ plans });
    expect(html).toMatch(/^<!doctype html>\n<html lang="en">/);
    expect(html).toContain("default-src 'none'");
    expect(html).not.toMatch(/<(link|img|iframe|object|embed)\b|<script [^>]*src|url\(|@import/);
  });

  test("contains no sensitive value", () => {
    const secret = change({
      name: "secret",
      before: { id: "x", policies: names("hidden-before") },
      after: { id: "x", policies: names("hidden-after") },
      beforeSensitive: [["policies"]],
      afterSensitive: [["policies"]],
    });
    const html = renderHtml({
      plans: [
        stackPlan([secret], {
          drift: [secret],
          outputs: [
            {
              name: "o",
              action: "update",
              before: "hidden-o1",
              after: "hidden-o2",
              sensitive: true,
            },
          ],
        }),
      ],
    });
    expect(html).toContain("(sensitive value)");
    expect(html).not.toMatch(/hidden-(before|after|o1|o2)/);
  });

  test("has its origin and the counts in a header", () => {
    const origin = { createdAt: new Date(0), version: "1.2.3", commit: "0123456789ab" };
    const [, header = ""] = renderHtml({ plans, excluded: [] }, origin).split(/<\/?header[^>]*>/);
    const text = header.replaceAll(/<[^>]*>/g, " ").replaceAll(/\s+/g, " ");
    expect(text).toContain("1970-01-01 00:00 UTC Commit 0123456789ab cdktf-console 1.2.3");
    expect(text).toContain("Weaker 1 Stronger 1 Add 1 Change 2 Destroy 0 Stacks 3 Drifted 1");
  });

  test("is the same for the same plan", () => {
    expect(renderHtml({ plans })).toBe(renderHtml({ plans: structuredCloneOf(plans) }));
  });
});

/** The attributes hold functions, which cannot be cloned. */
function structuredCloneOf(all: readonly StackPlan[]): readonly StackPlan[] {
  return all.map((plan) => ({ ...plan, changes: plan.changes.map((one) => ({ ...one })) }));
}
