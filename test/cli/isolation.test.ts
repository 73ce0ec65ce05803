import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { startSimulator, type Simulator } from "../../src/simulator";
import { closedPort } from "../support/closed-port";
import { consoleStack, SECRETS, temporaryFolder, writeStacks, type StackJson } from "./stack-files";
import { TestTerminal } from "./test-terminal";

const SIGNED_UP = { username: "admin", password: SECRETS.TF_VAR_CONSOLE_PASSWORD };

let simulator: Simulator;
let directory: string;

const run = async (...command: string[]) => {
  const terminal = new TestTerminal({ directory, environment: SECRETS });
  const code = await terminal.run(...command, "--out-dir", "cdktf.out");
  return { code, out: terminal.out, err: terminal.err };
};

const policies = (at: number) => simulator.consoles[at]?.console.policies().map(({ name }) => name);

/** The provider's block of a stack. */
function providerOf(stack: [string, StackJson] | undefined): Record<string, unknown> {
  const [provider] =
    (stack?.[1].provider as { cwp: Record<string, unknown>[] } | undefined)?.cwp ?? [];
  if (!provider) throw new Error("The stack has no provider");
  return provider;
}

/** A stack for each console. The bootstrap is left out: every console is set up. */
async function write(): Promise<void> {
  const stacks = simulator.consoles.map((served, at): [string, StackJson] => {
    const stack = consoleStack({ consoles: [served], caFile: simulator.caFile });
    const { cwp_compliance_policy_set: set } = stack.resource as Record<string, StackJson>;
    const resource = {
      cwp_compliance_policy_set: { policies: { ...(set?.policies as object), depends_on: [] } },
    };
    return [`tenant-${at}`, { ...stack, resource }];
  });
  for (const at of [1, 2]) {
    Object.assign(providerOf(stacks[at]), { base_url: `https://127.0.0.1:${await closedPort()}` });
  }
  Object.assign(providerOf(stacks[3]), { username: "nobody" });
  writeStacks(directory, Object.fromEntries(stacks));
}

beforeEach(async () => {
  simulator = await startSimulator({ tenants: 5, signedUp: SIGNED_UP, licensed: true });
  directory = temporaryFolder();
  await write();
});
afterEach(() => simulator.close());

const SUMMARY = [
  "Excluded: 3 of 5 stacks",
  "  - Console is not reachable (2): tenant-1, tenant-2",
  "  - Console refused the credentials (1): tenant-3",
  "",
].join("\n");

test("plan shows the stacks that can be planned, and groups the others by their reason", async () => {
  const { code, out, err } = await run("plan");
  expect(code).toBe(1);
  expect(out.match(/^All 2 stacks: .*$/gm)).toEqual(["All 2 stacks: tenant-0, tenant-4"]);
  expect(out.match(/will be created/g)).toHaveLength(1);
  expect(out).toMatch(/\nProtection: 2 weaker, 2 stronger\n\nAll 2 stacks: tenant-0, tenant-4\n/);
  expect(out).toContain(
    "\nTotal of 2 stacks: 2 to add, 0 to change, 0 to destroy. Protection: 2 weaker, 2 stronger.\n",
  );
  expect(out.endsWith(`\n${SUMMARY}`)).toBe(true);
  expect(err.match(/^Error: .*$/gm)).toEqual([
    "Error: Console is not reachable",
    "Error: Console refused the credentials",
  ]);
  expect(err).toContain("\n2 stacks: tenant-1, tenant-2\n");
  expect(err).toContain("\nStack tenant-3\n");
});

test("plan --expand prints the errors of each stack", async () => {
  const { code, out, err } = await run("plan", "--expand");
  expect(code).toBe(1);
  expect(err.match(/^Error: .*$/gm)).toHaveLength(3);
  expect(out).toContain(SUMMARY);
});

test("apply changes the others, and ends with exit code 1", async () => {
  const { code, out } = await run("apply", "--auto-approve");
  expect(code).toBe(1);
  expect(out).toContain("\nTotal of 2 stacks: 2 added, 0 changed, 0 destroyed.\n");
  expect(out.endsWith(`\n${SUMMARY}`)).toBe(true);
  expect([0, 3, 4].map(policies).map((names) => names?.includes("First"))).toEqual([
    true,
    false,
    true,
  ]);
});

test("apply groups the stacks that fail while they are applied", async () => {
  const [first] = simulator.consoles;
  first.console.faults.add({
    target: "putCompliancePolicies",
    outcome: { kind: "status", status: 400 },
  });
  const { code, out } = await run("apply", "--auto-approve");
  expect(code).toBe(1);
  expect(out).toContain("\nTotal of 2 stacks: 1 added, 0 changed, 0 destroyed. 1 stack failed.\n");
  expect(out).toContain("\nFailed: 1 of 5 stacks\n  - Console refused the request (1): tenant-0\n");
  expect(policies(4)).toContain("First");
});

test("--fail-fast plans and applies nothing", async () => {
  const { code, out } = await run("apply", "--auto-approve", "--fail-fast");
  expect(code).toBe(1);
  expect(out).not.toContain("Plan:");
  expect(out).toContain(SUMMARY);
  expect(policies(0)).not.toContain("First");
});

test("--json names the stack of each error, and groups them at the end", async () => {
  const { code, out } = await run("plan", "--json");
  expect(code).toBe(1);
  const lines = out
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  const found = lines.filter(({ type }) => type === "diagnostic" || type === "excluded_stacks");
  expect(found.map(({ type, stack, stacks }) => [type, stack ?? stacks])).toEqual([
    ["diagnostic", ["tenant-1", "tenant-2"]],
    ["diagnostic", "tenant-3"],
    ["excluded_stacks", undefined],
  ]);
  expect(found.at(-1)).toMatchObject({
    "@level": "error",
    "@message": "Excluded: 3 of 5 stacks",
    excluded_stacks: {
      total: 5,
      groups: [
        { reason: "Console is not reachable", stacks: ["tenant-1", "tenant-2"] },
        { reason: "Console refused the credentials", stacks: ["tenant-3"] },
      ],
    },
  });
});

test("--markdown and --html have the excluded stacks", async () => {
  const { code } = await run("plan", "--markdown", "plan.md", "--html", "plan.html");
  expect(code).toBe(1);
  const markdown = readFileSync(join(directory, "plan.md"), "utf8");
  expect(markdown).toContain("❌ **Excluded: 3 of 5 stacks**");
  expect(markdown).toContain("(2): <code>tenant-1&#44; tenant-2</code>");
  const html = readFileSync(join(directory, "plan.html"), "utf8");
  expect(html).toContain("Excluded: 3 of 5 stacks");
  expect(html).toContain("<p>tenant-1, tenant-2</p>");
  expect(html).not.toContain(SECRETS.TF_VAR_CONSOLE_PASSWORD);
});

test("a mistake in the configuration of one stack stops all of them", async () => {
  const file = join(directory, "cdktf.out/stacks/tenant-4/cdk.tf.json");
  const json = JSON.parse(readFileSync(file, "utf8")) as StackJson;
  writeFileSync(file, JSON.stringify({ ...json, output: { wrong: { value: "${var.nowhere}" } } }));
  const { code, out, err } = await run("plan");
  expect(code).toBe(1);
  expect(out).not.toContain("Excluded");
  expect(err.match(/^Error: .*$/gm)).toHaveLength(1);
  expect(simulator.consoles[0].console.requests).toEqual([]);
});

test("each warning of alike stacks is printed once, with one of the stacks", async () => {
  const policy = (name: string) => ({ name, checks: { "41": true } });
  const stacks = [0, 4].map((at): [string, StackJson] => {
    const [console] = simulator.consoles.slice(at, at + 1);
    const served = {
      consoles: [console ?? simulator.consoles[0]] as const,
      caFile: simulator.caFile,
    };
    const policies = { policies: [policy("First"), policy("Second")] };
    const resource = { cwp_compliance_policy_set: { policies } };
    return [`alike-${at}`, { ...consoleStack(served), resource }];
  });
  writeStacks(directory, Object.fromEntries(stacks));
  const { code, out, err } = await run("plan");
  expect(code).toBe(0);
  expect((out + err).match(/^Warning: Policy.*$/gm)).toEqual([
    'Warning: Policy "First" is redundant',
    'Warning: Policy "Second" never decides',
  ]);
});
