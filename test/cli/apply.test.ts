import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { startSimulator, type Simulator } from "../../src/simulator";
import { consoleStack, PASSWORD, SECRETS, temporaryFolder, writeStacks } from "./stack-files";
import { TestTerminal } from "./test-terminal";

let simulator: Simulator;
let directory: string;

beforeEach(async () => {
  simulator = await startSimulator();
  directory = temporaryFolder();
  writeStacks(directory, { prod: consoleStack(simulator) });
});
afterEach(() => simulator.close());

const terminal = (answers?: string[]) =>
  new TestTerminal({ directory, environment: SECRETS, ...(answers && { answers }) });

/** Runs a command line on the stacks, and gives its terminal and exit code. */
async function run(command: string, answers?: string[]) {
  const t = terminal(answers);
  const code = await t.run(...command.split(" "), "--out-dir", "cdktf.out");
  return { code, out: t.out, err: t.err };
}

test("plans, applies, plans no changes, changes and destroys", async () => {
  const first = await run("plan --detailed-exitcode");
  expect(first).toMatchObject({ code: 2, err: "" });
  expect(first.out).toContain("\ncdktf-console will perform the following actions:\n");
  expect(first.out).toContain("  # cwp_license.license will be created\n");
  expect(first.out).toContain(
    "\nPlan: 3 to add, 0 to change, 0 to destroy. Protection: 1 stronger.\n",
  );
  expect(first.out).toContain('\nChanges to Outputs:\n  + policy = "First"\n');
  expect((await run("plan")).code).toBe(0);

  const applied = await run("apply --auto-approve");
  expect(applied).toMatchObject({ code: 0, err: "" });
  expect(applied.out).toContain("\ncwp_license.license: Creating...\n");
  expect(applied.out).toMatch(
    /\ncwp_license\.license: Creation complete after \d+s \[id=license\]\n/,
  );
  expect(applied.out).toContain("\nApply complete! Resources: 3 added, 0 changed, 0 destroyed.\n");
  expect(applied.out).toMatch(/\nOutputs:\n\npolicy = "First"\n$/);

  const second = await run("plan --detailed-exitcode");
  expect(second).toMatchObject({ code: 0, err: "" });
  expect(second.out).toContain("cwp_license.license: Refreshing state... [id=license]\n");
  expect(second.out).toContain("\nNo changes. Your infrastructure matches the configuration.\n");

  writeStacks(directory, { prod: consoleStack(simulator, "Renamed") });
  const changed = await run("apply", ["yes"]);
  expect(changed.code).toBe(0);
  expect(changed.out).toContain('+ policy 1 ("Renamed") added: 41 blocking');
  expect(changed.out).toContain("Apply complete! Resources: 0 added, 1 changed, 0 destroyed.");

  const destroyed = await run("destroy --auto-approve");
  expect(destroyed).toMatchObject({ code: 0, err: "" });
  expect(destroyed.out).toContain("\nDestroy complete! Resources: 3 destroyed.\n");
  const nothing = await run("destroy --auto-approve");
  expect(nothing.out).toContain("\nNo changes. No objects need to be destroyed.\n");
});

describe("the question before an apply", () => {
  test("cancels the apply for any answer but yes", async () => {
    const { code, out } = await run("apply", ["y"]);
    expect(code).toBe(1);
    expect(out).toContain("\nDo you want to perform these actions?\n  Protection: 1 stronger.\n");
    expect(out).toMatch(
      /Only 'yes' will be accepted to approve\.\n\n {2}Enter a value: \nApply cancelled\.\n$/,
    );
    expect((await run("state list")).out).toBe("");
  });

  test("cancels the apply at the end of the input", async () => {
    const { code, out, err } = await run("apply");
    expect(code).toBe(1);
    expect(out).toContain("Apply cancelled.");
    expect(err).toContain("Error: No answer");
  });

  test("ends with the command if it is interrupted", async () => {
    const t = terminal([]);
    const ended = t.run("apply", "--out-dir", "cdktf.out");
    await t.printed("Enter a value:");
    t.interrupt();
    expect(await ended).toBe(130);
    expect(t.out).toContain("Apply cancelled.");
    // Nothing is in progress while the question is open.
    expect(t.err).toBe("\nInterrupted.\n");
  });
});

test("state list, state show, show and output print an applied stack", async () => {
  await run("apply --auto-approve");
  expect((await run("state list")).out).toBe(
    "cwp_bootstrap.bootstrap\ncwp_compliance_policy_set.policies\ncwp_license.license\n",
  );
  expect((await run("state list cwp_license.license")).out).toBe("cwp_license.license\n");
  const shown = await run("state show cwp_license.license");
  expect(shown.out).toMatch(
    /^# cwp_license\.license:\nresource "cwp_license" "license" \{\n {4}console {9}= "127\.0\.0\.1:\d+"\n {4}id {14}= "license"\n/,
  );
  const all = await run("show");
  expect(all.out).toContain(shown.out);
  expect(all.out).toContain('\n\nOutputs:\n\npolicy = "First"\n');
  expect((await run(`show ${join(directory, "terraform.prod.tfstate")}`)).out).toBe(all.out);
  expect((await run("output")).out).toBe('policy = "First"\n');
  expect((await run("output policy")).out).toBe('"First"\n');
  expect((await run("output policy --raw")).out).toBe("First");
});

test("output warns if the state has no outputs", async () => {
  const { code, out, err } = await run("output");
  expect({ code, err }).toEqual({ code: 0, err: "" });
  expect(out).toContain("Warning: No outputs found");
});

test.each([
  ["output nope", 'Error: Output "nope" not found'],
  ["output --raw", "Error: Output name required"],
  ["state show cwp_license.other", "Error: No such object"],
  ["state show cwp_license", "Error: Invalid address"],
  ["state list 5", "Error: Invalid address"],
  ["show missing.tfstate", "Error: File cannot be read"],
  ["plan other", 'There is no stack named "other". The stacks are: prod.'],
  ["plan prd", 'There is no stack named "prd". Did you mean "prod"?'],
  ["force-unlock x --no-input", "Error: Not confirmed"],
])("%s fails with exit code 1 and an error on standard error", async (command, message) => {
  const { code, out, err } = await run(command);
  expect({ code, out }).toEqual({ code: 1, out: "" });
  expect(err.replace(/\n/g, " ")).toContain(message);
});

describe("validate", () => {
  test("accepts a valid stack without a request to the console", async () => {
    const before = simulator.consoles[0].console.requests.length;
    expect(await run("validate")).toEqual({
      code: 0,
      out: "Success! The configuration is valid.\n",
      err: "",
    });
    expect(simulator.consoles[0].console.requests).toHaveLength(before);
  });

  test("succeeds without secrets", async () => {
    const t = new TestTerminal({ directory, environment: {} });
    expect(await t.run("validate", "--out-dir", "cdktf.out")).toBe(0);
  });

  test("reports all errors at once, with constructs and attributes", async () => {
    const stack = consoleStack(simulator);
    const resource = stack.resource as Record<string, Record<string, Record<string, unknown>>>;
    resource.cwp_license!.license!.colour = "red";
    resource.cwp_compliance_policy_set!.policies!.policies = [{ name: 5, checks: "x" }];
    writeStacks(directory, { prod: stack });
    const { code, err } = await run("validate");
    expect(code).toBe(1);
    expect(err).toContain("with cwp_license.license (construct app/license), at colour:");
    expect(err.match(/^Error: /gm)?.length).toBeGreaterThanOrEqual(2);
    expect(simulator.consoles[0].console.requests).toHaveLength(0);
  });
});

describe("secrets", () => {
  test("are never printed, logged or stored", async () => {
    const t = terminal();
    const argv = ["apply", "--auto-approve", "--log-level", "trace", "--out-dir", "cdktf.out"];
    expect(await t.run(...argv)).toBe(0);
    const state = readFileSync(join(directory, "terraform.prod.tfstate"), "utf8");
    for (const secret of [PASSWORD, SECRETS.TF_VAR_CONSOLE_LICENSE_KEY]) {
      for (const text of [t.out, t.err, state]) expect(text).not.toContain(secret);
    }
    const token = /"token"|bearer/i;
    expect(t.err).not.toMatch(token);
  });

  test("--log-level debug logs each request as a JSON line", async () => {
    const t = terminal();
    await t.run("apply", "--auto-approve", "--log-level", "debug", "--out-dir", "cdktf.out");
    const records = t.err
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(records.length).toBeGreaterThan(3);
    for (const record of records) {
      expect(record).toMatchObject({ "@level": "debug", "@message": expect.any(String) as string });
      expect(record["@module"]).toMatch(/^provider/);
      expect(record["@timestamp"]).toMatch(/^\d{4}-\d\d-\d\dT/);
    }
    expect(t.err).toContain("/api/v1/signup");
  });
});

test("--var sets variables, and the last value wins", async () => {
  const t = new TestTerminal({ directory });
  const argv = ["--var", "CONSOLE_PASSWORD=wrong", "--var", `CONSOLE_PASSWORD=${PASSWORD}`];
  const key = ["--var", "CONSOLE_LICENSE_KEY=k"];
  const code = await t.run("apply", "--auto-approve", "--out-dir", "cdktf.out", ...argv, ...key);
  expect({ code, err: t.err }).toEqual({ code: 0, err: "" });
  const console = simulator.consoles[0].console;
  expect(console.data.users.has("admin")).toBe(true);
  expect((await run("plan --detailed-exitcode")).code).toBe(2);
});

test.each([
  ["--var size=1 --var-file two.tfvars.json", "2"],
  ["--var-file two.tfvars.json --var size=1", "1"],
])("the last of %s wins", async (variables, size) => {
  writeStacks(directory, {
    prod: { variable: { size: { type: "string" } }, output: { size: { value: "${var.size}" } } },
  });
  writeFileSync(join(directory, "two.tfvars.json"), '{"size": "2"}');
  expect((await run(`plan ${variables}`)).out).toContain(`+ size = "${size}"`);
});

test("an unset variable is an error before any request", async () => {
  const t = new TestTerminal({ directory });
  expect(await t.run("plan", "--out-dir", "cdktf.out")).toBe(1);
  expect(t.err).toContain("CONSOLE_PASSWORD");
  expect(simulator.consoles[0].console.requests).toHaveLength(0);
});

test("a terminal gets colours and boxes, unless --no-color or NO_COLOR is set", async () => {
  const options = { directory, environment: SECRETS, columns: 80 };
  const coloured = new TestTerminal(options);
  await coloured.run("plan", "nope", "--out-dir", "cdktf.out");
  expect(coloured.err).toMatch(/^Reading the stacks in cdktf\.out, synthesized [-\dT:]+Z\n/);
  expect(coloured.err).toContain("│");
  expect(coloured.err).toContain("\u001b[");
  for (const plain of [
    { terminal: new TestTerminal(options), flags: ["--no-color"] },
    {
      terminal: new TestTerminal({ ...options, environment: { ...SECRETS, NO_COLOR: "1" } }),
      flags: [],
    },
  ]) {
    await plain.terminal.run("plan", "nope", "--out-dir", "cdktf.out", ...plain.flags);
    expect(plain.terminal.err).toContain("Error: No such stack");
    expect(plain.terminal.err).not.toMatch(/│|\p{Cc}\[/u);
  }
});

test("refresh records changes of the console, without a question", async () => {
  await run("apply --auto-approve");
  const [first] = simulator.consoles[0].console.policies();
  await simulator.consoles[0].console.edit({ policies: [{ ...first, disabled: true }] });
  const refreshed = await run("refresh --auto-approve");
  expect(refreshed).toMatchObject({ code: 0, err: "" });
  expect(simulator.consoles[0].console.policies()[0]).toMatchObject({ disabled: true });
  expect((await run("plan --refresh-only --detailed-exitcode")).code).toBe(0);
});

test("--no-input refuses to ask for an approval", async () => {
  const { code, err } = await run("apply --no-input", ["yes"]);
  expect(code).toBe(1);
  expect(err).toContain("Error: Not approved");
});
