import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { join, relative } from "node:path";
import { startSimulator, type Simulator } from "../../src/simulator";
import { temporaryFolder } from "../cli/stack-files";
import { TestTerminal } from "../cli/test-terminal";
import { ADMIN, consoleEnvironment } from "../support/console-environment";
import { EXAMPLES_OF_PAGES } from "../docs/support/examples";

const ROOT = join(__dirname, "../..");
const TSX = join(ROOT, "node_modules/tsx/dist/cli.mjs");
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

test.each(FILES)(
  "%s runs alone, and plans against the console of the environment",
  async (file) => {
    const directory = temporaryFolder();
    const environment = consoleEnvironment(simulator);
    const outDir = join(directory, "cdktf.out");
    await run(process.execPath, [TSX, join(ROOT, file)], {
      cwd: directory,
      env: { ...process.env, ...environment, CDKTF_OUTDIR: outDir },
    });
    const terminal = new TestTerminal({ directory, environment });
    const code = await terminal.run("plan", "--out-dir", outDir);
    expect({ code, err: terminal.err }).toEqual({ code: 0, err: "" });
    expect(terminal.out).toMatch(/^Plan: |Changes to Outputs:|No changes\./m);
  },
);
