import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { StackPlan } from "../../../src/core/documents/stack-plan";
import { renderHtml } from "../../../src/review/html/render-html";
import { describeWithChromium } from "../../support/chromium";
import { policyChange } from "../entries/changes";
import { stackPlan } from "../plans";
import { protecting } from "../protection/sets";
import { ReviewReader } from "./review-page";
import { withNote } from "../../../src/core/notes";
import { LIVE } from "../../../src/review/protection/live-reading";

/** Tenants in groups that each exempt another namespace. Three containers of twelve lose a block in each. */
function tenants(count: number, groups: number): readonly StackPlan[] {
  return Array.from({ length: count }, (_, index) => {
    const exempted = `-prod-${index % groups}*`;
    const root = (...namespaces: readonly string[]) =>
      protecting("root", { namespaces: ["prod-*", ...namespaces] }, "599");
    const counts = {
      ...{ consoles: 1, running: 12, uncertain: 0, missing: [], changes: [] },
      regions: [{ consoles: 1, running: 3, uncertain: 0, example: null }],
    };
    const console = `https://console-${index}.example.com:8083`;
    const live = { read: [{ console, at: new Date(0) }], unread: [], counts };
    const change = policyChange([root()], [root(exempted)], { endpoint: console });
    return stackPlan([withNote(change, LIVE, live)], {
      stack: `tenant-${index}`,
      endpoints: [console],
    });
  });
}

const textOf = (html: string) => html.replaceAll(/<[^>]*>/g, " ").replaceAll(/\s+/g, " ");

test("the first number of a page is that of the containers which lose protection", () => {
  const [, header = ""] = renderHtml({ plans: tenants(20, 3) }).split('<dl class="cards">');
  expect(textOf(header)).toMatch(/^ ?Weaker of 240 containers 60 Weaker 20 /);
});

test.each([1, 3])("the workspace of %i stacks is named once", (count) => {
  const plans = tenants(count, 2).map((plan) => ({ ...plan, workspace: "stage" }));
  const [, body = ""] = renderHtml({ plans }).split("<body>");
  expect(textOf(body).match(/\(workspace stage\)/g)).toHaveLength(1);
});

test("one change has no filters, and several have", () => {
  expect(renderHtml({ plans: tenants(1, 1) })).not.toContain('id="filters"');
  expect(renderHtml({ plans: tenants(2, 1) })).toContain('id="filters"');
});

test("the worst groups have a line each, and the others are folded with their numbers", () => {
  const html = renderHtml({ plans: tenants(300, 14) });
  const [, warnings = ""] = html.split('<section class="warnings"');
  const [open = "", folded = ""] = warnings.split("<details>");
  expect(textOf(open).match(/\d+ stacks: check 599 blocks/g)).toHaveLength(3);
  expect(textOf(folded)).toContain("11 more in 234 stacks, 11 lose a block");
});

test("a change has the name of its construct, with the address behind it", () => {
  const [plan] = tenants(1, 1);
  const changes = plan!.changes.map((one) => ({ ...one, constructPath: "tenant-0/team/policies" }));
  const html = renderHtml({ plans: [{ ...plan!, changes }] });
  expect(textOf(html)).toMatch(/~ team\/policies cwp_thing\.main update/);
});

describeWithChromium("on a phone", () => {
  let reader: ReviewReader;
  beforeAll(async () => {
    reader = await ReviewReader.start();
  });
  afterAll(() => reader.close());

  test.each([
    [1, 1],
    [20, 3],
    [300, 14],
  ])("%i tenants in %i groups fit, and their numbers agree", async (count, groups) => {
    const viewport = { width: 390, height: 844 };
    const { page, problems } = await reader.open(tenants(count, groups), { viewport });
    const cards = await page.locator(".cards > div").allInnerTexts();
    const changed = cards.find((text) => /^Change\b/i.test(text))?.match(/\d+/)?.[0];
    expect(changed).toBe(String(count));
    const first = page.locator(".cards > div").first();
    expect((await first.boundingBox())!.y).toBeLessThan(viewport.height / 2);
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(390);
    if (count > 1)
      expect(await page.locator("#shown").textContent()).toBe(
        `${count} of ${count} changes are shown.`,
      );
    const picture = await page.screenshot();
    const { REVIEW_PICTURES: folder } = process.env;
    if (folder !== undefined) writeFileSync(join(folder, `phone-${count}.png`), picture);
    expect(problems).toEqual([]);
  });
});
