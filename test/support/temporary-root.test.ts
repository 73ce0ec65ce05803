import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { KEPT_FOLDER } from "./kept-folder";

test("gives a run its own temporary folder beside what is kept", () => {
  expect(dirname(tmpdir())).toBe(KEPT_FOLDER);
});

test("removes the folder with its content at the end of the run", () => {
  const run = `
    require(${JSON.stringify(join(__dirname, "temporary-root.cjs"))})();
    require("node:fs").mkdtempSync(require("node:os").tmpdir() + "/left-");
    console.log(require("node:os").tmpdir());`;
  const folder = execFileSync(process.execPath, ["-e", run], { encoding: "utf8" }).trim();
  expect(dirname(folder)).toBe(KEPT_FOLDER);
  expect(existsSync(folder)).toBe(false);
});
