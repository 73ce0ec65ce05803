import type { Diagnostic } from "../../../src/core/diagnostics";
import { readBody } from "../../../src/language/config/body";

function read(path: string, key: unknown) {
  const diagnostics: Diagnostic[] = [];
  const where = { address: "cwp_license.l", constructPath: path, path: [] };
  const json = { "//": { metadata: { path } }, provider: "cwp", key };
  return readBody(json, ["provider"], where, diagnostics).then((body) => ({ body, diagnostics }));
}

test("reads blocks of stacks that are alike once, when they are read at the same time", async () => {
  const [one, other, third] = await Promise.all([
    read("one/license", "${var.KEY}"),
    read("other/license", "${var.KEY}"),
    read("third/license", "${var.OTHER}"),
  ]);
  expect(other.body).toBe(one.body);
  expect(third.body).not.toBe(one.body);
});

test("reports the faults of such blocks for the construct of each", async () => {
  const both = await Promise.all([read("one/license", "${"), read("other/license", "${")]);
  expect(both.map(({ diagnostics }) => diagnostics.map((found) => found.constructPath))).toEqual([
    ["one/license"],
    ["other/license"],
  ]);
});
