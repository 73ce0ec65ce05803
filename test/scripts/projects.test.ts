import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import manifest from "../../package.json";
import { projectOf, suites } from "../projects.cjs";

const ROOT = join(__dirname, "../..");
const TESTS = join(ROOT, "test");
const files = readdirSync(TESTS, { recursive: true, encoding: "utf8" });
const texts = files
  .filter((name) => name.endsWith(".ts"))
  .map((name) => [name, readFileSync(join(TESTS, name), "utf8")] as const);
const sources = texts.map(([, text]) => text);

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
  for (const suite of suitesOfLong) {
    expect([suite, pathsOf(long).some((path) => suite.startsWith(path))]).toEqual([suite, true]);
  }
});

test("test:matrix runs each suite that has more cases than those of CI", () => {
  const { "test:long": long, "test:states": states } = manifest.scripts;
  const paths = pathsOf(`${long} ${states}`);
  for (const [name, text] of texts) {
    const hasMore =
      /import \{[^}]*\b(slice|LONG_TESTS|conforms)\b[^}]*\} from "[./]*support\/(cases|conform)"/;
    if (!hasMore.test(text)) continue;
    const suite = join(TESTS, name);
    expect([
      name,
      !name.endsWith(".test.ts") || paths.some((path) => suite.startsWith(path)),
    ]).toEqual([name, true]);
  }
});

function pathsOf(command: string): readonly string[] {
  const paths = command.split(" ").filter((word) => word.startsWith("test/"));
  return paths.map((path) => join(ROOT, path));
}

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
