import { readFileSync } from "node:fs";
import { join } from "node:path";
import { startSimulator, type Simulator } from "../../src/simulator";
import { consoleStack, SECRETS, temporaryFolder, writeStacks } from "./stack-files";
import { TestTerminal } from "./test-terminal";

let simulator: Simulator;
let directory: string;

beforeEach(async () => {
  simulator = await startSimulator();
  directory = temporaryFolder();
  writeStacks(directory, { prod: consoleStack(simulator) });
  expect((await run("apply --auto-approve")).code).toBe(0);
});
afterEach(() => simulator.close());

async function run(command: string) {
  const terminal = new TestTerminal({ directory, environment: SECRETS });
  const code = await terminal.run(...command.split(" "), "--out-dir", "cdktf.out");
  return { code, out: terminal.out, err: terminal.err };
}

const state = () => readFileSync(join(directory, "terraform.prod.tfstate"), "utf8");

test("state rm removes objects from the state, without a request to the console", async () => {
  const { console } = simulator.consoles[0];
  const before = console.requests.length;
  expect(await run("state rm cwp_license.license cwp_compliance_policy_set.policies")).toEqual({
    code: 0,
    out:
      "Removed cwp_compliance_policy_set.policies\n" +
      "Removed cwp_license.license\n" +
      "Successfully removed 2 resource instance(s).\n",
    err: "",
  });
  expect((await run("state list")).out).toBe("cwp_bootstrap.bootstrap\n");
  expect(console.requests).toHaveLength(before);
  expect(console.policies().map(({ name }) => name)).toEqual(["First"]);
});

test.each([
  ["cwp_license.other", "Error: No such object\n\nThe state has no object at cwp_license.other"],
  ["cwp_license.license cwp_license.other", "Error: No such object"],
  ["cwp_license", "Error: Invalid address"],
])("state rm %s keeps the state", async (addresses, message) => {
  const before = state();
  const { code, out, err } = await run(`state rm ${addresses}`);
  expect({ code, out }).toEqual({ code: 1, out: "" });
  expect(err).toContain(message);
  expect(state()).toBe(before);
});
