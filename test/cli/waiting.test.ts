import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseFault, startSimulator, type Simulator } from "../../src/simulator";
import { closedPort } from "../support/closed-port";
import { describeWithTerraform } from "../support/terraform";
import { consoleStack, SECRETS, temporaryFolder, writeStacks, type StackJson } from "./stack-files";
import { TestTerminal } from "./test-terminal";

let simulator: Simulator;
afterEach(() => simulator.close());

interface Line {
  readonly type: string;
  readonly stack?: string;
  readonly result?: { readonly status: string; readonly reason?: string };
}

/** A stack for each console; `urls` replaces addresses. */
function tenants(names: readonly string[], urls: Readonly<Record<string, string>> = {}) {
  const directory = temporaryFolder();
  const stacks = names.flatMap((name, at): [string, StackJson][] => {
    const found = simulator.consoles[at];
    if (!found) return [];
    const console = { ...found, url: urls[name] ?? found.url };
    return [[name, consoleStack({ ...simulator, consoles: [console] })]];
  });
  writeStacks(directory, Object.fromEntries(stacks));
  const run = async (...argv: string[]) => {
    const terminal = new TestTerminal({ directory, environment: SECRETS });
    const code = await terminal.run("apply", "--auto-approve", "--out-dir", "cdktf.out", ...argv);
    return { code, out: terminal.out, err: terminal.err };
  };
  const results = () => {
    const lines = readFileSync(join(directory, "run.jsonl"), "utf8").trimEnd().split("\n");
    return lines.flatMap((line): [string, string][] => {
      const { type, stack = "", result } = JSON.parse(line) as Line;
      return type === "stack_result" ? [[stack, result?.status ?? ""]] : [];
    });
  };
  return { run, results };
}

test("a console that does not respond comes last, and --wait bounds the wait for it", async () => {
  simulator = await startSimulator({ tenants: 4 });
  const dead = `https://127.0.0.1:${await closedPort()}`;
  const { run, results } = tenants(["a-dead", "b-dead", "c", "d"], {
    "a-dead": dead,
    "b-dead": dead,
  });
  const command = ["--waves", "1,100%", "--wait", "1s", "--run-log", "run.jsonl"];
  const first = await run(...command);
  expect(first.code).toBe(1);
  expect(first.out).toContain(
    "2 stacks come last, because their consoles do not respond: a-dead, b-dead",
  );
  expect(first.err.replace(/\s+/g, " ")).toContain(
    "The console did not become ready before the run's time to wait was over (--wait).",
  );
  expect(results().slice(0, 2)).toEqual([
    ["c", "applied"],
    ["d", "applied"],
  ]);
  expect(
    results()
      .slice(2)
      .map(([, status]) => status),
  ).toContain("failed");
});

describeWithTerraform("with Terraform as the engine", () => {
  test("a stack that may not write any more has changed nothing", async () => {
    simulator = await startSimulator({
      tenants: 3,
      faults: [parseFault("putCompliancePolicies:status=400")],
    });
    const { run } = tenants(["a", "b", "c"]);
    const engine = ["--engine", "terraform", "--with-null"];
    const { code, out } = await run("--max-failures", "0", ...engine);
    expect(code).toBe(1);
    expect(out).toContain("Not started: 2 of 3 stacks");
    const users = simulator.consoles.map(({ console }) => console.data.users.size > 0);
    expect(users.filter((isSignedUp) => isSignedUp)).toHaveLength(1);
  });

  test("--wait bounds the wait of its provider", async () => {
    simulator = await startSimulator();
    const dead = `https://127.0.0.1:${await closedPort()}`;
    const { run } = tenants(["a"], { a: dead });
    const { code, err } = await run("--wait", "1s", "--engine", "terraform", "--with-null");
    expect(code).toBe(1);
    expect(err).toContain("(--wait)");
  });
});
