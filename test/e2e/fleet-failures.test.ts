import { readFileSync } from "node:fs";
import { join } from "node:path";
import { TestTerminal } from "../cli/test-terminal";
import { Fleet, SECRETS } from "./support/fleet";

/* A rollout over many tenants whose consoles refuse policies changes as few of them as promised. */

jest.setTimeout(120_000);

const TENANTS = 16;
const LOG = "run.jsonl";

let fleet: Fleet;
/** The tenants whose console got a request that may change it. */
let written: Set<string>;

beforeEach(async () => {
  fleet = await Fleet.open({ tenants: TENANTS, hosts: 6 });
  written = new Set();
  fleet.onWrite((name) => written.add(name));
});
afterEach(() => fleet.close());

/** Lets the consoles of some tenants refuse every policy. */
const refusePolicies = (isBad: (index: number) => boolean) => {
  for (const [index, { console }] of fleet.simulator.consoles.entries()) {
    if (!isBad(index)) continue;
    console.faults.add({
      target: "PUT /api/v1/policies",
      outcome: { kind: "status", status: 400 },
    });
  }
};

async function apply(...options: readonly string[]) {
  const terminal = new TestTerminal({ directory: fleet.folder, environment: SECRETS });
  const shared = ["--auto-approve", "--run-log", LOG, "--out-dir", "cdktf.out"];
  const code = await terminal.run("apply", ...shared, ...options);
  const lines = readFileSync(join(fleet.folder, LOG), "utf8").trimEnd().split("\n");
  const results = new Map(
    lines.flatMap((line): [string, string][] => {
      const { type, stack, result } = JSON.parse(line) as {
        type: string;
        stack: string;
        result?: { status: string };
      };
      return type === "stack_result" && result ? [[stack, result.status]] : [];
    }),
  );
  const failed = [...results].flatMap(([name, status]) => (status === "failed" ? [name] : []));
  return { code, failed, results, out: terminal.out, err: terminal.err };
}

/** Stacks that were not started: neither their console nor their state was changed. */
function expectUntouched(names: readonly string[]): void {
  for (const name of names) {
    expect({ name, isWritten: written.has(name), state: fleet.state(name) }).toEqual({
      name,
      isWritten: false,
      state: undefined,
    });
  }
}

test.each(["1", "10"])(
  "of tenants that all fail, only four are changed with --max-failures 3 and parallelism %s",
  async (parallelism) => {
    refusePolicies(() => true);
    const options = ["--max-failures", "3", "--parallelism", parallelism];
    const { code, failed, results, out, err } = await apply(...options);
    expect(code).toBe(1);
    expect(failed).toHaveLength(4);
    expect([...written].sort()).toEqual(failed.sort());
    expect(out).toContain(`Not started: ${TENANTS - 4} of ${TENANTS} stacks`);
    expect(err).toContain("Too many stacks failed");
    expectUntouched(fleet.tenants.flatMap(({ name }) => (results.has(name) ? [] : [name])));

    // The rest, and nothing twice.
    for (const { console } of fleet.simulator.consoles) console.faults.clear();
    const resumed = await apply("--resume", LOG);
    expect({ code: resumed.code, failed: resumed.failed }).toEqual({ code: 0, failed: [] });
    for (const { console } of fleet.simulator.consoles) {
      const signUps = console.requests.filter(({ path }) => path.endsWith("/signup"));
      expect(signUps).toHaveLength(1);
      expect(console.policies().some(({ name }) => name === "First")).toBe(true);
    }
  },
);

test("waves end with the budget, and every tenant that was changed is reported", async () => {
  refusePolicies((index) => index % 4 === 3);
  const { code, failed, results } = await apply(
    ..."--waves 3,10%,100% --max-failures 2 --parallelism 10".split(" "),
  );
  expect(code).toBe(1);
  expect(failed.length).toBeGreaterThan(0);
  expect(failed.length).toBeLessThanOrEqual(3);
  expect([...written].sort()).toEqual([...results.keys()].sort());
  expectUntouched(fleet.tenants.flatMap(({ name }) => (results.has(name) ? [] : [name])));
});

test("a console that boots holds up no other tenant, though one at a time is changed", async () => {
  const [first] = fleet.simulator.consoles;
  first.console.faults.add({ target: "*", outcome: { kind: "status", status: 503 } });
  // It is ready when another tenant was changed.
  fleet.onWrite(() => {
    first.console.faults.clear();
  });
  const { code, results } = await apply("--max-failures", "0", "--parallelism", "4");
  expect({ code, applied: results.size }).toEqual({ code: 0, applied: TENANTS });
});

test("--failure-mode soft starts all of them", async () => {
  refusePolicies(() => true);
  const soft = "--max-failures 3 --failure-mode soft --parallelism 16";
  const { code, failed } = await apply(...soft.split(" "));
  expect(code).toBe(1);
  expect(failed.length).toBeGreaterThan(4);
});
