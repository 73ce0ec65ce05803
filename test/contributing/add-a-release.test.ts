import { writeFileSync } from "node:fs";
import { copyOfTree, insertBefore } from "./tree-copy";

/*
 * Adds release 21.04 with one moved path in a copy of the tree: the release and its section in the
 * table of releases, a route in the table of endpoints, and the rows of the three tests that state the
 * calls of each release.
 */

jest.setTimeout(600_000);

const NEW = "/api/v1/image-reports";
const EDITED: Readonly<Record<string, (text: string) => string>> = {
  "src/api/release.ts": (text) =>
    insertBefore(
      insertBefore(text, '"next"] as const', '"21.04", '),
      '  "9.1.1": {',
      `  "9.4.1": { since: "21.04", name: "image-reports" },\n`,
    ),
  "src/api/endpoints.ts": (text) =>
    replaced(
      text,
      'getImages: get("4.2", "/api/v1/images", { pages: true }),',
      `getImages: endpoint({
    spec: "4.2",
    pages: true,
    routes: [
      { method: "GET", path: "/api/v1/images" },
      { method: "GET", path: "${NEW}", section: "9.4.1" },
    ],
  }),`,
    ),
  "test/api/client-release.test.ts": (text) =>
    insertBefore(text, '["next", "next"],\n', '["21.04", "21.04"],\n  '),
  "test/api/endpoints.test.ts": (text) =>
    insertBefore(text, "next: {\n", `"21.04": { getImages: "GET ${NEW}" },\n    `),
  "test/simulator/walk.test.ts": (text) =>
    replaced(
      text,
      'step("GET images", OK,',
      `step("GET images", FROM("21.04", 200, 404)),
  step("GET image-reports", FROM("21.04", 404, 200),`,
    ),
};

/** The suites that go through all releases. */
const SUITES = [
  "test/api/coverage",
  "test/api/client-release.test.ts",
  "test/api/endpoints.test.ts",
  "test/api/simulator.test.ts",
  "test/provider/console/release",
  "test/provider/data-sources/release-changes.test.ts",
  "test/provider/resources/releases.test.ts",
  "test/simulator/refusals.test.ts",
  "test/simulator/walk.test.ts",
  "test/upgrade/changes.test.ts",
  "test/upgrade/search-scripts.test.ts",
];

const copy = copyOfTree();

beforeAll(() => {
  for (const [file, edit] of Object.entries(EDITED)) {
    writeFileSync(copy.path(file), edit(copy.read(file)));
  }
});

test("generates the rest", () => {
  expect(copy.generate()).toBe("");
  expect(copy.read("docs/maintainers/api-coverage.md")).toContain("`GET image-reports`");
  expect(copy.read("docs/commands.md")).toContain("`20.12`, `21.04`, `next`");
});

test("compiles", () => {
  expect(copy.run("typescript-7/bin/tsc", "--noEmit")).toBe("");
});

test("passes the suites that go through all releases", () => {
  const output = copy.run("jest/bin/jest.js", "--ci", "--silent", ...SUITES);
  expect(output).toMatch(/^Tests: +(\d+ skipped, )?\d+ passed, \d+ total$/m);
});

test("is a change that the upgrade reports", () => {
  writeFileSync(copy.path("get-images.sh"), 'curl "$CONSOLE/api/v1/images"\n');
  const files = ["upgrade", "--from", "20.12", "--to", "21.04", "--scripts", "get-images.sh"];
  const report = copy.run("tsx/dist/cli.mjs", "src/cli/main.ts", ...files);
  expect(report).toContain(`Instead: GET ${NEW}`);
  expect(report).toContain("9.4.1");
});

function replaced(text: string, old: string, now: string): string {
  expect(text).toContain(old);
  return text.replace(old, now);
}
