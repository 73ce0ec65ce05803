import { source as axe } from "axe-core";
import type { Page } from "playwright-core";
import { error, warning } from "../../../src/core/diagnostics";
import { renderFailureHtml, renderHtml } from "../../../src/review/html/render-html";
import { describeWithChromium } from "../../support/chromium";
import { policy, policyChange } from "../entries/changes";
import { HOSTILE, stackPlan } from "../plans";
import { moved, names, plans, weaker } from "./pages";
import { ReviewReader } from "./review-page";

function violationsOf(page: Page): Promise<unknown> {
  return page.evaluate(
    "axe.run().then(({ violations }) => violations.map(({ id, nodes }) => [id, ...nodes.map(({ html }) => html)]))",
  );
}

describeWithChromium("in a browser", () => {
  let reader: ReviewReader;
  beforeAll(async () => {
    reader = await ReviewReader.start();
  });
  afterAll(() => reader.close());

  test("opens from disk, without a request and without an error", async () => {
    const { page, problems, requests } = await reader.open(plans);
    await page.getByRole("heading", { name: "Plan of 3 stacks" }).waitFor();
    await page.getByRole("button", { name: "Expand all" }).click();
    expect(problems).toEqual([]);
    expect(requests()).toEqual([]);
    // Warnings come before everything else, and what stacks have in common before their rows.
    expect(await page.getByRole("heading", { level: 2 }).allTextContents()).toEqual([
      "Warnings",
      "Changes",
      "Summary",
    ]);
  });

  test("names weakened protection first, with links to it", async () => {
    const alike = ["a", "b", "c", "d", "e", "f"].map((stack) => stackPlan([weaker], { stack }));
    const { page } = await reader.open([...plans, ...alike]);
    const item = page.locator(".warnings > ul > li").first().locator("li");
    expect(await item.allTextContents()).toEqual([
      '7 stacks: check 41 blocks -> alerts for everything ("strict") tenant-two, a, b and 4 more',
    ]);
    await item.getByRole("link", { name: "tenant-two, a, b and 4 more" }).click();
    const change = page
      .getByRole("region", { name: "tenant-two, a, b and 4 more" })
      .locator("details.change")
      .first();
    expect(await change.getAttribute("open")).not.toBeNull();
  });

  test("lists drift that weakens under the warnings, with a link to it", async () => {
    const plan = stackPlan([], { stack: "tenant-one", drift: [weaker] });
    const { page } = await reader.open([plan, stackPlan([moved], { stack: "tenant-two" })]);
    const warning = page.locator(".warnings > ul > li");
    expect(await warning.locator("> strong").allTextContents()).toEqual([
      "Changes made outside weaken protection",
    ]);
    expect(await warning.locator("li").innerText()).toBe(
      '1 stack: check 41 blocks -> alerts for everything ("strict") tenant-one',
    );
    await warning.getByRole("link", { name: "tenant-one" }).click();
    expect(page.url()).toMatch(/#stack-1$/);
  });

  test("lists tenants with the same effects as one block, whatever else they change", async () => {
    const before = [policy("strict", { checks: { "41": true }, resources: { images: ["x/*"] } })];
    const after = [policy("strict", { checks: {}, resources: { images: ["x/*"] } })];
    const tenants = ["a", "b", "c", "d"].map((stack) => {
      const own = { ...policy(`of ${stack}`), disabled: true };
      const address = "cwp_compliance_policy_set.policies";
      return stackPlan([policyChange([...before, own], [...after], { address })], { stack });
    });
    const { page } = await reader.open(tenants);
    expect(await page.locator(".warnings > ul > li li").allInnerTexts()).toEqual([
      '4 stacks: check 41 blocks -> not checked for images x/* ("strict") a, b, c, d',
    ]);
  });

  test("never breaks a line at the sign of an exemption, nor inside of a pattern", async () => {
    const scope = {
      namespaces: ["prod-*", ...["a", "b", "c", "d"].map((n) => `-team-${n}-pay-svc*`)],
    };
    const change = policyChange([policy("root", { resources: scope })], []);
    const { page } = await reader.open([stackPlan([change])]);
    for (const width of [360, 420, 480, 560, 640, 720]) {
      await page.setViewportSize({ width, height: 800 });
      const lines = await page
        .locator(".protection .scope .whole, .warnings .whole")
        .evaluateAll((all) =>
          all.map((one) => {
            const { fontSize } = getComputedStyle(one);
            return one.getBoundingClientRect().height / Number.parseFloat(fontSize) < 2 ? 1 : 2;
          }),
        );
      expect(lines.length).toBeGreaterThan(4);
      expect(new Set(lines)).toEqual(new Set([1]));
    }
  });

  test("shows drift by policies", async () => {
    const { page } = await reader.open([stackPlan([], { drift: [moved] })]);
    await page.locator("details.drift > summary").click();
    const entry = page.locator("details.drift li.entry");
    expect(await entry.innerText()).toBe(
      '~ policy 1 ("seventh") moved from position 7: 41 blocking; everything',
    );
  });

  test("counts changes by console, with links to the stacks", async () => {
    const { page } = await reader.open(plans);
    const rows = await page.getByRole("row").allInnerTexts();
    expect(rows.map((row) => row.split("\t").map((cell) => cell.trim()))).toEqual([
      ["Stack", "Console", "Import", "Add", "Change", "Destroy", "Weaker", "Warnings"],
      ["tenant-one", "https://one.example.com:8083", "0", "1", "1", "0", "0", "1"],
      ["tenant-two", "https://two.example.com:8083", "0", "0", "1", "0", "1", "0"],
    ]);
    await page.getByText("1 of 3 stacks: no changes").click();
    const quiet = page.getByRole("region", { name: "Stacks without changes" });
    expect(await quiet.locator("tr.stack").innerText()).toContain("tenant-three");
    const summary = page.getByRole("region", { name: "Summary by console" });
    await summary.getByRole("link", { name: "tenant-two" }).click();
    expect(page.url()).toMatch(/#stack-1$/);
  });

  test("unfolds a change by keyboard, and shows moves as text and as lines", async () => {
    const { page } = await reader.open(plans);
    const summary = page.locator("details.change > summary").nth(3);
    expect(await page.locator("details.change[open]").count()).toBe(1);
    await summary.focus();
    await page.keyboard.press("Enter");
    const body = page.locator("details.change").nth(3);
    expect(await body.locator("li.entry").allTextContents()).toEqual([
      '~ policy 1 ("seventh") moved from position 7: 41 blocking; everything',
    ]);
    const picture = body.getByRole("img", { name: /Order of the policies .*: 1 moved/ });
    expect(await picture.isVisible()).toBe(true);
    expect(await picture.locator("line.moved").count()).toBe(1);
    // The second line connects the folded unchanged policies of both columns.
    expect(await picture.locator("line").count()).toBe(2);
    expect(await picture.getByText("… 6 unchanged").count()).toBe(2);
  });

  test("filters by text, action, console and weakening, and counts the shown changes", async () => {
    const { page } = await reader.open(plans);
    const shown = async () => ({
      changes: await page.locator("details.change:visible .address").allTextContents(),
      status: await page.getByRole("status").innerText(),
    });
    const type = "cwp_compliance_policy_set";
    const every = [`${type}.weaker`, `${type}.weaker`, `${type}.license`, `${type}.policies`];
    expect(await shown()).toEqual({ changes: every, status: "4 of 4 changes are shown." });

    await page.getByLabel("Search").fill('SEVENTH") moved');
    expect((await shown()).changes).toEqual([`${type}.policies`]);
    expect(await page.getByRole("heading", { name: "tenant-two" }).isVisible()).toBe(false);
    await page.getByLabel("Search").fill("");

    await page.getByLabel("Action").selectOption("create");
    expect((await shown()).changes).toEqual([`${type}.license`]);
    await page.getByLabel("Action").selectOption("");

    await page.getByLabel("Console", { exact: true }).selectOption("https://two.example.com:8083");
    expect((await shown()).changes).toEqual([`${type}.weaker`, `${type}.weaker`]);
    await page.getByLabel("Console", { exact: true }).selectOption("");

    const rows = page.locator("tr.stack:visible th");
    expect(await rows.allTextContents()).toEqual(["tenant-one", "tenant-two"]);
    await page.getByLabel("Only what weakens").check();
    expect(await rows.allTextContents()).toEqual(["tenant-two"]);
    expect(await shown()).toEqual({
      changes: [`${type}.weaker`, `${type}.weaker`],
      status: "2 of 4 changes are shown.",
    });
  });

  test("filters the consoles that were not read", async () => {
    const unread = warning("Console is not readable yet: it does not respond", "Refused.");
    const blind = stackPlan([moved], { stack: "tenant-blind", diagnostics: [unread] });
    const { page } = await reader.open([...plans, blind]);
    const rows = page.locator("tr.stack:visible th");
    await page.getByLabel("Only consoles that were not read").check();
    expect(await rows.allTextContents()).toEqual(["tenant-blind"]);
    const sections = page.locator("section.stack:visible");
    for (const text of await sections.allInnerTexts()) expect(text).toContain("tenant-blind");
    expect(await page.getByText("Not read", { exact: true }).count()).toBe(1);
    const { page: other } = await reader.open(plans);
    expect(await other.getByLabel("Only consoles that were not read").count()).toBe(0);
  });

  test("shows alike changes of a thousand stacks once, and finds each stack", async () => {
    const alike = Array.from({ length: 1000 }, (_, index) =>
      stackPlan([moved], { stack: `tenant-${index}`, endpoints: [`https://c${index}.example`] }),
    );
    alike[7] = stackPlan([weaker], { stack: "tenant-7" });
    expect(renderHtml({ plans: alike }).length).toBeLessThan(3_000_000);
    const { page } = await reader.open(alike);
    const sections = page.locator("section.stack:visible");
    const rows = page.locator("tr.stack:visible");
    expect([await sections.count(), await rows.count()]).toEqual([2, 1000]);
    expect(await page.locator("details.members > summary").textContent()).toBe("999 stacks");

    await page.getByLabel("Search").fill("tenant-512");
    expect([await sections.count(), await rows.count()]).toEqual([1, 1]);
    expect(await rows.innerText()).toContain("https://c512.example");
    await page.getByLabel("Search").fill("");
    await page.getByLabel("Stacks", { exact: true }).selectOption({ label: "tenant-7" });
    expect([await sections.count(), await rows.count()]).toEqual([1, 1]);
  });

  test("keeps names inside their boxes in pictures", async () => {
    const long = [...HOSTILE, "a".repeat(200), "監視".repeat(40), "🙂".repeat(40)];
    const fillers = Array.from({ length: 120 }, (_, index) => String(index));
    const { page } = await reader.open([
      stackPlan([
        policyChange(names(...fillers, ...long), names(...[...long].reverse(), ...fillers)),
      ]),
    ]);
    const widths = await page.locator("svg.order .cell").evaluateAll((cells) =>
      cells.map((cell) => {
        const [box, text] = ["rect", "text"].map((name) => cell.querySelector(name));
        return (
          (box?.getBoundingClientRect().right ?? 0) - (text?.getBoundingClientRect().right ?? 0)
        );
      }),
    );
    expect(widths.length).toBeGreaterThan(2 * long.length);
    expect(Math.min(...widths)).toBeGreaterThan(0);
  });

  test("limits the height of long pictures", async () => {
    const many = Array.from({ length: 300 }, (_, index) => String(index));
    const { page } = await reader.open([
      stackPlan([policyChange(names(...many), names(...[...many].reverse()))]),
    ]);
    await page.getByRole("button", { name: "Expand all" }).click();
    const picture = page.getByRole("region", { name: "Order of the policies" });
    const { height } = (await picture.boundingBox())!;
    expect(height).toBeLessThan(page.viewportSize()!.height);
    await page.emulateMedia({ media: "print" });
    expect((await picture.boundingBox())!.height).toBeGreaterThan(300 * 15);
  });

  test("lists the dependencies", async () => {
    const { page } = await reader.open(plans);
    await page.getByRole("heading", { name: "Dependencies of 2 resources" }).click();
    const last = page.locator(".dependencies li").last();
    expect(await last.innerText()).toBe(
      "cwp_compliance_policy_set.policies depends on cwp_compliance_policy_set.license",
    );
  });

  test("treats foreign names as text, which does not run", async () => {
    const hostile = HOSTILE.map((name, index) => ({
      ...policyChange(
        [...names("a", name), policy("b", { checks: {} })],
        [policy("b", { resources: { hosts: [name] } }), ...names(name, "a")],
      ),
      address: `cwp_compliance_policy_set.x["${name}"]`,
      endpoint: name,
      constructPath: name,
      key: index,
    }));
    const { page, problems, requests } = await reader.open(
      HOSTILE.map((name, index) =>
        stackPlan(hostile.slice(index, index + 1), {
          stack: name,
          diagnostics: [warning(name, name)],
          dependencies: [
            { resource: name, needs: [] },
            { resource: `${name}x`, needs: [name] },
          ],
        }),
      ),
    );
    await page.getByRole("button", { name: "Expand all" }).click();
    const addresses = await page.locator("details.change .address").allTextContents();
    expect(addresses).toHaveLength(HOSTILE.length);
    expect(addresses[0]).toBe('cwp_compliance_policy_set.x["<script>alert(1)</script>"]');
    expect(await page.locator("script, img:not(svg), a[href^='http']").count()).toBe(1);
    expect(await page.locator("body").innerText()).not.toMatch(/[^\P{C}\n\t]/u);
    expect(problems).toEqual([]);
    expect(requests()).toEqual([]);
  });

  test.each(["light", "dark"] as const)("passes axe in %s, folded and unfolded", async (scheme) => {
    const { page } = await reader.open(plans, { colorScheme: scheme, bypassCSP: true });
    await page.evaluate(axe);
    for (const button of ["Collapse all", "Expand all"]) {
      await page.getByRole("button", { name: button }).click();
      for (const graph of await page.locator("details.graph > summary").all()) await graph.click();
      expect(await violationsOf(page)).toEqual([]);
    }
  });

  test("shows the diagnostics of a failed run as text", async () => {
    const failure = [warning("Soon to go", ""), ...HOSTILE.map((name) => error(name, name))];
    const { page, problems } = await reader.openText(renderFailureHtml(failure), {
      bypassCSP: true,
    });
    await page.getByRole("heading", { name: "Planning failed" }).waitFor();
    const items = await page.getByRole("listitem").allInnerTexts();
    expect(items[0]).toContain("Error: <script>alert(1)</script>");
    expect(items.at(-1)).toContain("Warning: Soon to go");
    await page.evaluate(axe);
    expect(await violationsOf(page)).toEqual([]);
    expect(problems).toEqual([]);
  });

  test("fits on paper", async () => {
    const { page } = await reader.open(plans, { viewport: { width: 718, height: 1000 } });
    await page.emulateMedia({ media: "print" });
    await page.evaluate('dispatchEvent(new Event("beforeprint"))');
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(718);
  });

  test("prints folded details", async () => {
    const { page } = await reader.open(plans);
    await page.evaluate('dispatchEvent(new Event("beforeprint"))');
    expect(await page.locator("details:not([open])").count()).toBe(0);
    await page.evaluate('dispatchEvent(new Event("afterprint"))');
    // The first change starts open.
    expect(await page.locator("details[open]").count()).toBe(1);
  });

  test.each([360, 768, 1280, 1920])("fits a screen of %i pixels", async (width) => {
    const { page } = await reader.open(plans, { viewport: { width, height: 900 } });
    if (width < 800) await page.getByRole("button", { name: "Filters" }).click();
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(width);
    expect(await page.getByLabel("Only what weakens").isVisible()).toBe(true);
    // The filters stay at the top while the changes scroll.
    await page.evaluate("scrollTo(0, document.body.scrollHeight)");
    const { y } = (await page.locator("#filters").boundingBox())!;
    expect(y).toBeGreaterThanOrEqual(-1);
  });

  test("shows everything except the filters without scripts", async () => {
    const { page } = await reader.open(plans, { javaScriptEnabled: false });
    expect(await page.locator("details.change:visible").count()).toBe(4);
    expect(await page.locator("#filters:visible").count()).toBe(0);
  });

  test("keeps a thousand changed policies small and searchable", async () => {
    const before = Array.from({ length: 1000 }, (_, index) => policy(`policy ${index}`));
    const after = before.map((_, index) => policy(`policy ${index}`, { checks: { "41": false } }));
    const plan = stackPlan([policyChange(before, after)]);
    expect(renderHtml({ plans: [plan] }).length).toBeLessThan(1_500_000);
    const { page } = await reader.open([plan]);
    await page.getByLabel("Search").fill('"policy 77');
    await page.getByRole("button", { name: "Expand all" }).click();
    expect(await page.locator("li.entry:visible").count()).toBe(11);
  });
});
