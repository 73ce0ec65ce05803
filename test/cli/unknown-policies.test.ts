import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { reviewSchema } from "../../src/review/json/review-schema";
import { startSimulator, type Simulator } from "../../src/simulator";
import type { ObjectValue } from "../../src/core/values";
import { protecting } from "../review/protection/sets";
import { consoleStack, SECRETS, temporaryFolder, writeStacks, type StackJson } from "./stack-files";
import { TestTerminal } from "./test-terminal";

let simulator: Simulator;
let directory: string;

beforeEach(async () => {
  simulator = await startSimulator();
  directory = temporaryFolder();
});
afterEach(() => simulator.close());

function write(policies: readonly ObjectValue[] | undefined, ownership = "exclusive"): void {
  const { resource, ...stack } = consoleStack(simulator);
  const { cwp_bootstrap, cwp_license } = resource as StackJson;
  const set = { policies: { policies, ownership, depends_on: ["cwp_license.license"] } };
  const sets = policies ? { cwp_compliance_policy_set: set } : {};
  writeStacks(directory, { prod: { ...stack, resource: { cwp_bootstrap, cwp_license, ...sets } } });
}

async function run(...argv: string[]) {
  const terminal = new TestTerminal({ directory, environment: SECRETS });
  const code = await terminal.run(...argv);
  return { code, out: terminal.out, err: terminal.err };
}

async function reviewed(...argv: string[]) {
  const { code, out } = await run("review", "plan.json", "--json", ...argv);
  const [stack] = reviewSchema.strict().parse(JSON.parse(out)).stacks;
  return { code, protection: stack!.protection };
}

const root = protecting("root", { namespaces: ["prod-*"] }, "599");
const all = protecting("all", {}, "~41");
const OUT = ["--out-dir", "cdktf.out"];
const GATE = ["--fail-on", "weaker"];

test("a fresh console is judged as the same console that can be read", async () => {
  const counts = /Protection: [^\n]*/;
  write([root]);
  const fresh = await run("plan", ...OUT, ...GATE);
  write(undefined);
  expect((await run("apply", ...OUT, "--auto-approve")).code).toBe(0);
  write([root]);
  const readable = await run("plan", ...OUT, ...GATE);
  expect([fresh.code, readable.code]).toEqual([3, 3]);
  expect(counts.exec(fresh.out)?.[0]).toBe(counts.exec(readable.out)?.[0]);
  const words = fresh.out.replaceAll(/\s+(# +)?/g, " ");
  expect(words).toContain("the default policies of a new one are assumed");
  expect(readable.out).not.toContain("assumed");
});

describe("the JSON of a plan whose set is a prefix", () => {
  beforeEach(async () => {
    write([root], "prefix");
    expect((await run("apply", ...OUT, "--auto-approve")).code).toBe(0);
    write([root, all], "prefix");
    const planned = await run("plan", ...OUT, ...GATE, "--out", "plan.bin");
    expect(planned.code).toBe(3);
    expect(planned.out).toContain("Protection: 1 weaker");
    const { out } = await run("show", "plan.bin", "--json");
    writeFileSync(join(directory, "plan.json"), out);
  });

  test("is refused as the plan is, and claims nothing of what it lacks", async () => {
    const { code, protection } = await reviewed(...GATE);
    expect(code).toBe(3);
    const [{ regions, weaker, complete } = { regions: [] }] = protection;
    expect({ weaker, complete }).toEqual({ weaker: 1, complete: false });
    for (const { certainty, before } of regions) {
      expect(certainty).toBe("possible");
      expect(before).toEqual({ policy: null, position: null, unknown: "unmanaged policies" });
    }
  });

  test("passes with --allow-unknown", async () => {
    expect((await reviewed(...GATE, "--allow-unknown")).code).toBe(0);
  });
});
