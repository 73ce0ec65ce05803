import fc from "fast-check";
import { error } from "../../../src/core/diagnostics";
import { findingsOf } from "../../../src/review/findings/findings";
import { renderJunit } from "../../../src/review/findings/render-junit";
import { renderSarif } from "../../../src/review/findings/render-sarif";
import { failureDocument, reviewDocument } from "../../../src/review/json/review-json";
import { reviewSchema, type ReviewDocument } from "../../../src/review/json/review-schema";
import { gatedChanges } from "../../cli/gates";
import { policyChange } from "../entries/changes";
import { HOSTILE, stackPlan } from "../plans";
import { protecting } from "../protection/sets";

const locate = () => ({ file: "main.ts", line: 7 });

async function documentOf(name: string): Promise<ReviewDocument> {
  const row = (await gatedChanges()).find((one) => one.name === name);
  return reviewSchema.parse(JSON.parse(row?.document ?? ""));
}

test("a violated requirement and a weaker region are errors at their stack", async () => {
  const found = findingsOf(await documentOf("root disabled, contract: requirement"));
  expect(found).toEqual(
    expect.arrayContaining([
      expect.objectContaining({
        rule: "requirement-not-met",
        level: "error",
        stack: "main",
        text: expect.stringContaining(
          'protection.yaml:3: "no root in production" is not met.',
        ) as unknown,
      }),
      expect.objectContaining({
        rule: "protection-weaker",
        level: "error",
        address: "cwp_compliance_policy_set.policies",
      }),
    ]),
  );
});

test("a waived region is suppressed in SARIF, and passes in JUnit", async () => {
  const document = await documentOf("root disabled, contract: signed");
  const { runs } = JSON.parse(renderSarif(document, locate, "1.0.0")) as {
    runs: { results: { suppressions?: unknown; locations: unknown }[] }[];
  };
  const results = runs[0]?.results ?? [];
  expect(results.length).toBeGreaterThan(0);
  for (const result of results) {
    expect(result.suppressions).toMatchObject([{ kind: "external", status: "accepted" }]);
    expect(result.locations).toEqual([
      {
        physicalLocation: { artifactLocation: { uri: "main.ts" }, region: { startLine: 7 } },
      },
    ]);
  }
  const junit = renderJunit(document, locate);
  expect(junit).not.toContain("<failure");
  expect(junit).toContain("waived by security@example.com");
});

test.each(["passed", "weaker", "unknown"] as const)("errors follow the verdict %s", (outcome) => {
  const lost = policyChange([protecting("root", {}, "599")], []);
  const plan = stackPlan([lost], { drift: [{ ...lost }] });
  const document: ReviewDocument = { ...reviewDocument({ plans: [plan] }), verdict: outcome };
  const failed = findingsOf(document).filter(({ level }) => level === "error");
  expect(failed.length > 0).toBe(outcome !== "passed");
  expect(renderJunit(document, locate).includes("<failure")).toBe(outcome !== "passed");
  expect(renderSarif(document, locate, "1").includes('"level":"error"')).toBe(outcome !== "passed");
});

test("a run without a plan fails in both", () => {
  const document = failureDocument([error("Missing address", "Set CONSOLE_URL.")]);
  expect(renderSarif(document, locate, "1.0.0")).toContain('"ruleId":"planning-failed"');
  expect(renderJunit(document, locate)).toContain('failures="1"');
});

test("every weaker region of a document is in both, whatever its names", () => {
  const tags =
    /<\/?(?:testsuites?|testcase|failure|system-out)(?: [a-z]+="[^"<>&]*(?:&(?:amp|lt|gt|quot);[^"<>&]*)*")*\/?>/g;
  fc.assert(
    fc.property(fc.constantFrom(...HOSTILE), fc.integer({ min: 1, max: 3 }), (name, count) => {
      const lost = Array.from({ length: count }, (_, index) =>
        protecting(`${name}${index}`, { namespaces: [`n${index}`] }, "599"),
      );
      const plan = stackPlan([policyChange(lost, [])], { stack: name });
      const document = reviewDocument({ plans: [plan] });
      const regions = document.stacks[0]?.protection[0]?.weaker ?? 0;
      expect(regions).toBe(count);
      const sarif = JSON.parse(renderSarif(document, locate, "1")) as {
        runs: { results: unknown[] }[];
      };
      expect(sarif.runs[0]?.results).toHaveLength(regions);
      const junit = renderJunit(document, locate).split("\n").slice(1).join("\n");
      const text = junit.replace(tags, "");
      expect(text).not.toMatch(/[<>]|&(?!amp;|lt;|gt;|quot;)/);
      expect(text.match(/check 599 blocks -&gt; not checked/g)).toHaveLength(regions);
    }),
    { numRuns: 30 },
  );
});
