import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { startSimulator, type Simulator } from "../../src/simulator";
import { policyStack, SECRETS, temporaryFolder } from "./stack-files";
import { TestTerminal } from "./test-terminal";

let simulator: Simulator;
let directory: string;

beforeEach(async () => {
  simulator = await startSimulator();
  directory = temporaryFolder();
  // An app that copies its source into the output.
  const app = `
    const { copyFileSync, mkdirSync, writeFileSync } = require("node:fs");
    const out = process.env.CDKTF_OUTDIR;
    JSON.parse(require("node:fs").readFileSync("stack.json", "utf8"));
    mkdirSync(out + "/stacks/prod", { recursive: true });
    copyFileSync("stack.json", out + "/stacks/prod/cdk.tf.json");
    const prod = { name: "prod", constructPath: "prod", workingDirectory: "stacks/prod",
      synthesizedStackPath: "stacks/prod/cdk.tf.json", annotations: [], dependencies: [] };
    writeFileSync(out + "/manifest.json", JSON.stringify({ version: "0.21.0", stacks: { prod } }));
  `;
  writeFileSync(join(directory, "app.cjs"), app);
});
afterEach(() => simulator.close());

function save(checks: Record<string, boolean>): void {
  const terraform = {
    backend: { local: { path: join(directory, "terraform.prod.tfstate") } },
    required_providers: { cwp: { source: "cdktf-console/cwp" } },
  };
  const stack = policyStack(simulator, [{ name: "all", checks }]);
  writeFileSync(join(directory, "stack.json"), JSON.stringify({ terraform, ...stack }));
}

const requests = () => simulator.consoles[0].console.requests.length;

test("validates what is saved, and plans when Enter is pressed", async () => {
  save({ "41": true, "51": true });
  const answers: string[] = [];
  const terminal = new TestTerminal({ directory, environment: SECRETS, answers });
  const applied = new TestTerminal({ directory, environment: SECRETS });
  expect(await applied.run("apply", "--app", "node app.cjs", "--auto-approve")).toBe(0);

  const ended = terminal.run("watch", "--app", "node app.cjs");
  await terminal.printed(/No changes[^]*Press Enter to plan/);
  const read = requests();

  writeFileSync(join(directory, "stack.json"), "{");
  await terminal.printed(/(Press Enter[^]*){2}/);
  expect(terminal.err).toContain("The app failed");

  answers.push("");
  save({ "41": false, "51": true });
  await terminal.printed(/Success! The configuration is valid[^]*compared with the last plan:/);
  expect(terminal.out).toContain("  + prod: weaker, check 41 blocks -> alerts, for everything\n");
  expect(requests()).toBeGreaterThan(read);

  await terminal.printed(/(Press Enter[^]*){4}/);
  const planned = requests();
  mkdirSync(join(directory, "node_modules"));
  save({ "41": true, "51": true });
  await terminal.printed(/(Success![^]*){2}Press Enter/);
  expect(requests()).toBe(planned);
  terminal.interrupt();
  expect(await ended).toBe(0);
});

test("is refused without a terminal", async () => {
  const terminal = new TestTerminal({ directory });
  expect(await terminal.run("watch", "--app", "node app.cjs")).toBe(1);
  expect(terminal.err).toContain('use "validate" and "plan"');
});
