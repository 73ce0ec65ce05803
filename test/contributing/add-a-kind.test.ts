import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { copyOfTree } from "./tree-copy";

/* Adds a kind to the catalogue in a copy of the tree: one JSON file, and no source. */

jest.setTimeout(600_000);

const KIND = "src/api/catalogue/kinds/maintenance_window.json";
const kind = {
  form: "list",
  title: "Maintenance windows",
  path: "settings/maintenance-windows",
  member: "windows",
  key: ["_id"],
  order: "none",
  tried: false,
  sample: { entries: [{ _id: "ours", days: ["sunday"] }] },
};

/** The suites that derive their tables from the catalogue. */
const SUITES = [
  "test/simulator/described-paths.test.ts",
  "test/provider/resources/list/bad-input.test.ts",
  "test/constructs/generated.test.ts",
  "test/docs/pages.test.ts",
];

const copy = copyOfTree();

function add(row: object): void {
  mkdirSync(dirname(copy.path(KIND)), { recursive: true });
  writeFileSync(copy.path(KIND), `${JSON.stringify(row, null, 2)}\n`);
}

test("generates the rest of one JSON file", () => {
  add(kind);
  expect(copy.generate("--check")).toMatch(/out of date: run npm run generate\n$/);
  expect(copy.generate()).toBe("");
  expect(copy.read("docs/resources/list.md")).toContain("`maintenance_window`");
  expect(copy.read("src/constructs/generated/console-list.ts")).toContain('"maintenance_window"');
});

test("passes the suites that list kinds", () => {
  const output = copy.run("jest/bin/jest.js", "--ci", "--silent", ...SUITES);
  expect(output).toMatch(/^Tests: +\d+ passed, \d+ total$/m);
});

test("names the file that does not match the schema", () => {
  add({ ...kind, path: "/settings/maintenance-windows" });
  expect(copy.generate("--check")).toContain(KIND);
});
