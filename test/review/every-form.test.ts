import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { ProtectionGate } from "../../src/cli/stacks/protection-gate";
import { error, warning } from "../../src/core/diagnostics";
import { groupBy } from "../../src/core/group-by";
import type { StackLabels } from "../../src/fleet/selection/labels";
import { FILE_TEXT } from "../../src/formats/text/style";
import type { CheckChange, Region } from "../../src/protection/compare";
import { renderJunit } from "../../src/review/findings/render-junit";
import { renderSarif } from "../../src/review/findings/render-sarif";
import { renderHtml } from "../../src/review/html/render-html";
import { reviewDocument } from "../../src/review/json/review-json";
import { renderMarkdown } from "../../src/review/markdown/render-markdown";
import { reviewProtection } from "../../src/review/protection/review-protection";
import { renderReviewedPlan } from "../../src/review/text/reviewed-plan";
import { TestTerminal } from "../cli/test-terminal";
import { cases } from "../support/cases";
import { policyChange } from "./entries/changes";
import { stackPlan } from "./plans";
import { protecting } from "./protection/sets";

const NAMES = "abcdefghijkl".split("").map((letter) => `team-${letter}`);
const NAMESPACES = [...NAMES, "team-*", "*", "-team-c", "-team-d", "-team-e*"];
const IMAGES = "abcdefgh".split("").map((letter) => `x/${letter}`);
const CHECKS = Array.from(
  { length: 15 },
  (_, index) => `${index % 3 === 0 ? "~" : ""}${501 + index}`,
);

const patterns = (of: readonly string[]) =>
  fc.uniqueArray(fc.constantFrom(...of), { minLength: 1, maxLength: 8 });
const policies = fc.uniqueArray(
  fc.record({
    name: fc.constantFrom("alpha", "beta", "gamma", "delta"),
    resources: fc.oneof(
      fc.record({ namespaces: patterns(NAMESPACES) }),
      fc.record({ images: patterns(IMAGES) }),
    ),
    checks: fc.subarray(CHECKS),
  }),
  { maxLength: 4, selector: ({ name }) => name },
);
const set = policies.map((all) =>
  all.map(({ name, resources, checks }) => protecting(name, resources, ...checks)),
);
const locate = () => ({ file: "main.ts", line: 1 });

/** Text without markup, so that a name is found whichever form escapes it. */
const plain = (text: string) =>
  text
    .replace(/<[^>]*>/g, "")
    .replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)))
    .replaceAll("&quot;", '"')
    .replaceAll("&gt;", ">");

/** Text without line breaks. */
const words = (text: string) => text.replace(/\s+/g, " ");

/** The effects of a region, `501, 502 blocks -> alerts`, and its scopes, `namespaces a, b`. */
function factsOf({ checks, where }: Pick<Region, "checks" | "where">): readonly string[] {
  const effects = groupBy(checks, effectOf).map((group) => {
    return `${group.map(({ id }) => id).join(", ")} ${effectOf(group[0])}`;
  });
  const scopes = [...where.all, ...where.none].flatMap((scope) => Object.entries(scope));
  return [...effects, ...scopes.map(([field, all = []]) => `${field} ${all.join(", ")}`)];
}

/** `blocks -> alerts` */
function effectOf({ before, after }: CheckChange): string {
  return `${before ?? "not checked"} -> ${after ?? "not checked"}`;
}

test("each region is in each form, with all checks, patterns and exclusions", () => {
  fc.assert(
    fc.property(set, set, (before, after) => {
      const plan = stackPlan([policyChange(before, after)]);
      const reviewed = { plans: [plan] };
      const document = reviewDocument(reviewed);
      const everything = {
        text: words(renderReviewedPlan(plan, FILE_TEXT).toString()),
        markdown: words(plain(renderMarkdown(reviewed))),
        html: words(plain(renderHtml(reviewed))),
      };
      const findings = {
        sarif: renderSarif(document, locate, "1").replaceAll('\\"', '"'),
        junit: plain(renderJunit(document, locate)),
      };
      const json = JSON.stringify(document);
      const regions = [...reviewProtection(plan).values()].flatMap((review) => review.regions);
      for (const region of regions) {
        const { change, checks, where, before: was, after: will } = region;
        const deciders = [was.policy ?? "", will.policy ?? ""];
        expectAll(everything, [...factsOf(region), ...deciders]);
        expectAll({ json }, [JSON.stringify(where), ...checks.map(({ id }) => `"id":"${id}"`)]);
        if (change === "stronger") continue;
        const each = checks.flatMap((one) => factsOf({ ...region, checks: [one] }));
        expectAll(findings, [...each, will.policy ?? ""]);
      }
    }),
    { numRuns: cases(15) },
  );
});

function expectAll(forms: Readonly<Record<string, string>>, facts: readonly string[]): void {
  for (const [form, text] of Object.entries(forms)) {
    for (const fact of facts) expect([form, text]).toEqual([form, expect.stringContaining(fact)]);
  }
}

const CONTRACT = `version: 1
require:
  - { name: kept everywhere, where: { namespaces: ["dev-*"] }, checks: { 701: block } }
  - { name: broken in production, where: { namespaces: ["prod-*"] }, checks: { 702: block } }
waivers:
  - &w
    where: { namespaces: ["dev-*"] }
    checks: { 703: { from: block, to: none } }
    owner: used@example.com
    reason: until the move
    expires: 2999-01-01
  - { <<: *w, checks: { 9: { from: block, to: none } }, owner: unused@example.com }
  - { <<: *w, owner: expired@example.com, expires: 2001-01-01 }
`;

test("what judging found, warnings, drift and stacks without a plan are in each form", async () => {
  const dev = protecting("dev", { namespaces: ["dev-*"] }, "701", "703");
  const changed = protecting("dev", { namespaces: ["dev-*"] }, "701");
  const drifted = protecting("drifted", { hosts: ["h-*"] }, "704");
  const plan = stackPlan([policyChange([dev], [changed])], {
    drift: [policyChange([drifted], [], { address: "cwp_drifted.one" })],
    diagnostics: [warning("Old release", "The release is old.")],
  });
  const excluded = [{ stack: "dark", diagnostics: [error("No answer", "The console is off.")] }];
  const directory = mkdtempSync(join(tmpdir(), "every-form-"));
  writeFileSync(join(directory, "protection.yaml"), CONTRACT);
  const opened = await ProtectionGate.open(
    new TestTerminal({ directory }),
    { failOn: "weaker" },
    { names: undefined, labels: () => Promise.resolve(new Map<string, StackLabels>()) },
  );
  rmSync(directory, { recursive: true });
  if ("problems" in opened) throw new Error(opened.problems.map(({ detail }) => detail).join());
  const verdict = opened.gate.judge([plan], excluded);
  const reviewed = { plans: [plan], excluded, verdict };
  const document = reviewDocument(reviewed);
  expect(document.verdict).toBe("failed");
  const forms = {
    json: JSON.stringify(document),
    markdown: plain(renderMarkdown(reviewed)),
    html: plain(renderHtml(reviewed)),
    sarif: renderSarif(document, locate, "1"),
    junit: renderJunit(document, locate),
  };
  const facts = [
    ...["broken in production", "702", "used@example.com", "unused@example.com", "703"],
    ...["expired@example.com", "Old release", "The console is off.", "704", "dark"],
  ];
  expectAll(forms, facts);
  // A clause that is met is no finding; Markdown counts them.
  expect(forms.json).toContain("kept everywhere");
  expect(forms.html).toContain("kept everywhere");
  expect(forms.markdown).toContain("1 of 2 clauses of the contract is not met");
});
