import { copyFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { startSimulator, type Simulator } from "../../src/simulator";
import { consoleStack, SECRETS, temporaryFolder, writeStacks } from "./stack-files";
import { TestTerminal } from "./test-terminal";

let simulator: Simulator;
let terminal: TestTerminal;

/** A console that installs the license slowly. */
async function start(delay: number): Promise<void> {
  simulator = await startSimulator({ faults: [{ target: "installLicense", delay, times: 1 }] });
  const directory = temporaryFolder();
  writeStacks(directory, { prod: consoleStack(simulator) });
  terminal = new TestTerminal({ directory, environment: SECRETS });
}
afterEach(() => simulator.close());

const apply = () => terminal.run("apply", "--auto-approve", "--out-dir", "cdktf.out");

test("an interrupt completes and records operations in progress and starts no others", async () => {
  await start(300);
  const ended = apply();
  await terminal.printed("cwp_license.license: Creating...");
  terminal.interrupt();
  expect(await ended).toBe(130);
  expect(terminal.err).toContain(
    "Interrupted. Waiting for operations in progress; interrupt again to cancel them.",
  );
  expect(terminal.out).toContain("cwp_license.license: Creation complete");
  expect(terminal.out).not.toContain("cwp_compliance_policy_set.policies: Creating");
  expect(terminal.out).toMatch(/\nInterrupted\. Resources: 2 added, 0 changed, 0 destroyed\./);

  terminal.out = "";
  expect(await apply()).toBe(0);
  expect(terminal.out).toContain("Apply complete! Resources: 1 added, 0 changed, 0 destroyed.");
});

test("an interrupted run does not name stacks that it did not start", async () => {
  simulator = await startSimulator({
    faults: [{ target: "installLicense", delay: 300, times: 1 }],
  });
  const directory = temporaryFolder();
  writeStacks(directory, {
    prod: consoleStack(simulator),
    later: { resource: { null_resource: { gate: {} } }, dependencies: ["prod"] },
  });
  terminal = new TestTerminal({ directory, environment: SECRETS });
  const ended = apply();
  await terminal.printed("cwp_license.license: Creating...");
  terminal.out = "";
  terminal.interrupt();
  expect(await ended).toBe(130);
  expect(terminal.out).not.toContain("Stack ");
});

test("a second interrupt cancels operations in progress, and the next run converges", async () => {
  await start(60_000);
  const ended = apply();
  await terminal.printed("cwp_license.license: Creating...");
  terminal.interrupt();
  terminal.interrupt();
  expect(await ended).toBe(130);
  expect(terminal.err).toContain("Interrupted twice.");

  terminal.out = "";
  expect(await apply()).toBe(0);
  terminal.out = "";
  expect(await terminal.run("plan", "--detailed-exitcode", "--out-dir", "cdktf.out")).toBe(0);
});

test("the first interrupt ends the wait for a console that does not respond", async () => {
  simulator = await startSimulator();
  const directory = temporaryFolder();
  const caFile = join(directory, "ca.pem");
  copyFileSync(simulator.caFile, caFile);
  writeStacks(directory, { prod: consoleStack({ consoles: simulator.consoles, caFile }) });
  await simulator.close();
  terminal = new TestTerminal({ directory, environment: SECRETS });
  const ended = apply();
  await terminal.printed("cwp_bootstrap.bootstrap: Creating...");
  terminal.interrupt();
  expect(await ended).toBe(130);
  expect(terminal.err).not.toContain("Interrupted twice.");
  expect(terminal.err).toContain("Error: Interrupted");
});

test.each(["plan", "apply"])("an interrupt of the secrets command ends %s", async (command) => {
  await start(0);
  terminal = new TestTerminal({ directory: terminal.directory, environment: {} });
  const script = join(terminal.directory, "secrets.mjs");
  writeFileSync(script, 'console.error("asked"); setInterval(() => undefined, 1000);');
  const options = command === "apply" ? ["--auto-approve"] : [];
  const secrets = `"${process.execPath}" "${script}"`;
  const ended = terminal.run(
    ...[command, "--out-dir", "cdktf.out", "--secrets-command", secrets, ...options],
  );
  while (!terminal.err.includes("asked")) await new Promise((resolve) => setTimeout(resolve, 5));
  terminal.interrupt();
  expect(await ended).toBe(130);
  expect(terminal.out).toContain("Planning was interrupted. Nothing was changed.");
});
