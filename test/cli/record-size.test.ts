import { readFileSync } from "node:fs";
import { join } from "node:path";
import { startSimulator } from "../../src/simulator";
import { consoleStack, SECRETS, temporaryFolder, writeStacks } from "./stack-files";
import { TestTerminal } from "./test-terminal";

/* The record of an onboarding of many tenants by one program: 2,000 of them take at most 6 MB. */

interface Entry {
  readonly type: string;
  readonly stack?: string;
}

const TENANTS = 60;

test("names what tenants have in common, in lines of JSON", async () => {
  const simulator = await startSimulator({ tenants: TENANTS });
  const directory = temporaryFolder();
  const stacks = simulator.consoles.map((console, at) => {
    const stack = consoleStack({ ...simulator, consoles: [console] });
    return [`tenant-${String(at + 1).padStart(4, "0")}`, stack] as const;
  });
  writeStacks(directory, Object.fromEntries(stacks));
  const terminal = new TestTerminal({ directory, environment: SECRETS });
  const argv = ["apply", "--auto-approve", "--out-dir", "cdktf.out", "--run-log", "run.jsonl"];
  expect(await terminal.run(...argv)).toBe(0);
  await simulator.close();
  const record = readFileSync(join(directory, "run.jsonl"), "utf8");
  const lines = record.trimEnd().split("\n");
  const entries = lines.map((line) => ({ line, ...(JSON.parse(line) as Entry) }));
  expect(entries.filter(({ type }) => type === "stack_result")).toHaveLength(TENANTS);
  const bytesOf = (some: readonly { readonly line: string }[]) =>
    some.reduce((sum, { line }) => sum + line.length + 1, 0);
  // The first two tenants have the lines with the contents of all.
  const others = entries.filter(({ stack = "tenant-0001" }) => stack !== "tenant-0001");
  expect(bytesOf(others) / (TENANTS - 1)).toBeLessThan(2_980);
  // Consoles that were installed in different seconds have other default policies.
  expect(bytesOf(entries.filter(({ type }) => type === "content"))).toBeLessThan(60_000);
});
