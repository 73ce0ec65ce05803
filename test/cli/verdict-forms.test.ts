import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { reviewSchema } from "../../src/review/json/review-schema";
import type { Simulator } from "../../src/simulator";
import { startSimulator } from "../support/habitual-simulator";
import type { ObjectValue } from "../../src/core/values";
import { protecting, SET } from "../review/protection/sets";
import { REQUIREMENT } from "./gates";
import { consoleStack, SECRETS, temporaryFolder, writeStacks, type StackJson } from "./stack-files";
import { TestTerminal } from "./test-terminal";

const EXEMPT = protecting("exempt", { namespaces: ["prod-pay"] }, "~599", "41");

const waiver = (namespace: string, expires: string) => `
  - where: { namespaces: ["${namespace}"] }
    checks: { 599: { from: block, to: alert } }
    owner: ${namespace}@example.com
    reason: until the migration
    expires: ${expires}`;

let simulator: Simulator;
let directory: string;

beforeAll(async () => {
  simulator = await startSimulator();
  directory = temporaryFolder();
  write(SET);
  expect((await run("apply", "--auto-approve", "--out-dir", "cdktf.out")).code).toBe(0);
  write([EXEMPT, ...SET]);
});
afterAll(() => simulator.close());

function write(policies: readonly ObjectValue[]): void {
  const { resource, ...stack } = consoleStack(simulator);
  const set = { policies, depends_on: ["cwp_license.license"] };
  const resources = { ...(resource as StackJson), cwp_compliance_policy_set: { policies: set } };
  writeStacks(directory, { prod: { ...stack, resource: resources } });
}

async function run(...argv: readonly string[]) {
  const terminal = new TestTerminal({ directory, environment: SECRETS });
  const code = await terminal.run(...argv);
  return { code, out: terminal.out, err: terminal.err };
}

const FILES = ["r.html", "r.md", "r.json"] as const;

/** Plans with a contract, and returns the three files. */
async function forms(contract: string) {
  writeFileSync(join(directory, "protection.yaml"), contract);
  const [html, markdown, json] = FILES;
  const files = ["--html", html, "--markdown", markdown, "--review-json", json];
  const { code } = await run("plan", "--out-dir", "cdktf.out", ...files);
  const texts = FILES.map((file) => readFileSync(join(directory, file), "utf8"));
  return { code, texts, document: reviewSchema.parse(JSON.parse(texts[2] ?? "")) };
}

test("a violated requirement is in each form of the review", async () => {
  const { code, texts, document } = await forms(REQUIREMENT);
  expect(code).toBe(1);
  for (const text of texts) expect(text).toContain("no root in production");
  expect(texts[0]).toContain("The contract is violated: 1 of 1 clause of the contract is not met");
  expect(texts[1]).toContain("❌ **The contract is violated");
  expect(document).toMatchObject({
    verdict: "violated",
    requirements: [
      {
        result: "violated",
        place: "protection.yaml:3",
        breaches: [{ stack: "prod", regions: [{ example: { namespace: "prod-pay" } }] }],
      },
    ],
  });
});

test("waivers that are used, not used and expired are in each form", async () => {
  const waivers = [
    waiver("prod-pay", "2999-03-01"),
    waiver("prod-unused", "2999-03-01"),
    waiver("prod-gone", "2020-03-01"),
  ];
  const { code, texts, document } = await forms(`${REQUIREMENT}waivers:${waivers.join("")}\n`);
  expect(code).toBe(0);
  for (const text of texts) {
    for (const name of ["prod-pay", "prod-unused", "prod-gone"]) expect(text).toContain(name);
  }
  expect(document).toMatchObject({
    verdict: "passed",
    waivers: [{ owner: "prod-pay@example.com" }],
    unused_waivers: [{ owner: "prod-unused@example.com" }],
    expired_waivers: [{ owner: "prod-gone@example.com" }],
  });
  const regions = document.stacks[0]?.protection[0]?.regions;
  expect(regions).toMatchObject([{ waived_by: [{ owner: "prod-pay@example.com" }] }]);
});

test("review --json prints the document alone, also if a waiver is used", async () => {
  writeFileSync(
    join(directory, "protection.yaml"),
    `version: 1\nwaivers:${waiver("prod-pay", "2999-03-01")}\n`,
  );
  await run("plan", "--out-dir", "cdktf.out", "--out", "p.plan");
  const { out: plan } = await run("show", "--json", "p.plan");
  writeFileSync(join(directory, "p.json"), plan);
  const { code, out, err } = await run("review", "p.json", "--json");
  expect(code).toBe(0);
  expect(reviewSchema.parse(JSON.parse(out)).waivers).toHaveLength(1);
  expect(err).toContain("Waived by the contract");
});
