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
  return { code, out: terminal.out, err: terminal.err.trim().replace(/\s+/g, " ") };
}

const path = () => join(directory, "terraform.prod.tfstate");
const state = () => readFileSync(path(), "utf8");
const serial = () => (JSON.parse(state()) as { serial: number }).serial;

const LICENSE = "cwp_license.license";

describe("state mv", () => {
  test("moves an object and keeps a backup, without a request to the console", async () => {
    const before = state();
    const asked = simulator.consoles[0].console.requests.length;
    expect(await run(`state mv ${LICENSE} cwp_license.key`)).toEqual({
      code: 0,
      err: "",
      out: `Move "${LICENSE}" to "cwp_license.key"\nSuccessfully moved 1 object(s).\n`,
    });
    expect((await run("state list")).out).toContain("cwp_license.key\n");
    expect(readFileSync(`${path()}.backup`, "utf8")).toBe(before);
    expect(serial()).toBe((JSON.parse(before) as { serial: number }).serial + 1);
    expect(simulator.consoles[0].console.requests).toHaveLength(asked);
  });

  test("only prints the result with --dry-run", async () => {
    const before = state();
    expect((await run(`state mv --dry-run ${LICENSE} cwp_license.key`)).out).toBe(
      `Would move "${LICENSE}" to "cwp_license.key"\n`,
    );
    expect((await run(`state rm --dry-run ${LICENSE}`)).out).toBe(`Would remove ${LICENSE}\n`);
    expect(state()).toBe(before);
  });

  test.each([
    ["cwp_license.nobody cwp_license.x", "Cannot move cwp_license.nobody: does not"],
    [`${LICENSE} ${LICENSE}`, `there is already a resource instance at that address`],
    [`${LICENSE} cwp_bootstrap.x`, "resource types don't match"],
    [`${LICENSE} module.x`, `"module.x" is neither the address of a resource`],
    [`${LICENSE} module.m.cwp_license.x`, "Terraform can move it to another module"],
  ])("refuses %s and keeps the state", async (addresses, reason) => {
    const before = state();
    const { code, out, err } = await run(`state mv ${addresses}`);
    expect({ code, out }).toEqual({ code: 1, out: "" });
    expect(err).toContain(reason);
    expect(state()).toBe(before);
  });
});

describe("taint and untaint", () => {
  const SET = "cwp_compliance_policy_set.policies";

  test("mark and unmark an object for replacement by the next plan", async () => {
    expect(await run(`taint ${SET}`)).toEqual({
      code: 0,
      err: "",
      out: `Resource instance ${SET} has been marked as tainted.\n`,
    });
    expect((await run("plan")).out).toContain(`  # ${SET} is tainted, so must be replaced\n`);
    const tainted = serial();
    expect((await run(`taint ${SET}`)).code).toBe(0);
    expect(serial()).toBe(tainted);
    expect((await run(`untaint ${SET}`)).out).toBe(
      `Resource instance ${SET} has been successfully untainted.\n`,
    );
    expect((await run("plan --detailed-exitcode")).code).toBe(0);
    expect((await run(`untaint ${SET}`)).err).toContain("Error: Resource instance is not tainted");
  });

  test.each(["taint", "untaint"])("%s requires an existing managed object", async (command) => {
    const { code, err } = await run(`${command} ${SET}[0]`);
    expect(code).toBe(1);
    expect(err).toContain("Error: No such resource instance");
    const allowed = await run(`${command} --allow-missing ${SET}[0]`);
    expect(allowed).toMatchObject({ code: 0, err: "" });
    expect(allowed.out).toContain("Warning: No such resource instance");
    expect((await run(`${command} data.cwp_images.x`)).err).toContain("cannot be tainted");
    expect((await run(`${command} nonsense`)).err).toContain(
      "is neither the address of a resource",
    );
  });
});
