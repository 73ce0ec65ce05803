import { readFileSync } from "node:fs";
import { join } from "node:path";
import { functions, REFUSED_FUNCTIONS } from "../../../src/runtime/expressions/functions/registry";
import { faultsOf } from "./scope";

const guide = readFileSync(join(__dirname, "../../../docs/guides/engines.md"), "utf8");

test("the engines guide lists all refused functions with the reason", () => {
  const rows = Array.from(guide.matchAll(/^\| `(\w+)` \| (.+) \|$/gm), ([, name, reason]) => [
    name,
    reason,
  ]);
  expect(rows).toEqual([...REFUSED_FUNCTIONS]);
});

test.each([...REFUSED_FUNCTIONS.keys()])("%s is refused by name", async (name) => {
  expect(functions.has(name)).toBe(false);
  const [fault] = await faultsOf(`\${${name}("a")}`);
  expect(fault).toContain(`does not support the function "${name}"`);
});
