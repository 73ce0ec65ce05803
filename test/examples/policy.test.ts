import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { error } from "../../src/core/diagnostics";
import { renderFailureJson, renderReviewJson } from "../../src/review/json/review-json";
import { policyChange } from "../review/entries/changes";
import { stackPlan } from "../review/plans";
import { NEUTRAL, SET, WEAKENING } from "../review/protection/sets";
import { packedPackage } from "../support/packed-package";
import { describeWhere, onPath } from "../support/requirement";

const CASES = [
  ...WEAKENING.map(([name, after]) => [name, after, true] as const),
  ...NEUTRAL.map(([name, after]) => [name, after, false] as const),
];

const reviewOf = (after: (typeof CASES)[number][1]) =>
  renderReviewJson([stackPlan([policyChange([...SET], after && [...after])])]);

describeWhere(onPath("conftest"), "the policy of the workflows, in conftest", () => {
  let folder: string;
  let policy: string;
  beforeAll(() => {
    policy = join(packedPackage().modules, "cdktf-console/examples/workflows/policy");
    folder = mkdtempSync(join(tmpdir(), "policy-"));
  });
  afterAll(() => {
    rmSync(folder, { recursive: true });
  });

  function judge(document: string) {
    const file = join(folder, "review.json");
    writeFileSync(file, document);
    const argv = ["test", file, "--policy", policy, "--output", "json"];
    const { status, stdout } = spawnSync("conftest", argv, { encoding: "utf8" });
    const [{ failures = [] } = {}] = JSON.parse(stdout) as { failures?: { msg: string }[] }[];
    return { status, failures: failures.map(({ msg }) => msg) };
  }

  test.each(CASES)("judges %s", (_, after, isWeaker) => {
    const { status, failures } = judge(reviewOf(after));
    expect(failures).toEqual(isWeaker ? ["main: cwp_thing.main gets weaker"] : []);
    expect(status).toBe(isWeaker ? 1 : 0);
  });

  test("denies what may get weaker", () => {
    const change = policyChange([SET[0]], [], { object: { ownership: "prefix" } });
    expect(judge(renderReviewJson([stackPlan([change])]))).toMatchObject({ status: 1 });
  });

  test.each([
    ["the JSON of a plan", '{"format_version":"1.2","planned_values":{},"resource_changes":[]}'],
    [
      "plans of several stacks",
      '{"format_version":"1.2","stacks":{"prod":{"resource_changes":[]}}}',
    ],
    ["a list of stacks without their protection", '{"stacks":[{"name":"prod"}]}'],
    ["a review without counts", '{"stacks":[{"name":"prod","protection":[{"regions":[]}]}]}'],
    ["a run that failed", renderFailureJson([error("Planning failed", "")])],
    ["an empty document", "{}"],
  ])("denies %s with the command that makes a review", (_, document) => {
    const { status, failures } = judge(document);
    expect(status).toBe(1);
    expect(failures).toEqual([expect.stringContaining("plan --review-json review.json")]);
  });
});
