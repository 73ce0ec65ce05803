import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readJsonFile } from "../../../src/language/config/json-file";
import { readAssignments } from "../../../src/language/config/variable-sources";

const LEVELS = 20_000;
const deep = "[".repeat(LEVELS) + "]".repeat(LEVELS);

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "deep-"));
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

test("refuses a configuration of 20,000 levels", async () => {
  const file = join(folder, "cdk.tf.json");
  writeFileSync(file, `{"locals":{"a":${deep}}}`);
  expect(await readJsonFile(file)).toMatchObject({
    kind: "faulty",
    diagnostic: { summary: "Document nested too deeply" },
  });
});

test.each([
  ["a.tfvars", `a = ${deep}`, "Expression nested too deeply"],
  ["a.tfvars.json", `{"a":${deep}}`, "Document nested too deeply"],
])("refuses %s of 20,000 levels", async (name, text, summary) => {
  const file = join(folder, name);
  writeFileSync(file, text);
  const given = [{ kind: "file", file }] as const;
  const { assignments, diagnostics } = await readAssignments({ directories: [], given });
  expect(assignments).toEqual([]);
  expect(diagnostics).toMatchObject([{ summary }]);
});
