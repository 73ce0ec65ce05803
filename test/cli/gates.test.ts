import { renderJunit } from "../../src/review/findings/render-junit";
import { reviewSchema } from "../../src/review/json/review-schema";
import { gatedChanges, type GatedChange } from "./gates";

let rows: readonly GatedChange[];
beforeAll(async () => {
  rows = await gatedChanges();
});

test("the command, the review of a plan's JSON, the document and JUnit have one verdict", () => {
  expect(rows.length).toBeGreaterThanOrEqual(40);
  for (const { name, code, outcome, reviewedOutcome, document } of rows) {
    const parsed = reviewSchema.parse(JSON.parse(document));
    const { verdict } = parsed;
    const junit = renderJunit(parsed, () => ({ file: "main.ts", line: 1 }));
    expect([name, junit.includes("<failure")]).toEqual([name, outcome !== "passed"]);
    expect([name, outcome === "passed", reviewedOutcome]).toEqual([
      name,
      code === undefined,
      outcome,
    ]);
    expect([name, verdict]).toEqual([name, outcome]);
  }
});

test("a violated requirement is worse than a weakening, and a signed weakening passes", () => {
  const outcomes = (contract: string) =>
    new Set(rows.filter(({ name }) => name.endsWith(contract)).map(({ outcome }) => outcome));
  // The policies that a destroy restores are not known.
  expect(outcomes("none")).toEqual(new Set(["weaker", "unknown", "passed"]));
  expect(outcomes("requirement")).toEqual(new Set(["violated", "weaker", "unknown", "passed"]));
  expect(outcomes("signed")).toEqual(new Set(["passed"]));
});

test("the document names the waivers of each region that passes by them", () => {
  const row = rows.find(({ name }) => name === "root disabled, contract: signed");
  const { stacks, waivers } = reviewSchema.parse(JSON.parse(row?.document ?? ""));
  const weaker = stacks.flatMap(({ protection }) =>
    protection.flatMap(({ regions }) => regions.filter(({ change }) => change === "weaker")),
  );
  expect(weaker.length).toBeGreaterThan(0);
  for (const region of weaker) expect(region.waived_by?.length).toBeGreaterThan(0);
  expect(waivers?.[0]).toMatchObject({ owner: "security@example.com" });
});
