import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Simulator, SimulatorOptions } from "../../src/simulator";
import { startSimulator } from "../support/habitual-simulator";
import { closedPort } from "../support/closed-port";
import { consoleStack, PASSWORD, SECRETS, temporaryFolder, writeStacks } from "./stack-files";
import { TestTerminal } from "./test-terminal";

const SIGNED_UP = { username: "admin", password: PASSWORD };

interface World {
  /** Simulator of the console. Default: a fresh one. */
  readonly simulator?: SimulatorOptions;
  /** Attributes of the provider block that replace those for the simulator. */
  readonly provider?: () => Promise<Record<string, string>> | Record<string, string>;
}

/** Consoles that cannot be read. */
const FRESH: World = {};
const UNLICENSED: World = { simulator: { signedUp: SIGNED_UP } };
const REFUSED: World = {
  provider: async () => ({ base_url: `https://127.0.0.1:${await closedPort()}` }),
};
const UNRESOLVED: World = { provider: () => ({ base_url: "https://console.invalid:8083" }) };
const UNTRUSTED: World = { provider: () => ({ ca_certificate_file: "" }) };
const WRONG_PASSWORD: World = {
  simulator: { signedUp: { ...SIGNED_UP, password: "another" }, licensed: true },
};

let simulator: Simulator;
afterEach(() => simulator.close());

/** A terminal with one stack, with a bootstrap and a license or only with a policy. */
async function stackOf({ simulator: options, provider }: World, hasBootstrap: boolean) {
  simulator = await startSimulator(options);
  const directory = temporaryFolder();
  const stack = consoleStack(simulator);
  const [block] = (stack.provider as { cwp: Record<string, unknown>[] }).cwp;
  Object.assign(block ?? {}, await provider?.());
  if (block?.ca_certificate_file === "") delete block.ca_certificate_file;
  const resources = stack.resource as Record<string, Record<string, Record<string, unknown>>>;
  if (!hasBootstrap) {
    delete resources.cwp_bootstrap;
    delete resources.cwp_license;
    delete resources.cwp_compliance_policy_set?.policies?.depends_on;
  }
  writeStacks(directory, { main: stack });
  return async (...argv: string[]) => {
    const terminal = new TestTerminal({ directory, environment: SECRETS });
    const code = await terminal.run(...argv, "--out-dir", "cdktf.out");
    return { code, out: terminal.out, err: terminal.err };
  };
}

describe("with a bootstrap that is not in the state yet", () => {
  test.each([
    ["a fresh console, which answers 401, with one sentence", FRESH, "console that is not set up"],
    [
      "a console without a license, which answers 402, with a warning",
      UNLICENSED,
      "Warning: Console is not readable yet",
    ],
    ["a refused connection, with a warning", REFUSED, "Warning: Console is not readable yet"],
  ])("plans %s", async (_, world, text) => {
    const run = await stackOf(world, true);
    const { code, out, err } = await run("plan", "--detailed-exitcode");
    expect({ code, err }).toEqual({ code: 2, err: "" });
    expect(out).toContain("Plan: 3 to add, 0 to change, 0 to destroy.");
    expect(out.replaceAll(/\s+(# +)?/g, " ")).toContain(text);
  });

  test.each([
    ["a name that does not resolve", UNRESOLVED, "Console is not reachable"],
    ["an untrusted certificate", UNTRUSTED, "TLS connection refused"],
  ])("%s is an error", async (_, world, summary) => {
    const run = await stackOf(world, true);
    const { code, out, err } = await run("plan", "--detailed-exitcode");
    expect(code).toBe(1);
    expect(err).toContain(`Error: ${summary}\n`);
    expect(out).not.toContain("Plan:");
  });
});

describe("without a bootstrap", () => {
  test.each([
    ["a fresh console", FRESH, "Console refused the credentials"],
    ["a wrong password", WRONG_PASSWORD, "Console refused the credentials"],
    ["a missing license", UNLICENSED, "Console has no license"],
    ["a refused connection", REFUSED, "Console is not reachable"],
    ["a name that does not resolve", UNRESOLVED, "Console is not reachable"],
    ["an untrusted certificate", UNTRUSTED, "TLS connection refused"],
  ])("%s is an error", async (_, world, summary) => {
    const run = await stackOf(world, false);
    const { code, out, err } = await run("plan", "--detailed-exitcode");
    expect(code).toBe(1);
    expect(err).toContain(`Error: ${summary}\n`);
    expect(out).not.toContain("Plan:");
  });
});

test("a bootstrap in the state permits no blind plan", async () => {
  const run = await stackOf(FRESH, true);
  expect((await run("apply", "--auto-approve")).code).toBe(0);
  await simulator.consoles[0].console.reset();
  const { code, out, err } = await run("plan");
  expect(code).toBe(1);
  expect(err).toContain("Error: Console refused the credentials\n");
  expect(out).not.toContain("Plan:");
});

test.each([
  ["the record that it replaces", "run.jsonl", ["--run-log", "run.jsonl"]],
  ["the last record of its folder", "runs/", ["--run-log", "runs/"]],
])("%s permits no blind apply of a tenant without its state", async (_, log, options) => {
  simulator = await startSimulator({ tenants: 2 });
  const directory = temporaryFolder();
  const [known, fresh] = simulator.consoles.map((console) =>
    consoleStack({ ...simulator, consoles: [console] }),
  );
  writeStacks(directory, { known: { ...known } });
  const apply = async (...given: string[]) => {
    const terminal = new TestTerminal({ directory, environment: SECRETS });
    const code = await terminal.run("apply", "-y", "--out-dir", "cdktf.out", ...given);
    return { code, out: terminal.out, err: terminal.err };
  };
  expect((await apply("--run-log", log)).code).toBe(0);
  rmSync(join(directory, "terraform.known.tfstate"));
  await simulator.consoles[0].console.reset();
  writeStacks(directory, { known: { ...known }, fresh: { ...fresh } });
  const { code, out, err } = await apply(...options);
  expect(code).toBe(1);
  expect(err).toContain("Error: Console refused the credentials\n");
  expect(err).toMatch(/run\S*\.jsonl shows\s+that stack "known" was set up\s+before/);
  expect(out).toContain("Console refused the credentials (1): known");
  expect(out).toContain("Apply complete! Resources: 3 added");
  // So is the next one, although the last record has not applied it.
  if (log === "runs/") expect((await apply(...options)).code).toBe(1);
  // Another log knows nothing of it.
  expect((await apply("--run-log", "other.jsonl")).code).toBe(0);
});

test("consoles that cannot be read are one warning, with counts and names by cause", async () => {
  simulator = await startSimulator({ tenants: 4 });
  const directory = temporaryFolder();
  const [one, two, ...stopped] = simulator.consoles.map((console) =>
    consoleStack({ ...simulator, consoles: [console] }),
  );
  for (const { provider } of stopped) {
    const [block] = (provider as { cwp: Record<string, unknown>[] }).cwp;
    // Two addresses, so that the details of the warnings differ.
    Object.assign(block ?? {}, { base_url: `https://127.0.0.1:${await closedPort()}` });
  }
  const [three, four] = stopped;
  const five = { resource: { null_resource: { gate: {} } } };
  const stacks = { one: { ...one }, two: { ...two }, three: { ...three }, four: { ...four }, five };
  writeStacks(directory, stacks);
  const plan = async (...options: string[]) => {
    const terminal = new TestTerminal({ directory, environment: SECRETS });
    expect(await terminal.run("plan", "--out-dir", "cdktf.out", ...options)).toBe(0);
    return terminal.out;
  };
  const text = await plan("--review-json", "review.json", "--html", "review.html");
  const [, ...warnings] = text.split("\nWarning: ");
  expect(warnings).toHaveLength(1);
  expect(warnings[0]).toMatch(/^Consoles are not readable yet: 2 of 5\n/);
  expect(warnings[0]?.match(/^ {2}- .*$/gm)).toEqual(["  - 2 not responding (three, four)"]);
  const read = (name: string) => readFileSync(join(directory, name), "utf8");
  const review = JSON.parse(read("review.json")) as { stacks: { name: string; blind?: string }[] };
  expect(review.stacks.map(({ name, blind }) => [name, blind])).toEqual([
    ["one", "refused"],
    ["two", "refused"],
    ["three", "unreachable"],
    ["four", "unreachable"],
    ["five", undefined],
  ]);
  expect(read("review.html").match(/<tr class="stack"[^>]*data-blind="yes"/g)).toHaveLength(4);
  const lines = (await plan("--json")).trimEnd().split("\n");
  const messages = lines.map((line) => JSON.parse(line) as { type: string; blind?: unknown });
  expect(messages.filter(({ type }) => type === "blind_stacks").map(({ blind }) => blind)).toEqual([
    {
      total: 5,
      groups: [
        { cause: "refused", stacks: ["one", "two"] },
        { cause: "unreachable", stacks: ["three", "four"] },
      ],
    },
  ]);
});
