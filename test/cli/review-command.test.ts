import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { reviewSchema } from "../../src/review/json/review-schema";
import { startSimulator, type Simulator } from "../../src/simulator";
import type { ObjectValue } from "../../src/core/values";
import { SET } from "../review/protection/sets";
import { consoleStack, SECRETS, temporaryFolder, writeStacks, type StackJson } from "./stack-files";
import { TestTerminal } from "./test-terminal";

const ADDRESS = "cwp_compliance_policy_set.policies";

let simulator: Simulator;
let directory: string;

/** The plan that weakens, and the one that does not, in files. */
beforeAll(async () => {
  simulator = await startSimulator();
  directory = temporaryFolder();
  write(SET);
  await run("apply", "--out-dir", "cdktf.out", "--auto-approve");
  for (const [name, policies] of [
    ["same", SET],
    ["weaker", SET.slice(1)],
  ] as const) {
    write(policies);
    await run("plan", "--out-dir", "cdktf.out", "--out", "saved.plan");
    const { out } = await run("show", "saved.plan", "--json");
    writeFileSync(join(directory, `${name}.json`), out);
  }
});
afterAll(() => simulator.close());

function write(policies: readonly ObjectValue[]): void {
  const { resource, ...stack } = consoleStack(simulator);
  const set = { policies: { policies, depends_on: ["cwp_license.license"] } };
  const resources = { ...(resource as StackJson), cwp_compliance_policy_set: set };
  writeStacks(directory, { prod: { ...stack, resource: resources } });
}

async function run(...argv: string[]) {
  const terminal = new TestTerminal({
    directory,
    environment: SECRETS,
    input: readInput(),
  });
  const code = await terminal.run(...argv);
  return { code, out: terminal.out, err: terminal.err };
}

function readInput(): string {
  try {
    return readFileSync(join(directory, "weaker.json"), "utf8");
  } catch {
    return "";
  }
}

test("shows the plan of one file", async () => {
  const { code, out, err } = await run("review", "weaker.json");
  expect({ code, err }).toEqual({ code: 0, err: "" });
  expect(out).toContain("Protection: 2 weaker");
  expect(out).toContain("Plan: 0 to add, 1 to change, 0 to destroy.");
});

test("groups the plans of several files, named after them", async () => {
  writeFileSync(join(directory, "other.json"), readFileSync(join(directory, "weaker.json")));
  const { code, out } = await run("review", "same.json", "weaker.json", "other.json");
  expect(code).toBe(0);
  expect(out).toContain("2 of 3 stacks: weaker, other");
  expect(out).toContain("Total of 3 stacks:");
});

test("shows the titles that a contract gives to checks, in every format", async () => {
  const title = "container runs as root";
  const contract = join(directory, "titles.yaml");
  writeFileSync(contract, `version: 1\ncheck_titles: { 599: ${title} }\n`);
  const argv = ["review", "weaker.json", "--contract", "titles.yaml"];
  const { out } = await run(...argv, "--html", "titles.html", "--markdown", "titles.md");
  expect(out).toContain("  - check 599 (container runs as root) blocks -> not checked\n");
  expect(readFileSync(join(directory, "titles.html"), "utf8")).toContain(`599 (${title})`);
  const markdown = readFileSync(join(directory, "titles.md"), "utf8");
  expect(markdown).toContain(`599 (${title})`);
  const document = await run(...argv, "--json");
  const [stack] = reviewSchema.strict().parse(JSON.parse(document.out)).stacks;
  const checks = stack!.protection.flatMap(({ regions }) => regions).flatMap((one) => one.checks);
  const titled = checks.filter((check) => check.title !== undefined);
  expect(new Set(titled.map(({ id, title: shown }) => `${id} ${shown ?? ""}`))).toEqual(
    new Set([`599 ${title}`]),
  );
});

test("shows the digest of an effect in every format", async () => {
  const { out } = await run("review", "weaker.json", "--html", "d.html", "--markdown", "d.md");
  const [, digest = ""] = /# \(digest ([0-9a-f]{12}), for --allow-weaker/.exec(out) ?? [];
  const allowed = ["--fail-on", "weaker", "--allow-weaker", `weaker@${digest}`];
  expect((await run("review", "weaker.json", ...allowed)).code).toBe(0);
  for (const file of ["d.html", "d.md"]) {
    expect(readFileSync(join(directory, file), "utf8")).toContain(`digest ${digest}`);
  }
  const document = await run("review", "weaker.json", "--json");
  const [stack] = reviewSchema.parse(JSON.parse(document.out)).stacks;
  expect(stack!.protection).toMatchObject([{ digest }]);
});

test("says of 150 like tenants once what holds for each of them", async () => {
  const plan: unknown = JSON.parse(readFileSync(join(directory, "weaker.json"), "utf8"));
  const names = Array.from({ length: 150 }, (_, index) => `tenant-${index}`);
  const stacks = Object.fromEntries(names.map((name) => [name, plan]));
  const document = { format_version: "1.0", stacks };
  writeFileSync(join(directory, "fleet.json"), JSON.stringify(document));
  const requirement = "{ name: root, where: { namespaces: [prod-*] }, checks: { 599: block } }";
  writeFileSync(join(directory, "fleet.yaml"), `version: 1\nrequire: [${requirement}]\n`);
  const { code, out, err } = await run(
    ...["review", "fleet.json", "--contract", "fleet.yaml", "--fail-on", "weaker"],
    ...["--html", "fleet.html", "--markdown", "fleet.md"],
  );
  expect(code).toBe(1);
  expect(err.match(/Requirement is violated/g)).toHaveLength(1);
  expect(err.match(/Protection gets weaker/g)).toHaveLength(1);
  expect(err.split("\n").length).toBeLessThan(40);
  expect(err).toContain("and 130 more");
  expect(out).toMatch(/^\nProtection: 300 weaker, 300 stronger\n\nAll 150 stacks: tenant-0, /);
  expect(out).toContain("to destroy. Protection: 300 weaker, 300 stronger.\n");
  expect(out.split("\n").length).toBeLessThan(60);
  const html = readFileSync(join(directory, "fleet.html"), "utf8");
  expect(html.match(/<section class="stack"/g)).toHaveLength(1);
  expect(html.match(/href="#stack-1-change-1"/g)).toHaveLength(1);
  expect(html.indexOf('<section class="stack"')).toBeLessThan(html.indexOf("<table>"));
  expect(readFileSync(join(directory, "fleet.md"), "utf8").split("\n").length).toBeLessThan(80);
});

test("names files of the same name by their folders too", async () => {
  const { out } = await run("review", "./weaker.json", `${directory}/weaker.json`, "--json");
  const names = reviewSchema.parse(JSON.parse(out)).stacks.map(({ name }) => name);
  expect(names).toEqual(["./weaker", join(directory, "weaker")]);
});

test("reads standard input", async () => {
  const { out } = await run("review", "-");
  expect(out).toContain("Protection: 2 weaker");
});

test("writes every format", async () => {
  const { code, out } = await run(
    ...["review", "weaker.json", "--html", "review.html", "--markdown", "review.md", "--json"],
  );
  expect(code).toBe(0);
  const document = reviewSchema.strict().parse(JSON.parse(out));
  expect(document.stacks).toMatchObject([
    { name: "weaker", console: simulator.consoles[0].url, protection: [{ weaker: 2 }] },
  ]);
  for (const file of ["review.html", "review.md"]) {
    expect(readFileSync(join(directory, file), "utf8")).toContain("weaker");
  }
});

test("--fail-on weaker exits with 3, unless it is allowed", async () => {
  const refused = await run("review", "weaker.json", "--fail-on", "weaker");
  expect(refused.code).toBe(3);
  expect(refused.err).toContain("Error: Protection gets weaker");
  expect((await run("review", "same.json", "--fail-on", "weaker")).code).toBe(0);
  for (const name of ["weaker", ADDRESS]) {
    const argv = ["review", "weaker.json", "--fail-on", "weaker", "--allow-weaker", name];
    expect((await run(...argv)).code).toBe(0);
  }
});

test.each(["utf16le", "utf16be"])("reads a file in %s, as PowerShell writes", async (encoding) => {
  const text = readFileSync(join(directory, "weaker.json"), "utf8");
  const bytes = Buffer.from(`\uFEFF${text.replaceAll("\n", "\r\n")}`, "utf16le");
  const isBig = encoding === "utf16be";
  writeFileSync(join(directory, "shell.json"), isBig ? bytes.swap16() : bytes);
  const { code, out } = await run("review", "shell.json");
  expect({ code, isWeaker: out.includes("Protection: 2 weaker") }).toEqual({
    code: 0,
    isWeaker: true,
  });
});

test.each([
  ["missing.json", undefined, /File cannot be read\n\nmissing\.json: no such file/],
  ["empty.json", "", /empty\.json: The file is empty/],
  ["text.json", "Plan: 1 to add", /not the JSON of a plan/],
  ["list.json", "[1]", /not the JSON of a plan/],
  ["state.json", '{"format_version":"1.0","values":{}}', /not the JSON of a plan/],
  ["stream.json", '{"@level":"info"}\n{"@level":"info"}', /messages of "terraform\s+plan -json"/],
  ["new.json", '{"format_version":"2.0","planned_values":{}}', /format_version 2\.0/],
  ["binary.plan", "PK\u0003\u0004", /terraform\s+show -json binary\.plan/],
  ["saved.plan", undefined, /cdktf-console\s+show\s+--json saved\.plan/],
])("refuses %s with advice", async (file, text, message) => {
  if (text !== undefined) writeFileSync(join(directory, file), text);
  const { code, out, err } = await run("review", "same.json", file);
  expect({ code, out }).toEqual({ code: 1, out: "" });
  expect(err).toMatch(message);
});

test("handles signals and timers while it reads many plans", async () => {
  const plan = '{"format_version":"1.2","planned_values":{},"resource_changes":[]}';
  const files = Array.from({ length: 200 }, (_, index) => `many-${index}.json`);
  for (const file of files) writeFileSync(join(directory, file), plan);
  let turns = 0;
  const timer = setInterval(() => (turns += 1), 0);
  const { code, out } = await run("review", ...files);
  clearInterval(timer);
  expect(code).toBe(0);
  expect(out).toContain("All 200 stacks");
  expect(turns).toBeGreaterThan(1);
});
