import { symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { startSimulator } from "../../src/simulator";
import { temporaryFolder } from "../cli/stack-files";
import { startCli } from "../e2e/support/bundle";
import { consoleEnvironment } from "../support/console-environment";
import { packedPackage, packedPath } from "../support/packed-package";
import { BLOCKS } from "./support/pages";
import { isProgram, withAddresses } from "./support/run-page";

// A program and its cdktf.json, in a folder with the packed package.

const settings = BLOCKS.find(({ page, text }) => page === "README.md" && text.includes('"app"'));
const programs = BLOCKS.filter(isProgram);

test("the README and the provider's page have a program", () => {
  expect(programs.map(({ page }) => page)).toEqual(["README.md", "docs/index.md"]);
});

test.each(programs)("the program of $page is applied, and plans no changes then", async (block) => {
  const directory = temporaryFolder();
  symlinkSync(packedPackage().modules, join(directory, "node_modules"));
  writeFileSync(join(directory, "cdktf.json"), settings?.text ?? "");
  const simulator = await startSimulator();
  writeFileSync(join(directory, "main.ts"), withAddresses(block.text, simulator));
  try {
    const environment = { ...consoleEnvironment(simulator), PATH: packedPath() };
    const run = (command: string) =>
      startCli(command.split(" "), { cwd: directory, environment }).ended;
    expect(await run("apply --auto-approve")).toMatchObject({ code: 0, err: "" });
    expect(await run("plan --detailed-exitcode")).toMatchObject({ code: 0, err: "" });
  } finally {
    await simulator.close();
  }
});
