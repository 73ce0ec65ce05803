import { execFileSync, spawnSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";

/*
 * Follows "Add a resource in five steps" of CONTRIBUTING.md in a copy of the tree: the fixtures are
 * all that is written by hand.
 */

jest.setTimeout(600_000);

const ROOT = resolve(__dirname, "../..");
const TYPE = "cwp_trusted_images";
const COLLECTIONS = "src/api/collections.ts";
const DEFINITION = "src/provider/resources/trusted-images.ts";
const EXAMPLE = `examples/resources/${TYPE}/resource`;
const TEST = "test/provider/resources/trusted-images.test.ts";

/** The files that are added, by their fixtures. */
const ADDED: Readonly<Record<string, string>> = {
  [DEFINITION]: "definition.ts.txt",
  [`${EXAMPLE}.ts`]: "example.ts.txt",
  [`${EXAMPLE}.tf`]: "example.tf.txt",
  [TEST]: "test.ts.txt",
};
/** The files that are edited. */
const EDITED: Readonly<Record<string, (text: string) => string>> = {
  [COLLECTIONS]: (text) =>
    before(
      text.replace("import type { z }", "import { z }"),
      "} as const satisfies",
      fixture("collections-row.txt"),
    ),
  "CHANGELOG.md": (text) => before(text, "- Constructs for cdktf", `- The resource \`${TYPE}\`.\n`),
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
  "test/provider/console/release-changes.test.ts",
  "test/provider/endpoints.test.ts",
  "test/provider/provider.test.ts",
  "test/provider/resources/import.test.ts",
  "test/provider/resources/releases.test.ts",
  "test/provider/schema/definitions.test.ts",
  "test/simulator/collections.test.ts",
];

const copy = mkdtempSync(join(tmpdir(), "cdktf-console-contributing-"));

beforeAll(() => {
  const files = execFileSync(
    "git",
    ["ls-files", "--cached", "--others", "--exclude-standard", "-z"],
    {
      cwd: ROOT,
      encoding: "utf8",
    },
  );
  for (const file of files.split("\0")) {
    const path = join(ROOT, file);
    // Deleted files are listed until the deletion is staged.
    if (file !== "" && existsSync(path)) cpSync(path, join(copy, file));
  }
  symlinkSync(join(ROOT, "node_modules"), join(copy, "node_modules"));
  for (const file of Object.keys(ADDED)) add(file);
  for (const file of Object.keys(EDITED)) edit(file);
});

afterAll(() => {
  rmSync(copy, { recursive: true, force: true });
});

test("takes six files at most, which CONTRIBUTING.md names", () => {
  const files = [...Object.keys(ADDED), ...Object.keys(EDITED)];
  expect(files.length).toBeLessThanOrEqual(6);
  const guide = readFileSync(join(ROOT, "CONTRIBUTING.md"), "utf8");
  for (const file of files.filter((name) => !name.endsWith(".tf"))) expect(guide).toContain(file);
  expect(guide).toContain("`resource.tf`");
});

test("generates the rest", () => {
  expect(generate("--check")).toMatch(/^\S+ is out of date: run npm run generate\n$/);
  expect(generate()).toBe("");
  const generated = [
    "docs/resources/trusted_images.md",
    "src/constructs/generated/trusted-images.ts",
  ];
  for (const file of generated) expect(read(file)).toContain("TrustedImages");
});

test("compiles", () => {
  const config = {
    extends: "./tsconfig.json",
    include: ["src/index.ts", `${EXAMPLE}.ts`, TEST, "test/e2e/samples.test.ts"],
  };
  writeFileSync(join(copy, "tsconfig.added.json"), JSON.stringify(config));
  expect(run("typescript/bin/tsc", "--project", "tsconfig.added.json")).toBe("");
});

test("passes the suites that list resources", () => {
  const output = run("jest/bin/jest.js", "--ci", "--silent", ...SUITES);
  expect(output).toMatch(/^Tests: +\d+ passed, \d+ total$/m);
});

test.each([
  [COLLECTIONS, `${TYPE} manages the unknown collection "trustedImages": add it to ${COLLECTIONS}`],
  [DEFINITION, `The collection trustedImages has no resource: add ${DEFINITION}`],
  [`${EXAMPLE}.ts`, `${TYPE} has no example: add ${EXAMPLE}.ts`],
  [`${EXAMPLE}.tf`, `${TYPE} has no example: add ${EXAMPLE}.tf`],
  [TEST, `${TYPE} has no test: add ${TEST}`],
  ["CHANGELOG.md", `${TYPE} is not in CHANGELOG.md: add a line`],
])("without %s, one line names it", (file, line) => {
  leaveOut(file);
  expect(generate("--check")).toBe(`${line}\n`);
  if (file in ADDED) add(file);
  else edit(file);
});

function fixture(name: string): string {
  return readFileSync(join(__dirname, "fixtures", name), "utf8");
}

function read(file: string): string {
  return readFileSync(join(copy, file), "utf8");
}

function add(file: string): void {
  const path = join(copy, file);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, fixture(ADDED[file] ?? ""));
}

function edit(file: string): void {
  writeFileSync(join(copy, file), EDITED[file]?.(readFileSync(join(ROOT, file), "utf8")) ?? "");
}

function leaveOut(file: string): void {
  if (file in ADDED) rmSync(join(copy, file));
  else cpSync(join(ROOT, file), join(copy, file));
}

/** The text with `inserted` before the anchor, which has to be there. */
function before(text: string, anchor: string, inserted: string): string {
  expect(text).toContain(anchor);
  return text.replace(anchor, () => inserted + anchor);
}

/** Returns the output of `npm run generate`. */
function generate(...args: readonly string[]): string {
  return run("tsx/dist/cli.mjs", "scripts/generate.ts", ...args);
}

/** Runs a program of node_modules in the copy; returns what it prints. */
function run(program: string, ...args: readonly string[]): string {
  const { stdout, stderr } = spawnSync(process.execPath, [join("node_modules", program), ...args], {
    cwd: copy,
    encoding: "utf8",
  });
  return stdout + stderr;
}
