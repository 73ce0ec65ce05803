import { readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { MOST_SUITES, provingSuites, type Suite } from "../../scripts/prove/proving-suites";
import { suites } from "../projects.cjs";

const suite = (path: string, text = "", project = "core"): Suite => ({ path, text, project });

const ALL = [
  suite("test/core/types.test.ts"),
  suite("test/core/json/format-json.test.ts"),
  suite("test/core/json/lossless-json.test.ts"),
  suite("test/core/json/lossless-json-depth.test.ts"),
  suite("test/cli/show.test.ts", 'import { a } from "../../src/core/json/lossless-json";'),
  suite("test/cli/plan.test.ts"),
  suite("test/e2e/kill.test.ts", 'import "../../src/core/json/lossless-json";', "shipped"),
  suite("test/automation.test.ts"),
];

const reasons = (file: string) =>
  provingSuites(file, ALL).map(({ path, reason }) => [path, reason] as const);

test("a source has the suites of its name, its folder, its imports and its room, and a walk", () => {
  expect(reasons("src/core/json/lossless-json.ts")).toEqual([
    ["test/core/json/lossless-json.test.ts", "the file"],
    ["test/core/json/lossless-json-depth.test.ts", "the file"],
    ["test/core/json/format-json.test.ts", "its folder"],
    ["test/cli/show.test.ts", "imports it"],
    ["test/core/types.test.ts", "its room"],
    ["test/automation.test.ts", "the product"],
  ]);
});

test("a source without a folder of tests has those of the nearest folder above it", () => {
  expect(reasons("src/core/json/deep/er.ts")[0]).toEqual([
    "test/core/json/format-json.test.ts",
    "its folder",
  ]);
});

test("commands have no other walk, and a suite proves itself first", () => {
  expect(reasons("src/cli/actions/show.ts").map(([path]) => path)).toEqual([
    "test/cli/show.test.ts",
    "test/cli/plan.test.ts",
  ]);
  expect(reasons("test/cli/plan.test.ts")[0]).toEqual(["test/cli/plan.test.ts", "the file"]);
});

test("every source of the tree has some suites, and never many or dear ones", () => {
  const root = join(__dirname, "../..");
  const all = Object.entries(suites()).flatMap(([project, files]) =>
    files.map((file) =>
      suite(relative(root, file).replaceAll("\\", "/"), readFileSync(file, "utf8"), project),
    ),
  );
  const dear = new Set(
    all
      .filter(({ project }) => ["shipped", "conformance"].includes(project))
      .map(({ path }) => path),
  );
  for (const room of [
    "core/values",
    "runtime/session",
    "review/html/css",
    "cli/main",
    "api/client",
  ]) {
    const found = provingSuites(`src/${room}.ts`, all);
    expect([room, found.length > 0, found.length <= MOST_SUITES]).toEqual([room, true, true]);
    expect(found.filter(({ path }) => dear.has(path))).toEqual([]);
  }
});
