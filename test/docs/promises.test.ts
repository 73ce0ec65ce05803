import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "./support/pages";
import { TESTS } from "./support/promises";

describe.each(Object.entries(TESTS))("%s", (page, tests) => {
  test("names no promise without a test, and no test is of a lost promise", () => {
    const text = readFileSync(join(ROOT, page), "utf8");
    const [, section = ""] = /\n## Promises\n([^]*?)\n## /.exec(text) ?? [];
    const promises = [...section.matchAll(/^- (.+)$/gm)].map(([, promise]) => promise);
    expect(promises).toEqual(Object.keys(tests));
    expect(promises.length).toBeGreaterThan(10);
  });

  test.each(Object.entries(tests))("%s", (_, [file, name]) => {
    expect(existsSync(join(ROOT, file))).toBe(true);
    expect(readFileSync(join(ROOT, file), "utf8")).toContain(name);
  });
});
