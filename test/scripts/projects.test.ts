import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { projectOf } from "../projects.cjs";

const ROOT = join(__dirname, "..");
const sources = readdirSync(ROOT, { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith(".ts"))
  .map((name) => readFileSync(join(ROOT, name), "utf8"));

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
