import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { renderReviewJson } from "../../src/review/json/review-json";
import { policyChange } from "../review/entries/changes";
import { stackPlan } from "../review/plans";
import { NEUTRAL, SET, WEAKENING } from "../review/protection/sets";
import { evaluateSet } from "./rego";
import type { Json } from "./rego-parser";

const FOLDER = join(__dirname, "../../examples/workflows/policy");

const CASES = [
  ...WEAKENING.map(([name, after]) => [name, after, true] as const),
  ...NEUTRAL.map(([name, after]) => [name, after, false] as const),
];
const DENIED = "main: cwp_thing.main gets weaker";

const reviewOf = (after: (typeof CASES)[number][1]) =>
  renderReviewJson([stackPlan([policyChange([...SET], after && [...after])])]);

test.each(CASES)("the policy judges %s", (_, after, isWeaker) => {
  const rules = readFileSync(join(FOLDER, "weakening.rego"), "utf8");
  const denied = evaluateSet([rules], "deny", JSON.parse(reviewOf(after)) as Json);
  expect(denied).toEqual(isWeaker ? [DENIED] : []);
});

const hasConftest = spawnSync("conftest", ["--version"]).status === 0;

(hasConftest ? describe : describe.skip)("with conftest itself, where it is installed", () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "policy-"));
  });
  afterAll(() => {
    rmSync(folder, { recursive: true });
  });

  test.each(CASES)("the policy judges %s", (_, after, isWeaker) => {
    const file = join(folder, "review.json");
    writeFileSync(file, reviewOf(after));
    const run = () =>
      execFileSync("conftest", ["test", file, "--policy", FOLDER], { encoding: "utf8" });
    if (isWeaker) expect(run).toThrow();
    else expect(run()).toContain("0 failures");
  });
});
