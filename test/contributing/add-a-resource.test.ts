import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { LONG_TESTS, slice } from "../support/cases";
import { copyOfTree, insertBefore, ROOT } from "./tree-copy";

/*
 * Follows "Add a resource in five steps" of CONTRIBUTING.md in a copy of the tree: the fixtures are
 * all that is written by hand. The console has the resource from the next release on.
 */

jest.setTimeout(600_000);

const TYPE = "cwp_trusted_hosts";
const COLLECTIONS = "src/api/collections.ts";
const DEFINITION = "src/provider/resources/trusted-hosts.ts";
const EXAMPLE = `examples/resources/${TYPE}/resource`;
const TEST = "test/provider/resources/trusted-hosts.test.ts";
const CHANGE = "changes/trusted-hosts.md";

/** The files that are added, by their fixtures. */
const ADDED: Readonly<Record<string, string>> = {
  [DEFINITION]: "definition.ts.txt",
  [`${EXAMPLE}.ts`]: "example.ts.txt",
  [`${EXAMPLE}.tf`]: "example.tf.txt",
  [TEST]: "test.ts.txt",
  [CHANGE]: "change.md.txt",
};
/** Generated files that only this resource has. */
const GENERATED = ["docs/resources/trusted_hosts.md", "src/constructs/generated/trusted-hosts.ts"];
/** The files that are edited. */
const EDITED: Readonly<Record<string, (text: string) => string>> = {
  [COLLECTIONS]: (text) =>
    insertBefore(
      text.replace("import type { z }", "import { z }"),
      "} as const satisfies",
      fixture("collections-row.txt"),
    ),
};

/** The suites that derive their tables from the definitions. */
const SUITES = [
  TEST,
  "test/api/coverage",
  "test/api/endpoints.test.ts",
  "test/cli/adopt",
  "test/constructs/generated.test.ts",
  "test/docs/pages.test.ts",
  "test/e2e/samples.test.ts",
  "test/examples/policy.test.ts",
  "test/provider/release-changes.test.ts",
  "test/provider/endpoints.test.ts",
  "test/core/provider.test.ts",
  "test/provider/resources/import.test.ts",
  "test/provider/resources/releases.test.ts",
  "test/core/schema/definitions.test.ts",
  "test/simulator/collections.test.ts",
];

const copy = copyOfTree();

beforeAll(() => {
  // A release sets the budgets, and this tree may be between two.
  copy.run("tsx/dist/cli.mjs", "scripts/budgets.ts", "--set");
  for (const file of Object.keys(ADDED)) add(file);
  for (const file of Object.keys(EDITED)) edit(file);
});

test("takes six files at most, which CONTRIBUTING.md names", () => {
  const files = [...Object.keys(ADDED), ...Object.keys(EDITED)];
  expect(files.length).toBeLessThanOrEqual(6);
  const guide = readFileSync(join(ROOT, "CONTRIBUTING.md"), "utf8");
  for (const file of files.filter((name) => !name.endsWith(".tf"))) expect(guide).toContain(file);
  expect(guide).toContain("`resource.tf`");
  expect(guide).toContain('`import { z } from "zod"`');
});

test("generates the rest", () => {
  expect(copy.generate("--check")).toMatch(/^\S+ is out of date: run npm run generate\n$/);
  expect(copy.generate()).toBe("");
  for (const file of GENERATED) expect(copy.read(file)).toContain("TrustedHosts");
});

test("ends in a green check", () => {
  const files = [...Object.keys(ADDED), ...Object.keys(EDITED), ...GENERATED];
  const sources = files.filter((file) => /\.tsx?$/.test(file));
  // It compiles these files alone, in half of the time.
  expect(copy.run("oxlint/bin/oxlint", "--type-check", "--format", "unix", ...sources)).toBe("");
  if (LONG_TESTS) expect(copy.run("typescript-7/bin/tsc", "--noEmit")).toBe("");
  expect(copy.run("prettier/bin/prettier.cjs", "--check", "--ignore-unknown", ...files)).toContain(
    "All matched files",
  );
  expect(copy.run("tsx/dist/cli.mjs", "scripts/budgets.ts")).toBe("");
  const layers = ["--config", ".dependency-cruiser.cjs", "src"];
  expect(copy.run("dependency-cruiser/bin/dependency-cruise.mjs", ...layers)).toContain(
    "no dependency violations found",
  );
});

test("passes the suites that list resources", () => {
  const output = copy.run("jest/bin/jest.js", "--ci", "--silent", ...slice(SUITES, 4));
  expect(output).toMatch(/^Tests: +(\d+ skipped, )?\d+ passed, \d+ total$/m);
});

/** Each is a run of the generator. */
const MISSING = [
  [COLLECTIONS, `${TYPE} manages the unknown collection "trustedHosts": add it to ${COLLECTIONS}`],
  [DEFINITION, `The collection trustedHosts has no resource: add ${DEFINITION}`],
  [`${EXAMPLE}.ts`, `${TYPE} has no example: add ${EXAMPLE}.ts`],
  [`${EXAMPLE}.tf`, `${TYPE} has no example: add ${EXAMPLE}.tf`],
  [TEST, `${TYPE} has no test: add ${TEST}`],
  [CHANGE, `${TYPE} is in no list of changes: add ${CHANGE}`],
] as const;

test.each(slice(MISSING, 3))("without %s, one line names it", (file, line) => {
  leaveOut(file);
  expect(copy.generate("--check")).toBe(`${line}\n`);
  if (file in ADDED) add(file);
  else edit(file);
});

function fixture(name: string): string {
  return readFileSync(join(__dirname, "fixtures", name), "utf8");
}

function add(file: string): void {
  const path = copy.path(file);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, fixture(ADDED[file] ?? ""));
}

function edit(file: string): void {
  writeFileSync(copy.path(file), EDITED[file]?.(readFileSync(join(ROOT, file), "utf8")) ?? "");
}

function leaveOut(file: string): void {
  if (file in ADDED) rmSync(copy.path(file));
  else cpSync(join(ROOT, file), copy.path(file));
}
