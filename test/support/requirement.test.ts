import { execFile, execFileSync } from "node:child_process";
import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { temporaryFolder } from "../cli/stack-files";
import { findProgram } from "./requirement";

const ROOT = join(__dirname, "../..");

test("a run over several files names the reasons of all skipped tests in its last line", async () => {
  const files = ["test/examples/policy.test.ts", "test/cli/terraform/waves.test.ts"];
  // Neither needs the packed package, for which npm would have to be on PATH.
  const programs = temporaryFolder();
  symlinkSync(process.execPath, join(programs, "node"));
  const environment = { ...process.env, PATH: programs, CI: "" };
  const jest = join(ROOT, "node_modules/jest/bin/jest.js");
  const { stderr } = await promisify(execFile)(process.execPath, [jest, ...files, "-w", "1"], {
    cwd: ROOT,
    env: environment,
  });
  expect(stderr.trimEnd().split("\n").at(-1)).toMatch(
    /^Not run: conftest is not installed \(\d+\); terraform is not installed \(\d+\)\.$/,
  );
});

test("a program is found in the folder that starts it", () => {
  expect(findProgram("node")).toBe(
    execFileSync("sh", ["-c", "command -v node"], { encoding: "utf8" }).trim(),
  );
  expect(findProgram("no-program-has-this-name")).toBeUndefined();
});

test("tests are skipped with a reason only", () => {
  const places = execFileSync(
    "git",
    [
      "grep",
      "-nE",
      String.raw`\b(describe|it|test)\.(skip|todo)\b|\bx(describe|it|test)\(`,
      "--",
      "test",
    ],
    { cwd: ROOT, encoding: "utf8" },
  );
  const others = places
    .trim()
    .split("\n")
    .filter((place) => !place.startsWith("test/support/requirement."));
  expect(others).toEqual([]);
});
