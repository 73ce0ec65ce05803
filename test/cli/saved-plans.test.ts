import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { LosslessNumber, parse, stringify } from "lossless-json";
import { startSimulator, type Simulator } from "../../src/simulator";
import {
  consoleStack,
  PASSWORD,
  SECRETS,
  temporaryFolder,
  writeStacks,
  type StackJson,
} from "./stack-files";
import { TestTerminal } from "./test-terminal";

let simulator: Simulator;
let directory: string;

const run = async (...argv: string[]) => {
  const terminal = new TestTerminal({ directory, environment: SECRETS });
  const code = await terminal.run(...argv);
  return { code, out: terminal.out, err: terminal.err };
};
const inApp = (...argv: string[]) => run(...argv, "--out-dir", "cdktf.out");
const names = (at: number) => simulator.consoles[at]?.console.policies().map(({ name }) => name);

/** A stack for each console. The bootstrap is left out: every console is set up. */
function write(policy: string): void {
  const stacks = simulator.consoles.map((served, at): [string, StackJson] => {
    const stack = consoleStack({ consoles: [served], caFile: simulator.caFile }, policy);
    const { cwp_compliance_policy_set: set } = stack.resource as Record<string, StackJson>;
    const resource = {
      cwp_compliance_policy_set: { policies: { ...(set?.policies as object), depends_on: [] } },
    };
    return [`tenant-${at}`, { ...stack, resource }];
  });
  writeStacks(directory, Object.fromEntries(stacks));
}

beforeEach(async () => {
  const signedUp = { username: "admin", password: PASSWORD };
  simulator = await startSimulator({ tenants: 4, signedUp, licensed: true });
  directory = temporaryFolder();
  write("First");
});
afterEach(() => simulator.close());

test("one file has the plans of all selected stacks, and apply executes them", async () => {
  const planned = await inApp("plan", "tenant-[0-2]", "--out", "p");
  expect(planned).toMatchObject({ code: 0, err: "" });
  for (const secret of Object.values(SECRETS)) {
    expect(readFileSync(join(directory, "p"), "utf8")).not.toContain(secret);
  }
  const shown = await run("show", "p");
  expect(shown).toMatchObject({ code: 0, err: "" });
  expect(shown.out).toContain("Total of 3 stacks: 3 to add, 0 to change, 0 to destroy.");
  const json = await run("show", "--json", "p");
  expect(JSON.parse(json.out)).toMatchObject({
    format_version: "1.0",
    stacks: {
      "tenant-0": { format_version: "1.2", applyable: true },
      "tenant-1": { resource_changes: [{ change: { actions: ["create"] } }] },
      "tenant-2": {},
    },
  });

  const applied = await run("apply", "p");
  expect(applied).toMatchObject({ code: 0, err: "" });
  expect(applied.out).toContain("Total of 3 stacks: 3 added, 0 changed, 0 destroyed.");
  expect([0, 1, 2, 3].map((at) => names(at)?.includes("First"))).toEqual([true, true, true, false]);
});

test("a stack whose state or console has changed is refused alone, with its reason", async () => {
  expect((await inApp("apply", "--auto-approve")).code).toBe(0);
  write("Second");
  expect((await inApp("plan", "--out", "p")).code).toBe(0);
  expect((await inApp("apply", "tenant-1", "--auto-approve")).code).toBe(0);
  const other = simulator.consoles[2]?.console;
  const [policy] = other?.policies() ?? [];
  await other?.edit({ policies: [{ ...policy, disabled: true }] }, "somebody");

  const { code, out, err } = await run("apply", "p");
  expect(code).toBe(1);
  expect(out).toContain("Total of 2 stacks: 0 added, 2 changed, 0 destroyed.");
  expect(
    out.endsWith(
      "\nExcluded: 2 of 4 stacks\n  - Saved plan can no longer be applied (1): tenant-2\n  - Saved plan is stale (1): tenant-1\n",
    ),
  ).toBe(true);
  expect(err).toContain("Error: Saved plan is stale");
  expect([0, 1, 2, 3].map((at) => names(at)?.[0])).toEqual(["Second", "Second", "First", "Second"]);
});

test("a stack whose configuration has changed is refused alone", async () => {
  expect((await inApp("plan", "--out", "p")).code).toBe(0);
  const file = join(directory, "cdktf.out/stacks/tenant-3/cdk.tf.json");
  const json = JSON.parse(readFileSync(file, "utf8")) as StackJson;
  writeFileSync(file, JSON.stringify({ ...json, output: { policy: { value: "Other" } } }));
  const { code, out } = await inApp("apply", "p");
  expect(code).toBe(1);
  expect(out).toContain("Total of 3 stacks: 3 added, 0 changed, 0 destroyed.");
  expect(out).toContain("  - Plan of another configuration (1): tenant-3\n");
});

test("the plan of an empty shard replaces the file of an earlier run, and applies nothing", async () => {
  expect((await inApp("plan", "tenant-0", "--out", "p")).code).toBe(0);
  expect((await inApp("plan", "tenant-0", "--shard", "1/999", "--out", "p")).code).toBe(0);
  const { code, out } = await run("apply", "p");
  expect(code).toBe(0);
  expect(out).toContain("The saved plan has no stacks. There is nothing to do.");
  expect(names(0)).not.toContain("First");
  expect((await run("show", "--json", "p")).out).toBe('{"format_version":"1.0","stacks":{}}\n');
});

test("--shard and --label cannot be used with a saved plan", async () => {
  expect((await inApp("plan", "--out", "p")).code).toBe(0);
  for (const option of [
    ["--shard", "1/2"],
    ["--label", "a=b"],
    ["--stacks-from", "-"],
  ]) {
    const { code, err } = await run("apply", "p", ...option);
    expect(code).toBe(1);
    expect(err).toContain("Error: Option cannot be used with a saved plan");
  }
});

test("show and output print Terraform's document of one stack, and one document of several", async () => {
  expect((await inApp("apply", "tenant-0", "tenant-1", "--auto-approve")).code).toBe(0);
  const parsed = async (...argv: string[]): Promise<unknown> => {
    const { code, out } = await inApp(...argv);
    expect(code).toBe(0);
    return JSON.parse(out);
  };
  expect(await parsed("show", "--json", "--stack", "tenant-0")).toMatchObject({
    format_version: "1.0",
    values: { root_module: { resources: [{ type: "cwp_compliance_policy_set" }] } },
  });
  expect(await parsed("show", "--json", "--stack", "tenant-[12]")).toMatchObject({
    format_version: "1.0",
    stacks: {
      "tenant-1": { values: { root_module: {} } },
      "tenant-2": { format_version: "1.0" },
    },
  });
  const policy = { sensitive: false, type: "string", value: "First" };
  expect(await parsed("output", "--json", "--stack", "tenant-0")).toEqual({ policy });
  expect(await parsed("output", "--json", "--stack", "tenant-[12]")).toEqual({
    format_version: "1.0",
    stacks: { "tenant-1": { policy }, "tenant-2": {} },
  });
  expect(await parsed("output", "policy", "--json", "--stack", "tenant-[01]")).toEqual({
    format_version: "1.0",
    stacks: { "tenant-0": "First", "tenant-1": "First" },
  });
  const text = await inApp("output", "policy", "--stack", "tenant-[01]");
  expect(text.out).toBe('\nStack tenant-0\n"First"\n\nStack tenant-1\n"First"\n');
  const missing = await inApp("output", "policy", "--stack", "tenant-[02]");
  expect(missing.code).toBe(1);
  expect(missing.err).toContain('Error: Output "policy" not found');
});

test("output --json prints the document that Terraform prints", async () => {
  expect((await inApp("apply", "tenant-0", "--auto-approve")).code).toBe(0);
  expect((await inApp("output", "--json", "--stack", "tenant-0")).out).toBe(
    '{\n  "policy": {\n    "sensitive": false,\n    "type": "string",\n    "value": "First"\n  }\n}\n',
  );
});

test("a plan reads the outputs of another plan in the file, and is excluded with it", async () => {
  const gate = (by: string): StackJson => ({
    resource: { null_resource: { gate: { triggers: { by } } } },
  });
  const path = join(directory, "terraform.up.tfstate");
  const writeBoth = (by: string) => {
    writeStacks(directory, {
      up: { ...gate(by), output: { id: { value: "${null_resource.gate.id}" } } },
      down: {
        ...gate("${data.terraform_remote_state.up.outputs.id}"),
        data: { terraform_remote_state: { up: { backend: "local", config: { path } } } },
      },
    });
  };
  writeBoth("a");
  expect((await inApp("plan", "--out", "p")).code).toBe(0);
  const applied = await run("apply", "p");
  expect(applied).toMatchObject({ code: 0, err: "" });
  expect(applied.out).toContain("Total of 2 stacks: 2 added, 0 changed, 0 destroyed.");

  writeBoth("b");
  expect((await inApp("plan", "--out", "p")).code).toBe(0);
  expect((await inApp("apply", "up", "--auto-approve")).code).toBe(0);
  const { code, out } = await run("apply", "p");
  expect(code).toBe(1);
  expect(out).toContain(
    "Excluded: 2 of 2 stacks\n  - Depends on an excluded stack (1): down\n  - Saved plan is stale (1): up\n",
  );
});

test("the file of a plan has all digits of numbers, in any order of members", async () => {
  const digits = "0.12345678901234567890123";
  const resource = {
    terraform_data: { a: { input: { z: 1, a: [{ y: "${var.given}", b: "DIGITS" }] } } },
  };
  const output = {
    object: { value: '${jsondecode("{\\"z\\":1,\\"a\\":2}")}' },
    given: { value: "${{ z = var.given, a = 1/3, m = pow(2,64) }}" },
    input: { value: "${terraform_data.a.input}" },
    output: { value: "${[terraform_data.a.output, 1e30]}" },
  };
  const variable = { given: { type: "any" } };
  rmSync(join(directory, "cdktf.out"), { recursive: true });
  writeStacks(directory, { exact: { resource, output, variable } });
  const stack = join(directory, "cdktf.out/stacks/exact/cdk.tf.json");
  writeFileSync(stack, readFileSync(stack, "utf8").replace('"DIGITS"', digits));

  const given = `given={"y": 18446744073709551616, "b": ${digits}}`;
  expect(await inApp("plan", "--out", "p", "--var", given)).toMatchObject({ code: 0, err: "" });
  const { out: json } = await run("show", "--json", "p");
  const { planned_values: values, configuration } = parse(json) as Record<string, object>;
  const y = { b: new LosslessNumber(digits), y: new LosslessNumber("18446744073709551616") };
  expect(json).not.toContain("isLosslessNumber");
  expect(stringify(values)).toContain(`"value":${stringify({ a: [{ b: y.b, y }], z: 1 })}`);
  expect(stringify(configuration)).toContain(`"b":${digits}`);
  expect(JSON.parse(json)).toMatchObject({
    resource_changes: [{ change: { after_unknown: { id: true, output: true } } }],
    output_changes: { object: { after_unknown: false, after_sensitive: false } },
  });
  expect(await run("apply", "p")).toMatchObject({ code: 0, err: "" });
  const stored = await inApp("output", "--json", "output");
  expect(parse(stored.out)).toEqual([
    { a: [{ b: y.b, y }], z: new LosslessNumber("1") },
    new LosslessNumber("1000000000000000000000000000000"),
  ]);
  expect((await inApp("plan", "--var", given)).out).toContain("No changes.");
});
