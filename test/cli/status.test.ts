import { readdirSync, readFileSync, writeFileSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { statusSchema } from "../../src/review/status/status-schema";
import { startSimulator, type Simulator } from "../../src/simulator";
import { startSecondConsole } from "../second-console";
import { policyStack, SECRETS, temporaryFolder, writeStacks } from "./stack-files";
import { TestTerminal } from "./test-terminal";

let simulator: Simulator;
let directory: string;

beforeAll(async () => {
  simulator = await startSimulator({
    tenants: 4,
    signedUp: { username: "admin", password: "correct-horse-battery" },
    licensed: true,
  });
});
afterAll(() => simulator.close());

async function run(line: string, environment: Readonly<Record<string, string>> = SECRETS) {
  const terminal = new TestTerminal({ directory, environment });
  const code = await terminal.run(...line.split(" "));
  return { code, out: terminal.out, err: terminal.err };
}

const status = (more = "") => run(`status --out-dir cdktf.out${more === "" ? "" : ` ${more}`}`);

function write(checks: Record<string, boolean> = { 41: true }): void {
  const stacks = simulator.consoles.map((console, index) => [
    `t${index}`,
    {
      ...policyStack({ consoles: [console], caFile: simulator.caFile }, [{ name: "rest", checks }]),
      "//": { labels: { ring: index === 0 ? "canary" : "wide" } },
    },
  ]);
  writeStacks(directory, Object.fromEntries(stacks) as Parameters<typeof writeStacks>[1]);
}

beforeEach(async () => {
  directory = temporaryFolder();
  write();
  const applied = await run("apply -y --out-dir cdktf.out");
  expect(applied).toMatchObject({ code: 0 });
});

const states = () =>
  readdirSync(directory, { recursive: true })
    .map(String)
    .filter((name) => name.includes("tfstate"))
    .sort();

test("a quiet estate is one line, without a lock and without a written state", async () => {
  const before = states().map((name) => readFileSync(join(directory, name), "utf8"));
  expect(await status()).toEqual({ code: 0, out: "Quiet: 4 stacks.\n", err: "" });
  expect(states().map((name) => readFileSync(join(directory, name), "utf8"))).toEqual(before);
});

test("shows the worst first, one line for alike tenants, and exits by the worst", async () => {
  write({ 41: true, 599: true });
  const weaker = await status();
  expect(weaker.code).toBe(3);
  const lines = weaker.out.trimEnd().split("\n");
  expect(lines[0]).toBe("4 of 4 stacks need a person.");
  expect(lines[1]).toMatch(
    /^ {2}Weaker than declared: cwp_compliance_policy_set\.\w+ protects less than declared: 1 effect not applied \(4\): t0, t1, t2, t3$/,
  );
  const json = await status("--json --label ring=wide");
  expect(json.code).toBe(3);
  const document = statusSchema.parse(JSON.parse(json.out));
  expect(document).toMatchObject({
    total: 3,
    quiet: 0,
    counts: { weaker: 3 },
    exit_code: 3,
    stacks: [{ name: "t1", worst: "weaker", labels: { ring: "wide" } }, {}, {}],
  });
});

test("a console that does not answer is not readable", async () => {
  const { faults } = simulator.consoles[1]?.console ?? {};
  faults?.add({ target: "*", outcome: { kind: "status", status: 500 } });
  const { code, out } = await status();
  faults?.clear();
  expect(out).toMatch(/Not readable: .* \(1\): t1/);
  expect(code).toBe(1);
});

test("a console that accepts nothing, and asks to wait longer than a look does, is not readable", async () => {
  const { faults } = simulator.consoles[1]?.console ?? {};
  faults?.add({ target: "*", outcome: { kind: "status", status: 429, retryAfter: "60" } });
  const { code, out } = await status();
  faults?.clear();
  expect(out).toMatch(/Not readable: .* \(1\): t1/);
  expect(code).toBe(1);
});

test("writes a page for a wall and Markdown, with the trend of earlier documents", async () => {
  mkdirSync(join(directory, "trend"));
  writeFileSync(join(directory, "trend/1.json"), (await status("--json")).out);
  writeFileSync(join(directory, "trend/other.json"), "{}");
  write({ 41: true, 599: true });
  const { code, out } = await status("--html wall.html --markdown status.md --trend trend t0");
  expect(code).toBe(3);
  expect(out).toMatch(/On \d{4}-\d\d-\d\d \d\d:\d\d UTC: 0 of 4\./);
  const page = readFileSync(join(directory, "wall.html"), "utf8");
  expect(page).toContain("<h2>Stacks by ring</h2>");
  expect(page).toContain("Stacks that need a person: 0, 1");
  expect(page).not.toContain("<script");
  const markdown = readFileSync(join(directory, "status.md"), "utf8");
  expect(markdown).toMatch(/^### 1 of 1 stack needs a person\.\n/);
  expect(markdown).toContain("| Weaker than declared | <code>");
});

test("shows waivers that end soon", async () => {
  const soon = new Date(Date.now() + 5 * 86_400_000).toISOString().slice(0, 10);
  writeFileSync(
    join(directory, "protection.yaml"),
    `version: 1\nwaivers:\n  - { owner: ann, reason: migration, expires: ${soon}, checks: { "41": { from: block, to: none } }, where: { namespaces: [old] } }\n`,
  );
  const { out, code } = await status();
  expect(out).toMatch(
    /Waiver: protection\.yaml:\d+: the waiver of ann ends on \d{4}-\d\d-\d\d, in \d days/,
  );
  expect(code).toBe(2);
  expect((await status("--within 2")).code).toBe(0);
});

test.each([
  ["soon", 12.5, /^ {2}License ends: The license ends on [\d-]{10}, in 12 days \(1\): app$/m, 2],
  ["today", 0.5, /The license ends on [\d-]{10}, in less than a day/, 2],
  ["past", -1.5, /The license ended on [\d-]{10}/, 2],
  ["later", 90, /^Quiet/, 0],
] as const)("a license that ends %s", async (_name, days, expected, exit) => {
  const expires = new Date(Date.now() + days * 86_400_000).toISOString();
  const served = await startSecondConsole();
  const { documents } = served.content();
  documents["settings/license"] = { expiration_date: expires };
  const resource = { cwp_license: { main: { key: "${var.KEY}" } } };
  const variable = { KEY: { type: "string", sensitive: true, ephemeral: true } };
  writeStacks(directory, { app: { provider: { cwp: [{}] }, variable, resource } });
  const environment = { ...served.environment, KEY: "license-key-of-high-entropy" };
  await run("apply -y --out-dir cdktf.out", environment);
  const { out, code } = await run("status --out-dir cdktf.out", environment);
  await served.close();
  expect(out).toMatch(expected);
  expect(code).toBe(exit);
});

test("sends at most the requests of a plan without changes", async () => {
  const count = async (line: string) => {
    const before = simulator.consoles.reduce(
      (sum, { console }) => sum + console.requests.length,
      0,
    );
    await run(line);
    return (
      simulator.consoles.reduce((sum, { console }) => sum + console.requests.length, 0) - before
    );
  };
  const plan = await count("plan --out-dir cdktf.out");
  expect(await count("status --out-dir cdktf.out")).toBeLessThanOrEqual(plan);
});

test("reads what runs with --live", async () => {
  const { out, code } = await status("--live");
  expect([0, 2]).toContain(code);
  expect(out).not.toContain("Not readable");
  const outcome = { kind: "status", status: 403 } as const;
  simulator.consoles[1]?.console.faults.add({ target: "GET /api/v1/containers", outcome });
  const partly = await status("--live");
  expect(partly.out).toContain("Not readable: The running containers cannot be read (1): t1");
  expect(partly.code).toBe(1);
  simulator.consoles[1]?.console.faults.clear();
});
