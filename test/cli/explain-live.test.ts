import type { ObjectValue } from "../../src/core/values";
import type { Simulator } from "../../src/simulator";
import { pagesOf, startSimulator } from "../support/habitual-simulator";
import { protecting } from "../review/protection/sets";
import { policyStack, SECRETS, temporaryFolder, writeStacks } from "./stack-files";
import { consoleEnvironment } from "../support/console-environment";
import { TestTerminal } from "./test-terminal";

const root = protecting("root", { namespaces: ["production"] }, "599");
const exempt = protecting("exempt", { images: ["*/finance/*"] }, "~599");
const account = protecting("account", { account_ids: ["210987654321"] }, "41");

let simulator: Simulator;
let directory: string;

beforeEach(async () => {
  simulator = await startSimulator();
  directory = temporaryFolder();
});
afterEach(() => simulator.close());

function write(policies: readonly ObjectValue[]): void {
  writeStacks(directory, { prod: policyStack(simulator, policies) });
}

async function run(...argv: string[]) {
  const environment = { ...SECRETS, ...consoleEnvironment(simulator) };
  const terminal = new TestTerminal({ directory, environment });
  const code = await terminal.run(...argv);
  return { code, out: terminal.out, err: terminal.err };
}

const OUT = ["--out-dir", "cdktf.out"];

async function apply(policies: readonly ObjectValue[]): Promise<void> {
  write(policies);
  expect((await run("apply", ...OUT, "--auto-approve")).code).toBe(0);
}

interface Live {
  readonly running: number;
  readonly matching: number;
  readonly uncertain: number;
  readonly now: { readonly decisions: readonly ObjectValue[]; readonly uncertain: number };
  readonly planned?: Live["now"];
}

function liveIn(out: string): Live {
  return (JSON.parse(out) as { readonly live: Live }).live;
}

const requests = () =>
  simulator.consoles[0].console.requests.filter(({ path }) => path === "/api/v1/containers");

test("counts the containers of a query by their policies, now and after the plan", async () => {
  await apply([root]);
  write([exempt, root]);
  const given = ["--namespace", "Production", "--live"];
  const { code, out, err } = await run("explain", "prod", ...OUT, ...given);
  expect({ code, err }).toEqual({ code: 0, err: "" });
  const read = requests().length;
  const live = liveIn((await run("explain", "prod", ...OUT, ...given, "--json")).out);
  // Each command reads the containers once, for both sides.
  expect([read, requests().length]).toEqual([pagesOf(live.running), 2 * pagesOf(live.running)]);
  const [now, after] = [live.now.decisions, live.planned?.decisions ?? []];
  expect(now).toEqual([{ policy: "root", position: 1, running: live.matching }]);
  expect(after).toMatchObject([
    { policy: "exempt", position: 1 },
    { policy: "root", position: 2 },
  ]);
  expect(after.reduce((sum, { running }) => sum + Number(running), 0)).toBe(live.matching);
  const text = out.slice(out.indexOf("Running containers:"));
  expect(text).toContain(`  ${live.matching} of ${live.running} match.\n`);
  expect(text).toContain(`  On the console now:\n    ${live.matching} by policy 1 ("root")\n`);
  expect(text).toContain(
    `  After the plan:\n    ${Number(after[0]?.running)} by policy 1 ("exempt")\n`,
  );
  expect(text).toMatch(/ {2}Read \d+ running containers of https:/);
  expect(out.split("\n").filter((line) => line.length > 80)).toEqual([]);
});

test("does not count containers without a member that decides or is asked for", async () => {
  await apply([account]);
  const all = liveIn((await run("explain", "--console", "--live", "--json")).out);
  expect(all.matching).toBe(all.running);
  expect(all.now.uncertain).toBeGreaterThan(0);
  const [first, ...others] = all.now.decisions;
  expect(others).toEqual([]);
  expect(Number(first?.running) + all.now.uncertain).toBe(all.running);
  const asked = ["--account-id", "210987654321"];
  const some = liveIn((await run("explain", "--console", "--live", "--json", ...asked)).out);
  expect(some).toMatchObject({ matching: first?.running, uncertain: all.now.uncertain });
  const { out } = await run("explain", "--console", "--live", ...asked);
  expect(out).toContain(`${some.matching} of ${some.running} match, ${some.uncertain} may match.`);
});

test("says so if the console of a stack is new", async () => {
  write([root]);
  const { code, out } = await run("explain", "prod", ...OUT, "--live");
  expect(code).toBe(0);
  expect(out.replaceAll(/\s+/g, " ")).toContain("are not known: the console cannot be read yet.");
  expect(requests()).toEqual([]);
});
