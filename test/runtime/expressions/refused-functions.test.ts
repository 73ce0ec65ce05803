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

test("timeadd refuses a time that a date cannot hold", async () => {
  const [fault] = await faultsOf('${timeadd("2020-01-01T00:00:00Z", "9999999999h")}');
  expect(fault).toContain('Call to function "timeadd" failed: the time is out of range.');
});
