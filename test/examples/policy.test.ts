import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { renderReviewJson } from "../../src/review/json/review-json";
import { policyChange } from "../review/entries/changes";
import { stackPlan } from "../review/plans";
import { NEUTRAL, SET, WEAKENING } from "../review/protection/sets";
import { describeWhere, onPath } from "../support/requirement";

const FOLDER = join(__dirname, "../../examples/workflows/policy");

const CASES = [
  ...WEAKENING.map(([name, after]) => [name, after, true] as const),
  ...NEUTRAL.map(([name, after]) => [name, after, false] as const),
];

const reviewOf = (after: (typeof CASES)[number][1]) =>
  renderReviewJson([stackPlan([policyChange([...SET], after && [...after])])]);

describeWhere(onPath("conftest"), "the policy of the workflows, in conftest", () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "policy-"));
  });
  afterAll(() => {
    rmSync(folder, { recursive: true });
  });

  test.each(CASES)("judges %s", (_, after, isWeaker) => {
    const file = join(folder, "review.json");
    writeFileSync(file, reviewOf(after));
    const { status, stdout } = spawnSync(
      "conftest",
      ["test", file, "--policy", FOLDER, "--output", "json"],
      { encoding: "utf8" },
    );
    const [{ failures = [] } = {}] = JSON.parse(stdout) as { failures?: { msg: string }[] }[];
    expect(failures.map(({ msg }) => msg)).toEqual(
      isWeaker ? ["main: cwp_thing.main gets weaker"] : [],
    );
    expect(status).toBe(isWeaker ? 1 : 0);
  });
});
