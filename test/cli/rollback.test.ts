import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { startSimulator, type Simulator } from "../../src/simulator";
import {
  consoleStack,
  policyStack,
  SECRETS,
  temporaryFolder,
  writeStacks,
  type StackJson,
} from "./stack-files";
import { TestTerminal } from "./test-terminal";

/* A recorded run goes back: consoles and states get what they had before, or a refusal names why not. */

const SET = "cwp_compliance_policy_set.policies";

let simulator: Simulator;
let directory: string;

beforeEach(async () => {
  simulator = await startSimulator();
  directory = temporaryFolder();
});
afterEach(() => simulator.close());

const write = (stack: StackJson) => writeStacks(directory, { prod: stack });
const policies = (...names: string[]) =>
  policyStack(
    simulator,
    names.map((name) => ({ name, checks: { 41: true } })),
  );

async function run(...argv: readonly string[]) {
  const terminal = new TestTerminal({ directory, environment: SECRETS });
  const code = await terminal.run(...argv, "--out-dir", "cdktf.out");
  return { code, out: terminal.out, err: terminal.err };
}
const apply = (...options: readonly string[]) => run("apply", "--auto-approve", ...options);
const record = (...options: readonly string[]) => apply("--run-log", "run.jsonl", ...options);
const rollBack = (...options: readonly string[]) => apply("--rollback", "run.jsonl", ...options);

/** The policies of the console, without the author and the time of their last change. */
const console_ = () =>
  simulator.consoles[0].console
    .policies()
    .map(({ name, ...policy }) => ({ ...policy, name, modified: undefined, owner: undefined }));
const names = () => console_().map(({ name }) => name);

interface StateFile {
  readonly serial: number;
  readonly resources: readonly { readonly type: string; readonly instances: unknown }[];
}
const state = () =>
  JSON.parse(readFileSync(join(directory, "terraform.prod.tfstate"), "utf8")) as StateFile;
const instances = () => state().resources;

test("of an update puts back the policies and the state, and the next plan shows the update", async () => {
  write(policies("a", "b"));
  await apply();
  const before = { console: console_(), instances: instances() };
  write(
    policyStack(simulator, [
      { name: "c", checks: { 599: true } },
      { name: "a", checks: {} },
    ]),
  );
  expect((await record()).code).toBe(0);
  expect(names()).toEqual(["c", "a"]);
  const planned = await run("plan", "--rollback", "run.jsonl", "--detailed-exitcode");
  expect(planned).toMatchObject({ code: 2, err: "" });
  expect(planned.out).toContain(`# ${SET} will be updated in-place`);
  expect(planned.out).toContain("Plan: 0 to add, 1 to change, 0 to destroy.");
  expect(planned.out).toMatch(/Protection: 1 weaker, 1 stronger/);

  const { code, out, err } = await rollBack();
  expect({ code, err }).toEqual({ code: 0, err: "" });
  expect(out).toMatch(/\nRolling back the apply \S+ by \S+@\S+: 1 of 1 stack that it started\.\n/);
  expect(out).toContain("Rollback complete! Resources: 0 added, 1 changed, 0 destroyed.");
  expect({ console: console_(), instances: instances() }).toEqual(before);
  expect((await run("plan")).out).toContain("Plan: 0 to add, 1 to change, 0 to destroy.");

  // There is nothing left to do.
  expect((await rollBack()).out).toContain("No changes. There is nothing to roll back.");
});

test("of a first apply removes the set, and lists what stays", async () => {
  const found = console_();
  write(consoleStack(simulator));
  await record();
  const { code, out } = await rollBack();
  expect(code).toBe(0);
  expect(out).toContain("Warning: Changes that are not rolled back");
  expect(out).toContain("  - cwp_license.license (created)");
  expect(out).toContain("  - cwp_bootstrap.bootstrap (created)");
  expect(console_()).toEqual(found);
  expect(instances().map(({ type }) => type)).toEqual(["cwp_bootstrap", "cwp_license"]);
  expect((await run("plan")).out).toContain("Plan: 1 to add, 0 to change, 0 to destroy.");
});

test("of a destroy brings the set back", async () => {
  write(policies("a"));
  await apply();
  const before = {
    console: console_(),
    set: instances().find(({ type }) => type === SET.split(".")[0]),
  };
  await run("destroy", "--auto-approve", "--run-log", "run.jsonl");
  expect(instances()).toEqual([]);
  expect((await rollBack()).code).toBe(0);
  expect({ console: console_(), set: instances()[0] }).toEqual(before);
});

test("of a rollback is possible, too", async () => {
  write(policies("a"));
  await apply();
  write(policies("b"));
  await record();
  const after = { console: console_(), instances: instances() };
  expect((await rollBack("--run-log", "back.jsonl")).code).toBe(0);
  expect(names()).toEqual(["a"]);
  expect((await run("rollback", "back.jsonl", "--auto-approve")).code).toBe(0);
  expect({ console: console_(), instances: instances() }).toEqual(after);
});

test("refuses what somebody changed on the console since, by its name", async () => {
  write(policies("a"));
  await apply();
  write(policies("b", "c"));
  await record();
  const { console } = simulator.consoles[0];
  const changed = console
    .policies()
    .map((policy) => (policy.name === "c" ? { ...policy, disabled: true } : policy));
  await console.load({ policies: changed });
  const { code, err } = await rollBack();
  expect(code).toBe(1);
  expect(err).toContain("The console's compliance policies changed since the run");
  expect(err).toMatch(/Changed since:\n\s*- "c"\n/);
  expect(console_().at(1)).toMatchObject({ name: "c", disabled: true });
});

test("refuses an object that a later run changed, and passes over later changes of others", async () => {
  write(policies("a"));
  await apply();
  write(policies("b"));
  await record();
  const later = policies("b");
  write({ ...later, resource: { ...(later.resource as StackJson), null_resource: { later: {} } } });
  await apply();
  expect((await rollBack()).code).toBe(0);
  expect(names()).toEqual(["a"]);

  await apply("--run-log", "second.jsonl");
  write(policies("d"));
  await apply();
  const { code, err } = await run("rollback", "second.jsonl", "--auto-approve");
  expect(code).toBe(1);
  expect(err).toContain("Object changed since the run");
  expect(err).toContain(SET);
  expect(names()).toEqual(["d"]);
});

test("refuses a state that is another one", async () => {
  write(policies("a"));
  await record();
  const file = join(directory, "terraform.prod.tfstate");
  writeFileSync(file, JSON.stringify({ ...state(), lineage: "another" }));
  const { code, err } = await rollBack();
  expect(code).toBe(1);
  expect(err).toContain("State is not the one that the run left");
});

test("needs the record of a file", async () => {
  write(policies("a"));
  const { out } = await apply("--json");
  writeFileSync(join(directory, "run.jsonl"), out);
  expect((await rollBack()).err).toContain("Nothing is recorded to roll back");
  expect((await rollBack("--engine", "terraform")).err).toContain("Unsupported by this engine");
});
