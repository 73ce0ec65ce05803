import { startSimulator, type Simulator, type SimulatorOptions } from "../../src/simulator";
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
    ["a fresh console, which answers 401", FRESH],
    ["a console without a license, which answers 402", UNLICENSED],
    ["a refused connection", REFUSED],
  ])("%s is planned blind, with a warning", async (_, world) => {
    const run = await stackOf(world, true);
    const { code, out, err } = await run("plan", "--detailed-exitcode");
    expect({ code, err }).toEqual({ code: 2, err: "" });
    expect(out).toContain("Plan: 3 to add, 0 to change, 0 to destroy.");
    expect(out).toContain("Console is not readable yet");
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

test("consoles that cannot be read are one warning for each cause, with the names of stacks", async () => {
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
  writeStacks(directory, {
    one: { ...one },
    two: { ...two },
    three: { ...three },
    four: { ...four },
  });
  const terminal = new TestTerminal({ directory, environment: SECRETS });
  expect(await terminal.run("plan", "--out-dir", "cdktf.out")).toBe(0);
  const warnings = terminal.out.split("\nWarning: ").slice(1);
  const found = warnings.map((text) => [text.split("\n")[0], /^\d stacks: .*$/m.exec(text)?.[0]]);
  expect(found).toEqual([
    ["Console is not readable yet: it does not respond", "2 stacks: three, four"],
    ["Console is not readable yet: it refuses the credentials", "2 stacks: one, two"],
  ]);
});
