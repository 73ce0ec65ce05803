import { startSimulator } from "../../src/simulator";
import { policyStack, SECRETS, temporaryFolder, writeStacks, type StackJson } from "./stack-files";
import { TestTerminal } from "./test-terminal";

/** Stacks with one resource each; their outputs differ. */
function app(count: number) {
  const directory = temporaryFolder();
  const write = (by: string) => {
    const stacks = Array.from({ length: count }, (_, at): [string, StackJson] => [
      `tenant-${String(at).padStart(4, "0")}`,
      {
        resource: { null_resource: { gate: { triggers: { by } } } },
        output: { name: { value: `tenant-${at}` } },
      },
    ]);
    writeStacks(directory, Object.fromEntries(stacks));
  };
  const run = async (...argv: string[]) => {
    const terminal = new TestTerminal({ directory });
    const code = await terminal.run(...argv, "--out-dir", "cdktf.out");
    // A slow machine prints more lines of progress.
    const lines = terminal.out.split("\n").filter((line) => !PROGRESS.test(line));
    return { code, lines, err: terminal.err };
  };
  return { write, run };
}

const SCREEN = 40;
const PROGRESS = /^(Planning|Applying): \d+ of \d+ (operations|stacks)/;

test("plan, apply and a further plan of 100 alike stacks fit on a screen each", async () => {
  const { write, run } = app(100);
  write("a");
  const planned = await run("plan");
  expect({ ...planned, lines: [] }).toEqual({ code: 0, lines: [], err: "" });
  expect(planned.lines.length).toBeLessThan(SCREEN);
  expect(planned.lines).toContain("Total of 100 stacks: 100 to add, 0 to change, 0 to destroy.");

  const applied = await run("apply", "--auto-approve");
  expect(applied.code).toBe(0);
  for (const line of [...planned.lines, ...applied.lines]) expect(line.length).toBeLessThan(80);
  expect(applied.lines.length).toBeLessThan(SCREEN);
  expect(applied.lines).toContain("Total of 100 stacks: 100 added, 0 changed, 0 destroyed.");

  const again = await run("plan");
  expect(again.lines.filter((line) => line !== "").slice(0, 1)).toEqual([
    "No changes. Your infrastructure matches the configuration.",
  ]);
  write("b");
  const changed = await run("plan");
  // The IDs of the replaced objects differ from stack to stack.
  expect(changed.lines.filter((line) => line.includes("must be replaced"))).toHaveLength(1);
  expect(changed.lines.length).toBeLessThan(SCREEN);
});

test("the whole output of an apply of alike new tenants fits on a screen, for any number", async () => {
  const lengths: number[] = [];
  for (const tenants of [20, 60]) {
    const simulator = await startSimulator({ tenants });
    const directory = temporaryFolder();
    const policies = [
      { name: "No root", resources: { namespaces: ["prod-*"] }, checks: { "599": true } },
      { name: "Everything else", checks: { "41": false } },
    ];
    const stacks = simulator.consoles.map(({ name, url }): [string, StackJson] => [
      name,
      policyStack({ ...simulator, consoles: [{ url }] }, policies),
    ]);
    writeStacks(directory, Object.fromEntries(stacks));
    const terminal = new TestTerminal({ directory, environment: SECRETS });
    const waves = ["--waves", "3,10%,100%", "--max-failures", "10"];
    const command = ["apply", "--auto-approve", ...waves, "--out-dir", "cdktf.out"];
    expect(await terminal.run(...command)).toBe(0);
    await simulator.close();
    const text = terminal.out.split("\n").filter((line) => !PROGRESS.test(line));
    lengths.push(text.length);
    expect(terminal.out).toContain("# cwp_license.license will be created\n");
    expect(terminal.out).not.toContain("key_fingerprint");
    expect(terminal.out).toContain('+ "No root": 599 blocking; namespaces prod-*');
  }
  expect(Math.max(...lengths)).toBeLessThan(66);
  // Names of stacks and numbers have other lengths.
  expect(Math.abs((lengths[0] ?? 0) - (lengths[1] ?? 0))).toBeLessThan(5);
});

test("--expand prints each stack", async () => {
  const { write, run } = app(12);
  write("a");
  const { lines } = await run("plan", "--expand");
  expect(lines.filter((line) => line.startsWith("Stack tenant-"))).toHaveLength(12);
});
