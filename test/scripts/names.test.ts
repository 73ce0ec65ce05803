import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { sharedNames } from "../../scripts/names/names";

const ROOT = join(__dirname, "../..");

/** Only falls: a new thing takes a name that no other thing has. */
const MOST_SHARED_NAMES = 18;

test("finds names that several sources export", () => {
  const sources = [
    { path: "src/core/a.ts", text: "export interface Scope {} export const one = 1, two = 2;" },
    { path: "src/core/b.ts", text: 'export type Scope = string; export { one } from "./a";' },
    { path: "src/cli/actions/two.ts", text: "function one() {} export class Three {}" },
    { path: "src/cli/commands/two.ts", text: "export const two = 1;" },
  ];
  expect(sharedNames(sources)).toEqual(new Map([["Scope", ["src/core/a.ts", "src/core/b.ts"]]]));
});

test("few exported names have several meanings", () => {
  const sources = readdirSync(join(ROOT, "src"), { recursive: true, encoding: "utf8" })
    .map((file) => `src/${file.replaceAll("\\", "/")}`)
    .filter((path) => /\.tsx?$/.test(path) && !path.includes("/generated/"))
    .map((path) => ({ path, text: readFileSync(join(ROOT, path), "utf8") }));
  const shared = [...sharedNames(sources)].map(([name, paths]) => `${name}: ${paths.join(", ")}`);
  expect(shared.length <= MOST_SHARED_NAMES ? [] : shared).toEqual([]);
});

test("the doors of rooms export things by their names", () => {
  const doors = readdirSync(join(ROOT, "src"), { recursive: true, encoding: "utf8" })
    .map((file) => file.replaceAll("\\", "/"))
    // Entry points of the package have names for its users.
    .filter((file) => file.endsWith("/index.ts") && !/^(?:api|simulator)\//.test(file));
  expect(doors).toContain("language/index.ts");
  const renaming = doors.filter((file) =>
    /\b\w+ as \w+\b/.test(
      readFileSync(join(ROOT, "src", file), "utf8").replace(/\/\*.*?\*\//gs, ""),
    ),
  );
  expect(renaming).toEqual([]);
});
