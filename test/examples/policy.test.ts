import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { error } from "../../src/core/diagnostics";
import { failureDocument } from "../../src/review/json/review-json";
import { gatedChanges } from "../cli/gates";
import { packedPackage } from "../support/packed-package";
import { describeWhere, onPath } from "../support/requirement";

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

  /** The messages of each document, in their order; empty for one that passes. */
  function judge(...documents: readonly string[]): readonly (readonly string[])[] {
    const files = documents.map((document, index) => {
      const file = join(folder, `review-${index}.json`);
      writeFileSync(file, document);
      return file;
    });
    const argv = ["test", ...files, "--policy", policy, "--output", "json"];
    const { status, stdout } = spawnSync("conftest", argv, { encoding: "utf8" });
    const found = JSON.parse(stdout) as { filename: string; failures?: { msg: string }[] }[];
    const byFile = new Map(found.map(({ filename, failures = [] }) => [filename, failures]));
    const messages = files.map((file) => (byFile.get(file) ?? []).map(({ msg }) => msg));
    expect(status === 0).toBe(messages.every(({ length }) => length === 0));
    return messages;
  }

  test("has the verdict of the command for each change and contract", async () => {
    const rows = await gatedChanges();
    const messages = judge(...rows.map(({ document }) => document));
    for (const [index, { name, code }] of rows.entries()) {
      expect([name, messages[index]?.length === 0]).toEqual([name, code === undefined]);
    }
  });

  test("names what gets weaker, and the requirement that is not met", async () => {
    const rows = await gatedChanges();
    const row = rows.find(({ name }) => name === "root disabled, contract: requirement");
    expect(judge(row?.document ?? "")).toEqual([
      expect.arrayContaining([
        'the verdict is "violated"',
        "main: cwp_compliance_policy_set.policies gets weaker",
        'protection.yaml:3: "no root in production" is not met (violated)',
      ]),
    ]);
  });

  test.each([
    ["the JSON of a plan", '{"format_version":"1.2","planned_values":{},"resource_changes":[]}'],
    [
      "plans of several stacks",
      '{"format_version":"1.2","stacks":{"prod":{"resource_changes":[]}}}',
    ],
    ["a list of stacks without their protection", '{"stacks":[{"name":"prod"}]}'],
    ["a review without counts", '{"stacks":[{"name":"prod","protection":[{"regions":[]}]}]}'],
    ["a run that failed", JSON.stringify(failureDocument([error("Planning failed", "")]))],
    ["an empty document", "{}"],
  ])("denies %s with the command that makes a review", (_, document) => {
    expect(judge(document)).toEqual([[expect.stringContaining("plan --review-json review.json")]]);
  });
});
