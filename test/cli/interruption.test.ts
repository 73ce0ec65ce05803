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
