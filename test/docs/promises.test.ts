import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

const ROOT = join(__dirname, "../..");

/** A row of a table of promises: promise, how it is kept, test, seen failing without the guard. */
const ROW =
  /^\| (?<promise>[^|]+) \| [^|]+ \| `(?<file>[^`]+)` “(?<name>[^”]+)” +\| (?<seen>yes)? *\|$/;

const rows = ["docs/reliability.md", "SECURITY.md"].flatMap((page) =>
  readFileSync(join(ROOT, page), "utf8")
    .split("\n")
    .filter((line) => line.startsWith("|") && line.includes("`test/"))
    .map((line) => ({ page, line, ...ROW.exec(line)?.groups })),
);

test("there are promises", () => {
  expect(rows.length).toBeGreaterThan(30);
});

test.each(rows)("$page: $promise", ({ line, ...row }) => {
  expect(row).toMatchObject({
    file: expect.any(String) as string,
    name: expect.any(String) as string,
  });
  const { file = line, name = line } = row as { file?: string; name?: string };
  expect(existsSync(join(ROOT, file))).toBe(true);
  expect(readFileSync(join(ROOT, file), "utf8")).toContain(name);
});
