import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import manifest from "../../package.json";
import { projectOf, suites } from "../projects.cjs";

const ROOT = join(__dirname, "../..");
const TESTS = join(ROOT, "test");
const files = readdirSync(TESTS, { recursive: true, encoding: "utf8" });
const sources = files
  .filter((name) => name.endsWith(".ts"))
  .map((name) => readFileSync(join(TESTS, name), "utf8"));

test("every suite belongs to exactly one project", () => {
  const named = files.filter((name) => /\.(test|spec)\.\w+$/.test(name));
  expect(Object.values(suites()).flat().sort()).toEqual(
    named.map((name) => join(TESTS, name)).sort(),
  );
});

test("npm test and test:programs run each project once, but for the long suites of test:long", () => {
  const { test: tests, "test:programs": programs, "test:long": long } = manifest.scripts;
  const selected = [tests, programs].flatMap((command) =>
    (/--selectProjects (.*)/.exec(command)?.[1] ?? "").split(" "),
  );
  const { long: suitesOfLong = [], ...others } = suites();
  expect(selected).toEqual(Object.keys(others));
  const patterns = long.split(" ").filter((word) => word.startsWith("test/"));
  for (const suite of suitesOfLong) {
    const path = relative(ROOT, suite);
    expect([path, patterns.some((pattern) => path.startsWith(pattern))]).toEqual([path, true]);
  }
});

test.each([
  ["core/values.test.ts", "", "core"],
  ["runtime/engine/plan.test.ts", "", "engine"],
  ["cli/apply.test.ts", 'import { temporaryFolder } from "./stack-files";', "product"],
  ["cli/apply.test.ts", ["describe", "WithJq(it)"].join(""), "shipped"],
  ["elsewhere/apply.test.ts", "", undefined],
])(
  "%s belongs to a project by its folder, and by the programs that it uses",
  (file, text, name) => {
    expect(projectOf(file, text)).toBe(name);
  },
);

test("no suite that needs a program belongs to the projects of npm test", () => {
  const needing = sources.flatMap((text) =>
    [...text.matchAll(/export function (describeWith\w+)/g)].map(([, name = ""]) => name),
  );
  expect(needing.length).toBeGreaterThan(5);
  for (const name of needing) {
    expect([name, projectOf("core/values.test.ts", `${name}("it", () => {});`)]).toEqual([
      name,
      expect.stringMatching(/^(shipped|conformance)$/),
    ]);
  }
});
