import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileFault } from "../../../src/core/io/file-fault";

const folder = mkdtempSync(join(tmpdir(), "file-fault-"));
writeFileSync(join(folder, "protection.yaml"), "");

function faultOf(path: string): string {
  try {
    readFileSync(path);
    return "";
  } catch (failure) {
    return fileFault(failure, path);
  }
}

test.each([
  ["protection.yml", 'no such file or directory. Did you mean "protection.yaml"?'],
  [
    "run.jsonl",
    `no such file or directory. Correct the name; the folder ${folder} does not have it.`,
  ],
  [
    "none/run.jsonl",
    `no such file or directory. There is no folder ${folder}/none. Correct the path.`,
  ],
  [".", "is a directory. Name a file."],
])("%s", (name, expected) => {
  expect(faultOf(join(folder, name))).toBe(expected);
});
