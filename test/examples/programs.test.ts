import { execFile } from "node:child_process";
import { cpSync, symlinkSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { promisify } from "node:util";
import { startSimulator, type Simulator } from "../../src/simulator";
import { temporaryFolder } from "../cli/stack-files";
import { EXAMPLES_OF_PAGES } from "../docs/support/examples";
import { ADMIN, consoleEnvironment } from "../support/console-environment";
import { slice } from "../support/cases";
import { packedPackage, packedPath } from "../support/packed-package";

const ROOT = join(__dirname, "../..");
const run = promisify(execFile);

const FILES = [
  join(ROOT, "examples/quickstart/main.ts"),
  ...EXAMPLES_OF_PAGES.map(({ typescript }) => typescript),
].map((file) => relative(ROOT, file));

let simulator: Simulator;
beforeAll(async () => {
  simulator = await startSimulator({
    signedUp: ADMIN,
    licensed: true,
  });
});
afterAll(() => simulator.close());

test.each(slice(FILES, 4))(
  "%s of the packed package runs alone, and plans against the console of the environment",
  async (file) => {
    const { modules } = packedPackage();
    const directory = temporaryFolder();
    symlinkSync(modules, join(directory, "node_modules"));
    const examples = join(modules, "cdktf-console/examples");
    cpSync(join(examples, "stack.ts"), join(directory, "examples/stack.ts"));
    const folder = dirname(file);
    cpSync(join(modules, "cdktf-console", folder), join(directory, folder), { recursive: true });
    const env = { ...process.env, ...consoleEnvironment(simulator), PATH: packedPath() };
    await run("tsx", [file], { cwd: directory, env });
    const planned = await run("cdktf-console", ["plan", "--out-dir", "cdktf.out"], {
      cwd: directory,
      env,
    });
    expect(planned.stderr).toBe("");
    expect(planned.stdout).toMatch(/^Plan: |Changes to Outputs:|No changes\./m);
  },
);
