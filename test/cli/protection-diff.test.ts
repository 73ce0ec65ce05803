import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Simulator } from "../../src/simulator";
import { startSimulator } from "../support/habitual-simulator";
import type { ObjectValue } from "../../src/core/values";
import { protecting } from "../review/protection/sets";
import { consoleStack, SECRETS, temporaryFolder, writeStacks, type StackJson } from "./stack-files";
import { consoleEnvironment } from "../support/console-environment";
import { TestTerminal } from "./test-terminal";

let simulator: Simulator;
let directory: string;

const root = protecting("root", { namespaces: ["prod-*"] }, "599");
const exempt = protecting("exempt", { namespaces: ["prod-pay*"] }, "~599");
const all = protecting("all", {}, "~41");

beforeAll(async () => {
  simulator = await startSimulator();
  directory = temporaryFolder();
  writeStacks(directory, { prod: stackOf([root]), dev: stackOf([exempt, root]) });
  write("base.json", [root]);
  write("renamed.json", [protecting("other", { namespaces: ["PROD-*"] }, "599")]);
  write("weaker.json", [exempt, root]);
  write("more.json", [root, all]);
  write("other.json", [exempt, root, all]);
  const applied = await run("apply", "prod", ...OUT, "--auto-approve");
  expect(applied.code).toBe(0);
});
afterAll(() => simulator.close());

const OUT = ["--out-dir", "cdktf.out"];

function stackOf(policies: readonly ObjectValue[]): StackJson {
  const { resource, ...stack } = consoleStack(simulator);
  const set = { policies: { policies, depends_on: ["cwp_license.license"] } };
  return { ...stack, resource: { ...(resource as StackJson), cwp_compliance_policy_set: set } };
}

function write(name: string, policies: readonly ObjectValue[]): void {
  writeFileSync(join(directory, name), JSON.stringify(policies));
}

async function run(...argv: string[]) {
  const environment = { ...SECRETS, ...consoleEnvironment(simulator) };
  const terminal = new TestTerminal({ directory, environment });
  const code = await terminal.run(...argv);
  return { code, out: terminal.out, err: terminal.err };
}

const diff = (...argv: string[]) => run("protection", "diff", ...argv);

test.each([
  ["renamed.json", "base.json and renamed.json protect alike."],
  ["more.json", "more.json protects at least as much as base.json."],
  ["weaker.json", "base.json protects at least as much as weaker.json."],
  ["other.json", "base.json and other.json each protect some workloads more than the other."],
])("says how %s relates to a base line", async (name, verdict) => {
  const { code, out } = await diff("base.json", name);
  expect(code).toBe(0);
  expect(out.split("\n")[1]).toBe(verdict);
});

test("lists the regions that the second side protects less", async () => {
  const { out } = await diff("base.json", "weaker.json");
  expect(out).toBe(`
base.json protects at least as much as weaker.json.

From base.json to weaker.json:
  Protection: 1 weaker
    - check 599 blocks -> alerts
        namespaces prod-pay*  "root" decided, now "exempt"
          for example namespace prod-payx
`);
});

test("exits with 3 if the second side protects less", async () => {
  expect((await diff("base.json", "weaker.json", "--fail-on", "weaker")).code).toBe(3);
  expect((await diff("weaker.json", "base.json", "--fail-on", "weaker")).code).toBe(0);
});

test("reads stacks after their plan, and the console of the environment", async () => {
  const planned = await diff("prod", "dev", ...OUT);
  expect(planned.out).toContain("prod protects at least as much as dev.");
  const current = await diff("console:", "base.json");
  expect(current.out).toContain("console: and base.json protect alike.");
});

test("compares exactly what another set protects, as JSON", async () => {
  const { out } = await diff("base.json", "weaker.json", "--json");
  expect(JSON.parse(out)).toMatchObject({
    from: "base.json",
    to: "weaker.json",
    weaker: 1,
    stronger: 0,
    complete: true,
    regions: [
      { change: "weaker", certainty: "certain", where: { all: [{ namespaces: ["prod-pay*"] }] } },
    ],
  });
});

test.each([
  ["missing.json", "Policies cannot be read"],
  ["broken.json", "Invalid policies"],
  ["nothing", "No such stack"],
])("refuses %s with one error", async (name, message) => {
  writeFileSync(join(directory, "broken.json"), "{");
  const { code, out, err } = await diff("base.json", name, ...OUT);
  expect({ code, out }).toEqual({ code: 1, out: "" });
  expect(err).toContain(message);
  expect(err.match(/Error: /g)).toHaveLength(1);
});
