import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { createServer, type AddressInfo, type Server } from "node:net";
import { join } from "node:path";
import { startSimulator, type Simulator } from "../../src/simulator";
import { PASSWORD, policyStack, temporaryFolder, writeStacks, type StackJson } from "./stack-files";
import { TestTerminal } from "./test-terminal";

/* A saved plan sends credentials only to the destination that it was made for. */

const REFUSAL = "Credentials are not sealed for this destination";

let simulator: Simulator;
let directory: string;
/** A server that nothing may connect to. */
let other: Server;
let connections: number;

beforeEach(async () => {
  const signedUp = { username: "admin", password: PASSWORD };
  simulator = await startSimulator({ signedUp, licensed: true });
  directory = temporaryFolder();
  connections = 0;
  other = createServer((socket) => {
    connections++;
    socket.destroy();
  });
  await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
});
afterEach(async () => {
  await new Promise((resolve) => other.close(resolve));
  await simulator.close();
});

const elsewhere = () => `https://127.0.0.1:${(other.address() as AddressInfo).port}`;

/** The ways in which a provider gets its password. */
const WAYS = {
  variable: { environment: { TF_VAR_CONSOLE_PASSWORD: PASSWORD }, block: {} },
  environment: { environment: { CONSOLE_PASSWORD: PASSWORD }, block: { password: null } },
} as const;
type Way = keyof typeof WAYS;

function write(way: Way, settings: object = {}): void {
  const { provider, variable, resource, ...stack } = policyStack(simulator, [
    { name: "a", checks: { 41: true } },
  ]);
  const { cwp_compliance_policy_set: sets } = resource as Record<string, { policies: object }>;
  const { cwp: blocks } = provider as { readonly cwp: readonly object[] };
  const { CONSOLE_PASSWORD } = variable as StackJson;
  const block = { ...blocks[0], ...WAYS[way].block, ...settings };
  writeStacks(directory, {
    prod: {
      ...stack,
      provider: { cwp: [block] },
      ...(way === "variable" && { variable: { CONSOLE_PASSWORD } }),
      resource: { cwp_compliance_policy_set: { policies: { ...sets?.policies, depends_on: [] } } },
    },
  });
}

async function run(way: Way, argv: readonly string[], more: Record<string, string> = {}) {
  const environment = { ...WAYS[way].environment, ...more };
  const terminal = new TestTerminal({ directory, environment });
  const code = await terminal.run(...argv);
  return { code, out: terminal.out, err: terminal.err.replace(/\s+/g, " ") };
}
const plan = (way: Way, more?: Record<string, string>) =>
  run(way, ["plan", "--out", "p", "--out-dir", "cdktf.out"], more);

/** Changes the text of a plan file, and renews its checksum. */
function alter(change: (text: string) => string): void {
  const file = join(directory, "p");
  const [first = "", ...rest] = readFileSync(file, "utf8").split("\n");
  const body = change(rest.join("\n"));
  expect(body).not.toBe(rest.join("\n"));
  const header = {
    ...(JSON.parse(first) as object),
    bytes: Buffer.byteLength(body),
    sha256: createHash("sha256").update(body).digest("hex"),
  };
  writeFileSync(file, `${JSON.stringify(header)}\n${body}`);
}

describe.each(["variable", "environment"] as const)("with a password from the %s,", (way) => {
  test("a plan is applied to the console that it was made for", async () => {
    write(way);
    expect(await plan(way)).toMatchObject({ code: 0, err: "" });
    expect(await run(way, ["apply", "p"])).toMatchObject({ code: 0, err: "" });
    expect(readFileSync(join(directory, "p"), "utf8")).not.toContain(PASSWORD);
  });

  const url = () => simulator.consoles[0].url;
  test.each<[string, (text: string) => string]>([
    ["another address", (text) => text.replaceAll(url(), elsewhere())],
    [
      "another address and no seals",
      (text) =>
        text
          .replaceAll(url(), elsewhere())
          .replace(/^.*\n/, '{"seals":[],"providers":{"salt":"","seals":[]}}\n'),
    ],
    [
      "unverified TLS",
      (text) => text.replace('"base_url":', '"insecure_skip_verify":true,"base_url":'),
    ],
    ["no authorities", (text) => text.replace(/"ca_certificate_file":"[^"]*",/, "")],
    [
      "another setting of the provider",
      (text) => text.replace('"base_url":', '"max_retries":1,"base_url":'),
    ],
  ])("a plan with %s is refused before any connection", async (_, change) => {
    write(way);
    expect((await plan(way)).code).toBe(0);
    alter(change);
    const before = simulator.consoles[0].console.policies();
    const { code, err } = await run(way, ["apply", "p"]);
    expect(code).toBe(1);
    expect(err).toContain(REFUSAL);
    expect(connections).toBe(0);
    expect(simulator.consoles[0].console.policies()).toEqual(before);
  });
});

test("another address or other authorities in the environment are refused", async () => {
  write("environment", { base_url: null, ca_certificate_file: null });
  const here = { CONSOLE_URL: simulator.consoles[0].url, CONSOLE_CA_FILE: simulator.caFile };
  expect((await plan("environment", here)).code).toBe(0);
  const moved = await run("environment", ["apply", "p"], { ...here, CONSOLE_URL: elsewhere() });
  expect(moved.code).toBe(1);
  expect(moved.err).toContain(REFUSAL);
  expect(moved.err).toContain(elsewhere());
  const ca = join(directory, "ca.pem");
  writeFileSync(ca, `${readFileSync(simulator.caFile, "utf8")}\n`);
  const trusting = await run("environment", ["apply", "p"], { ...here, CONSOLE_CA_FILE: ca });
  expect(trusting.err).toContain(REFUSAL);
  const changed = await run("environment", ["apply", "p"], {
    ...here,
    CONSOLE_PASSWORD: "other-1",
  });
  expect(changed.err).toContain(REFUSAL);
  expect(connections).toBe(0);
  expect((await run("environment", ["apply", "p"], here)).code).toBe(0);
});
