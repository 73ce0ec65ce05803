import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder, writeStacks } from "./stack-files";
import { TestTerminal } from "./test-terminal";

// Members that every object has, as names in files from outside.
const NAMES = ["constructor", "toString", "__proto__", "hasOwnProperty", "valueOf"];

test.each(NAMES)("shows a state with an attribute %s", async (name) => {
  const directory = temporaryFolder();
  writeStacks(directory, { prod: { resource: { null_resource: { gate: {} } } } });
  const run = async (...argv: string[]) => {
    const terminal = new TestTerminal({ directory });
    const code = await terminal.run(...argv, "--out-dir", "cdktf.out");
    return { code, out: terminal.out, err: terminal.err };
  };
  expect((await run("apply", "--auto-approve")).code).toBe(0);
  const path = join(directory, "terraform.prod.tfstate");
  const state = readFileSync(path, "utf8");
  // A literal with __proto__ would set the prototype, so the text is changed.
  writeFileSync(
    path,
    state.replace('"attributes": {', `"attributes": {\n"${name}": {"${name}": "x"},`),
  );
  expect(readFileSync(path, "utf8")).not.toBe(state);
  for (const argv of [
    ["show"],
    ["state", "show", "null_resource.gate"],
    ["show", "--json"],
    ["plan"],
  ]) {
    const { err } = await run(...argv);
    expect([argv, err]).not.toEqual([argv, expect.stringContaining("Internal error")]);
  }
  expect((await run("show")).out).toContain("null_resource.gate");
});
