import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { reviewSchema } from "../../src/review/json/review-schema";
import type { Simulator } from "../../src/simulator";
import { startSimulator } from "../support/habitual-simulator";
import type { ObjectValue } from "../../src/core/values";
import { protecting } from "../review/protection/sets";
import {
  consoleStack,
  policyStack,
  SECRETS,
  temporaryFolder,
  writeStacks,
  type StackJson,
} from "./stack-files";
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

/** The numbers of regions in a review as JSON. */
function countsIn(file: string) {
  const text = readFileSync(join(directory, file), "utf8");
  const [stack] = reviewSchema.strict().parse(JSON.parse(text)).stacks;
  return stack!.protection.map(({ weaker, stronger }) => ({ weaker, stronger }));
}

const wordsOf = (text: string) => text.replaceAll(/\s+(# +)?/g, " ");

const root = protecting("root", { namespaces: ["prod-*"] }, "599");
const all = protecting("all", {}, "~41");
const OUT = ["--out-dir", "cdktf.out"];
const GATE = ["--fail-on", "weaker"];

test("a fresh console is judged as the same console that can be read", async () => {
  write([root]);
  const fresh = await run("plan", ...OUT, ...GATE, "--review-json", "fresh.json");
  write(undefined);
  expect((await run("apply", ...OUT, "--auto-approve")).code).toBe(0);
  write([root]);
  const readable = await run("plan", ...OUT, ...GATE, "--review-json", "readable.json");
  expect([fresh.code, readable.code]).toEqual([3, 3]);
  const [one, other] = ["fresh", "readable"].map((name) => countsIn(`${name}.json`));
  expect(one).toEqual(other);
  expect(wordsOf(readable.err)).toContain("Protection: 2 weaker, 1 stronger.");
  expect(wordsOf(fresh.err)).toContain("Protection: 2 weaker, 1 stronger.");
});

describe("the text of the first plan of a console", () => {
  test("has one sentence about default policies, and no alarm", async () => {
    write([root]);
    const { code, out, err } = await run("plan", ...OUT);
    expect([code, err]).toEqual([0, ""]);
    expect(wordsOf(out)).toContain(
      "(replaces the default policies of a console that is not set up yet)",
    );
    expect(out).toMatch(/^\nProtection: 1 stronger\n/);
    expect(out).not.toMatch(/weaker|Warning|assumed/);
  });

  test("has no line about waivers of the contract for them", async () => {
    write([root]);
    const waiver = {
      checks: { "56": { from: "alert", to: "none" }, "57": { from: "alert", to: "none" } },
      owner: "o",
      reason: "r",
      expires: "2999-01-01",
    };
    const contract = JSON.stringify({ version: 1, waivers: [waiver] });
    writeFileSync(join(directory, "protection.json"), contract);
    const { code, out } = await run("plan", ...OUT, ...GATE);
    expect(code).toBe(0);
    expect(out).not.toContain("Waived");
  });

  test("is not relied on where somebody sets the console up meanwhile", async () => {
    write([root]);
    const other = [protecting("theirs", {}, "599")];
    class Slow extends TestTerminal {
      override async ask(question: string): Promise<string> {
        this.out += question;
        // The console has another policy when the first one is approved.
        const elsewhere = temporaryFolder();
        const stack = policyStack(simulator, other);
        writeStacks(elsewhere, { other: stack });
        const terminal = new TestTerminal({ directory: elsewhere, environment: SECRETS });
        expect(await terminal.run("apply", ...OUT, "--auto-approve")).toBe(0);
        return "yes";
      }
    }
    const terminal = new Slow({ directory, environment: SECRETS, answers: [] });
    expect(await terminal.run("apply", ...OUT)).toBe(1);
    expect(terminal.out).toContain("Protection: 1 stronger.");
    expect(terminal.err).toMatch(/theirs/);
    const names = simulator.consoles[0].console.policies().map(({ name }) => name);
    expect(names).toEqual(["theirs"]);
    // The next plan reads the console.
    expect((await run("plan", ...OUT)).err).toContain("theirs");
  });

  test("keeps the warning about a console that does not respond", async () => {
    write([root]);
    const file = join(directory, "cdktf.out/stacks/prod/cdk.tf.json");
    const elsewhere = readFileSync(file, "utf8").replace(
      simulator.consoles[0].url,
      "https://127.0.0.1:9",
    );
    writeFileSync(file, elsewhere);
    const { out } = await run("plan", ...OUT);
    expect(out).toContain("Warning: Console is not readable yet: it does not respond");
  });

  test("has all effects where the license is installed already", async () => {
    write(undefined);
    expect((await run("apply", ...OUT, "--auto-approve")).code).toBe(0);
    write([root]);
    const { out } = await run("plan", ...OUT);
    expect(out).toContain("Protection: 2 weaker, 1 stronger");
  });
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
