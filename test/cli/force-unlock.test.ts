import { existsSync } from "node:fs";
import { join } from "node:path";
import { LocalBackend } from "../../src/backends/local";
import { temporaryFolder, writeStacks } from "./stack-files";
import { TestTerminal } from "./test-terminal";

/** A stack with a state that another run has locked. */
async function locked() {
  const directory = temporaryFolder();
  writeStacks(directory, { prod: { resource: { null_resource: { gate: {} } } } });
  const path = join(directory, "terraform.prod.tfstate");
  const { lock } = await new LocalBackend(path).lock({ operation: "apply" });
  return { directory, id: lock!.id, lockFile: `${path}.lock` };
}

async function run(directory: string, argv: string[], answers?: string[]) {
  const terminal = new TestTerminal({ directory, ...(answers && { answers }) });
  const code = await terminal.run(...argv, "--out-dir", "cdktf.out");
  return { code, out: terminal.out, err: terminal.err };
}

test("plan fails on a locked state and reports the ID of the lock", async () => {
  const { directory, id } = await locked();
  const { code, err } = await run(directory, ["plan"]);
  expect(code).toBe(1);
  expect(err).toContain(id);
});

test.each([
  ["yes on a terminal", [], ["yes"]],
  ["--force anywhere", ["--force"], undefined],
])("%s removes the lock", async (_, flags, answers) => {
  const { directory, id, lockFile } = await locked();
  const { code, out } = await run(directory, ["force-unlock", id, ...flags], answers);
  expect(code).toBe(0);
  expect(out).toContain("The state has been unlocked.\n");
  expect(existsSync(lockFile)).toBe(false);
  expect((await run(directory, ["plan"])).code).toBe(0);
});

test.each([
  ["another answer", "", ["no"]],
  ["another ID", "0", undefined],
])("%s keeps the lock", async (_, suffix, answers) => {
  const { directory, id, lockFile } = await locked();
  const argv = ["force-unlock", id + suffix, ...(answers ? [] : ["--force"])];
  expect((await run(directory, argv, answers)).code).toBe(1);
  expect(existsSync(lockFile)).toBe(true);
});
