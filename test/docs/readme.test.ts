import { execFile } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { startSimulator } from "../../src/simulator";
import { temporaryFolder } from "../cli/stack-files";
import { TestTerminal } from "../cli/test-terminal";
import { consoleEnvironment } from "../support/console-environment";
import { BLOCKS, ROOT } from "./support/pages";

const TSX = join(ROOT, "node_modules/tsx/dist/cli.mjs");
const run = promisify(execFile);

test("the stack of the README sets up a new console, and plans no changes then", async () => {
  const directory = temporaryFolder();
  const main = BLOCKS.find(({ page, language }) => page === "README.md" && language === "ts");
  mkdirSync(join(directory, "node_modules"));
  for (const name of ["cdktf", "constructs", "@cdktf"]) {
    symlinkSync(join(ROOT, "node_modules", name), join(directory, "node_modules", name));
  }
  symlinkSync(ROOT, join(directory, "node_modules/cdktf-console"));
  writeFileSync(join(directory, "main.ts"), main?.text ?? "");
  await run(process.execPath, [TSX, "main.ts"], { cwd: directory });

  const simulator = await startSimulator();
  try {
    const environment = consoleEnvironment(simulator);
    const done = async (...words: readonly string[]) => {
      const terminal = new TestTerminal({ directory, environment });
      await terminal.run(...words, "--out-dir", "cdktf.out");
      return terminal.out;
    };
    expect(await done("apply", "--auto-approve")).toContain("Apply complete!");
    expect(await done("plan")).toContain("No changes.");
  } finally {
    await simulator.close();
  }
});
