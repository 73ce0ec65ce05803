import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ObjectValue } from "../../src/core/values";
import { reviewSchema } from "../../src/review/json/review-schema";
import type { Simulator } from "../../src/simulator";
import { startSimulator } from "../support/habitual-simulator";
import { protecting } from "../review/protection/sets";
import { consoleStack, PASSWORD, SECRETS, temporaryFolder, writeStacks } from "./stack-files";
import type { StackJson } from "./stack-files";
import { TestTerminal } from "./test-terminal";

const root = protecting("root", { namespaces: ["prod-*"] }, "599");
const all = protecting("all", {}, "~41");
const DEFAULT = "Default - ignore own components";

let simulator: Simulator;
let directory: string;

beforeEach(async () => {
  simulator = await startSimulator();
  directory = temporaryFolder();
  write([root]);
  expect((await run({}, "apply", ...OUT, "--auto-approve")).code).toBe(0);
  write([root, all]);
  await savePlan();
});
afterEach(() => simulator.close());

const OUT = ["--out-dir", "cdktf.out"];

function write(policies: readonly ObjectValue[], provider: ObjectValue = {}): void {
  const { resource, provider: given, ...stack } = consoleStack(simulator);
  const { cwp_bootstrap, cwp_license } = resource as StackJson;
  const set = { policies: { policies, ownership: "prefix", depends_on: ["cwp_license.license"] } };
  const [block] = (given as { cwp: readonly ObjectValue[] }).cwp;
  writeStacks(directory, {
    prod: {
      ...stack,
      provider: { cwp: [{ ...block, ...provider }] },
      resource: { cwp_bootstrap, cwp_license, cwp_compliance_policy_set: set },
    },
  });
}

async function run(environment: Record<string, string>, ...argv: string[]) {
  const terminal = new TestTerminal({ directory, environment: { ...SECRETS, ...environment } });
  const code = await terminal.run(...argv);
  return { code, out: terminal.out, err: terminal.err };
}

async function savePlan(): Promise<void> {
  await run({}, "plan", ...OUT, "--out", "plan.bin");
  const { out } = await run({}, "show", "plan.bin", "--json");
  writeFileSync(join(directory, "plan.json"), out);
}

function review(url: string, ...argv: string[]) {
  const environment = {
    CONSOLE_URL: url,
    CONSOLE_CA_FILE: simulator.caFile,
    CONSOLE_USERNAME: "admin",
    CONSOLE_PASSWORD: PASSWORD,
  };
  return run(environment, "review", "plan.json", "--console", ...argv);
}

/** The effects on protection in review JSON. */
function protectionIn(json: string) {
  const [stack] = reviewSchema.strict().parse(JSON.parse(json)).stacks;
  return stack?.protection;
}

test("makes certain what lies behind unmanaged policies", async () => {
  const alone = await run({}, "review", "plan.json", "--json");
  expect(protectionIn(alone.out)).toMatchObject([{ complete: false }]);
  const { code, out, err } = await review(simulator.consoles[0].url, "--json");
  expect({ code, err }).toEqual({ code: 0, err: "" });
  const planned = await run({}, "plan", ...OUT, "--review-json", "planned.json");
  expect(planned.out).toContain("Protection: ");
  const json = readFileSync(join(directory, "planned.json"), "utf8");
  expect(protectionIn(out)).toEqual(protectionIn(json));
  expect(protectionIn(out)).toMatchObject([{ complete: true, reasons: [] }]);
  expect(JSON.stringify(protectionIn(out))).toContain(DEFAULT);
});

test("counts the containers that run on the console with --live", async () => {
  const { code, out, err } = await review(simulator.consoles[0].url, "--live", "--json");
  expect({ code, err }).toEqual({ code: 0, err: "" });
  const planned = await run({}, "plan", ...OUT, "--live", "--review-json", "planned.json");
  expect(planned.code).toBe(0);
  const json = readFileSync(join(directory, "planned.json"), "utf8");
  const [[found], [expected]] = [protectionIn(out)!, protectionIn(json)!];
  expect(found?.live?.running).toBeGreaterThan(100);
  expect(found?.live?.changes).toEqual(expected?.live?.changes);
  expect(found?.regions).toEqual(expected?.regions);
  const implied = await run(
    {
      CONSOLE_URL: simulator.consoles[0].url,
      CONSOLE_CA_FILE: simulator.caFile,
      CONSOLE_USERNAME: "admin",
      CONSOLE_PASSWORD: PASSWORD,
    },
    "review",
    "plan.json",
    "--live",
  );
  expect(implied.out.replaceAll(/\s+/g, " ")).toMatch(/Read \d+ running containers of https:/);
});

/** Plans with a provider that takes its address from the environment, as that of the README does. */
async function planFromEnvironment(): Promise<void> {
  write([root, all], { base_url: null });
  const environment = { CONSOLE_URL: simulator.consoles[0].url };
  await run(environment, "plan", ...OUT, "--out", "plan.bin");
  const { out } = await run(environment, "show", "plan.bin", "--json");
  writeFileSync(join(directory, "plan.json"), out);
}

test("finds the console in the objects if the provider takes it from the environment", async () => {
  await planFromEnvironment();
  const { code, out, err } = await review(simulator.consoles[0].url, "--live", "--json");
  expect({ code, err }).toEqual({ code: 0, err: "" });
  const [found] = protectionIn(out)!;
  expect(found).toMatchObject({ complete: true, reasons: [] });
  expect(found?.live?.running).toBeGreaterThan(100);
});

describe("reports an error and sends nothing", () => {
  test("if the plan is for another console", async () => {
    const other = await startSimulator();
    writeFileSync(join(directory, "review.md"), "an earlier review");
    const { code, out, err } = await review(other.consoles[0].url, "--markdown", "review.md");
    await other.close();
    expect({ code, out }).toEqual({ code: 1, out: "" });
    expect(err).toContain("Plan is for another console");
    expect(err.replaceAll(/\s+/g, " ")).toContain(`is on ${simulator.consoles[0].url}`);
    expect(other.consoles[0].console.requests).toEqual([]);
    const comment = readFileSync(join(directory, "review.md"), "utf8");
    expect(comment).toContain("Plan is for another console");
  });

  test("if the plan does not show its console", async () => {
    await planFromEnvironment();
    const file = join(directory, "plan.json");
    const plan = readFileSync(file, "utf8").replaceAll(/,?"console":"[^"]*"/g, "");
    writeFileSync(file, plan.replaceAll("{,", "{"));
    const { url, console } = simulator.consoles[0];
    const sent = console.requests.length;
    const { code, out, err } = await review(url);
    expect({ code, out }).toEqual({ code: 1, out: "" });
    expect(err.replaceAll(/\s+/g, " ")).toContain('The plan of "plan" does not show the console');
    expect(console.requests).toHaveLength(sent);
  });

  test("if the objects of the plan know another console", async () => {
    await planFromEnvironment();
    const other = await startSimulator();
    const { code, err } = await review(other.consoles[0].url);
    await other.close();
    expect(code).toBe(1);
    const { host } = new URL(simulator.consoles[0].url);
    expect(err.replaceAll(/\s+/g, " ")).toContain(`of "plan" is on ${host}`);
    expect(other.consoles[0].console.requests).toEqual([]);
  });

  test("without CONSOLE_URL", async () => {
    const sent = simulator.consoles[0].console.requests.length;
    const { code, err } = await run({}, "review", "plan.json", "--console");
    expect(code).toBe(1);
    expect(err).toContain("CONSOLE_URL");
    expect(simulator.consoles[0].console.requests).toHaveLength(sent);
  });
});

test("sends nothing for plans without policies", async () => {
  const file = join(directory, "plan.json");
  const plan = JSON.parse(readFileSync(file, "utf8")) as { resource_changes: { type: string }[] };
  const others = plan.resource_changes.filter(({ type }) => type === "cwp_license");
  writeFileSync(file, JSON.stringify({ ...plan, resource_changes: others }));
  const sent = simulator.consoles[0].console.requests.length;
  expect((await review(simulator.consoles[0].url)).code).toBe(0);
  expect(simulator.consoles[0].console.requests).toHaveLength(sent);
});
