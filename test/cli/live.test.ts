import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { ConsoleClient } from "../../src/api";
import { RELEASES } from "../../src/api/release";
import type { ObjectValue } from "../../src/core/values";
import { reviewSchema, type ProtectionDocument } from "../../src/review/json/review-schema";
import type { Simulator, SimulatorOptions } from "../../src/simulator";
import { pagesOf, startSimulator } from "../support/habitual-simulator";
import { protecting } from "../review/protection/sets";
import { PASSWORD, policyStack, SECRETS, temporaryFolder, writeStacks } from "./stack-files";
import { TestTerminal } from "./test-terminal";

const root = protecting("root", { namespaces: ["production"] }, "41", "599");
const rest = protecting("rest", {}, "~41");
const finance = { namespaces: ["prod*"], images: ["*/finance/*"] };
const exempt = protecting("exempt", finance, "41", "~599");
const OUT = ["--out-dir", "cdktf.out"];
const CONTAINERS = "/api/v1/containers";

let simulator: Simulator;
let directory: string;

afterEach(() => simulator.close());

async function start(options: SimulatorOptions = {}): Promise<void> {
  simulator = await startSimulator(options);
  directory = temporaryFolder();
}

async function run(...argv: string[]) {
  const terminal = new TestTerminal({ directory, environment: SECRETS });
  const code = await terminal.run(...argv, ...OUT);
  return { code, out: terminal.out, err: terminal.err };
}

/** Writes one stack for each console, with these policies. */
function write(policies: readonly ObjectValue[]): void {
  const stacks = simulator.consoles.map((console, index) => {
    const stack = policyStack({ ...simulator, consoles: [console] }, policies);
    return [`tenant-${index}`, { ...stack, output: {} }] as const;
  });
  writeStacks(directory, Object.fromEntries(stacks));
}

async function apply(policies: readonly ObjectValue[]): Promise<void> {
  write(policies);
  const { code, err } = await run("apply", "--auto-approve");
  expect({ code, err }).toEqual({ code: 0, err: "" });
}

/** The requests for containers to the first console, and the writes of policies. */
function sent() {
  const { requests } = simulator.consoles[0].console;
  return {
    containers: requests.filter(({ path }) => path.startsWith(CONTAINERS)),
    writes: requests.filter(({ method }) => method === "PUT"),
  };
}

/** The containers that the first console has in production and from images of finance. */
async function financeInProduction() {
  const client = new ConsoleClient({
    baseUrl: simulator.consoles[0].url,
    tls: { ca: readFileSync(simulator.caFile, "utf8") },
    credentials: { method: "token-login", username: "admin", password: PASSWORD },
  });
  const all = [];
  for await (const container of client.containers.list({})) all.push(container);
  await client.close();
  const found = all.filter(
    ({ info }) =>
      info?.namespace === "production" &&
      typeof info.image === "string" &&
      info.image.includes("/finance/"),
  );
  const failing = found.filter(({ info }) => info?.complianceIssues?.some(({ id }) => id === 599));
  return { all: all.length, running: found.length, failing: failing.length };
}

function groupIn(file: string) {
  const json: unknown = JSON.parse(readFileSync(join(directory, file), "utf8"));
  return reviewSchema.parse(json).groups[0]!;
}

function protectionIn(file: string): ProtectionDocument {
  const json: unknown = JSON.parse(readFileSync(join(directory, file), "utf8"));
  const [protection] = reviewSchema.parse(json).stacks[0]?.protection ?? [];
  return protection!;
}

test.each(RELEASES)(
  "release %s: counts the containers that lose a block",
  async (release) => {
    await start({ release });
    await apply([root, rest]);
    const expected = await financeInProduction();
    expect(expected.running).toBeGreaterThan(1);
    const before = sent();
    write([exempt, root, rest]);
    const { code, out, err } = await run("plan", "--live", "--review-json", "review.json");
    expect({ code, err }).toEqual({ code: 0, err: "" });
    const words = out.replaceAll(/\s+/g, " ");
    expect(words).toContain(
      `${expected.running} of ${expected.all} running containers lose the block of check 599 (Container runs as root): ${expected.running} in namespace production (k8s_`,
    );
    expect(words).toMatch(
      /Read \d+ running containers of https:\/\/127\.0\.0\.1:\d+ at 20\d\d-\d\d-\d\dT\d\d:\d\d:\d\dZ\./,
    );
    expect(words).toContain(`"exempt" ${expected.running} running containers for example image`);
    expect(words).toContain("nothing runs there for example");
    expect(out.split("\n").filter((line) => line.length > 80)).toEqual([]);
    const after = sent();
    expect(after.writes).toEqual(before.writes);
    const pages = after.containers.length - before.containers.length;
    expect(pages).toBe(pagesOf(expected.all));
    const { live, regions } = protectionIn("review.json");
    expect(live).toMatchObject({
      read: [{ console: simulator.consoles[0].url }],
      unread: [],
      running: expected.all,
      uncertain: 0,
      changes: [
        {
          change: "weaker",
          check: "599",
          title: "Container runs as root",
          before: "blocks",
          after: "alerts",
          running: expected.running,
          failing: expected.failing,
          namespaces: [{ namespace: "production", running: expected.running }],
        },
      ],
    });
    expect(regions[0]).toMatchObject({
      live: { consoles: 1, running: expected.running, uncertain: 0 },
      example: { namespace: "production" },
    });
    expect(regions[0]?.example?.image).toMatch(/^registry\.example\.com\/finance\//);
  },
  60_000,
);

test("writes what runs into all forms of a review", async () => {
  await start();
  await apply([root, rest]);
  write([exempt, root, rest]);
  const files = ["--html", "review.html", "--markdown", "review.md"];
  expect((await run("plan", "--live", ...files)).code).toBe(0);
  const html = readFileSync(join(directory, "review.html"), "utf8");
  const markdown = readFileSync(join(directory, "review.md"), "utf8");
  const sentence = /\d+ of \d+ running containers lose the block of check 599/;
  expect(html).toMatch(sentence);
  expect(html).toMatch(/running containers<|; \d+ running containers/);
  expect(markdown.slice(0, markdown.indexOf("| Stack"))).toMatch(sentence);
});

test("names a workload that runs where the gate refuses, and checks by the contract's titles", async () => {
  await start();
  await apply([root, rest]);
  const contract = "version: 1\ncheck_titles: { 599: runs as root }\n";
  writeFileSync(join(directory, "protection.yaml"), contract);
  write([exempt, root, rest]);
  const { code, out, err } = await run("plan", "--live", "--fail-on", "weaker");
  expect(code).toBe(3);
  expect(out.replaceAll(/\s+/g, " ")).toContain("lose the block of check 599 (runs as root):");
  expect(err.replaceAll(/[│\s]+/g, " ")).toMatch(
    /check 599 \(runs as root\) blocks -> alerts; .* For example image \S+\/finance\/\S+, container k8s_\S+, namespace production\./,
  );
});

test("does not count a container without a member that decides", async () => {
  await start();
  const account = protecting("account", { account_ids: ["210987654321"] }, "41");
  await apply([account]);
  write([{ ...account, checks: { "41": false } }]);
  const { out } = await run("plan", "--live", "--review-json", "review.json");
  const { live, regions } = protectionIn("review.json");
  const running = live?.changes[0]?.running ?? 0;
  expect(live?.missing).toEqual(["account_ids"]);
  expect(live?.uncertain).toBeGreaterThan(0);
  expect(running + (live?.uncertain ?? 0)).toBe(live?.running);
  expect(regions[0]?.live).toEqual({ consoles: 1, running, uncertain: live?.uncertain });
  expect(out.replaceAll(/\s+/g, " ")).toContain(
    `${live?.uncertain} of ${live?.running} running containers are uncertain: policies look at account ids, which their records do not have.`,
  );
});

test("says so if a console is new, or its containers cannot be read", async () => {
  await start({ faults: [{ target: "getContainers", outcome: { kind: "status", status: 403 } }] });
  write([root, rest]);
  const fresh = await run("plan", "--live");
  expect(fresh.code).toBe(0);
  const url = simulator.consoles[0].url;
  const unread = `The containers of ${url} are not known:`;
  expect(fresh.out.replaceAll(/\s+/g, " ")).toContain(`${unread} the console cannot be read yet.`);
  expect(sent().containers).toEqual([]);
  await apply([root, rest]);
  write([exempt, root, rest]);
  const refused = await run("plan", "--live");
  expect(refused.code).toBe(0);
  expect(refused.out.replaceAll(/\s+/g, " ")).toContain(`${unread} `);
  expect(refused.out).toContain("403");
});

test("says what it read and when among JSON lines, which have no review", async () => {
  await start();
  await apply([root, rest]);
  write([exempt, root, rest]);
  const { code, out } = await run("plan", "--live", "--json");
  expect(code).toBe(0);
  expect(out).toMatch(/"@message":"Read 350 running containers of https:\S+ at 20\S+Z\."/);
});

test("reads nothing if no policies change", async () => {
  await start();
  await apply([root, rest]);
  const { out } = await run("plan", "--live");
  expect(out).toContain("No plan changes container policies, so no containers were read.");
  expect(sent().containers).toEqual([]);
});

test("counts the consoles of stacks that change alike", async () => {
  await start({
    tenants: 3,
    faults: [
      { target: "getContainers", tenant: "tenant-0003", outcome: { kind: "status", status: 403 } },
    ],
  });
  await apply([root, rest]);
  write([exempt, root, rest]);
  const { out, err } = await run("plan", "--live", "--review-json", "review.json");
  expect(err).toBe("");
  const words = out.replaceAll(/\s+/g, " ");
  expect(words).toContain("All 3 stacks: tenant-0, tenant-1, tenant-2");
  const { counts, ...group } = groupIn("review.json");
  expect(counts.change).toBe(1);
  expect(group).toMatchObject({ stacks: ["tenant-0", "tenant-1", "tenant-2"], weaker: 1 });
  const [{ live, regions } = {}] = group.protection;
  const { running = 0 } = live?.changes[0] ?? {};
  expect(regions?.[0]?.live).toEqual({ consoles: 2, running, uncertain: 0 });
  expect(live?.unread).toMatchObject([{ console: simulator.consoles[2]?.url }]);
  expect(words).toContain(`${running} of ${live?.running} running containers lose the block`);
  expect(words).toContain("2 of 2 consoles run a workload there");
  expect(words).toContain("nothing runs there on 2 consoles");
  expect(words).toMatch(/Read \d+ running containers of 2 consoles, from 20\S+Z to 20\S+Z\./);
  expect(words).toContain(`The containers of ${simulator.consoles[2]?.url} are not known: `);
}, 60_000);

test("an interrupt ends the reading, and the plan with it", async () => {
  await start({ faults: [{ target: "getContainers", delay: 600_000, skip: 1 }] });
  await apply([root, rest]);
  write([exempt, root, rest]);
  const terminal = new TestTerminal({ directory, environment: SECRETS });
  const ended = terminal.run("plan", "--live", ...OUT);
  // The first page was read, and the second one does not arrive.
  while (sent().containers.length === 0) await setTimeout(10);
  terminal.interrupt();
  expect(await ended).toBe(130);
  expect(terminal.out).toContain("Planning was interrupted. Nothing was changed.");
  expect(terminal.err).not.toContain("Error:");
}, 60_000);
