import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { startSimulator, type Simulator } from "../../src/simulator";
import { policyStack, SECRETS, temporaryFolder, writeStacks } from "./stack-files";
import { TestTerminal } from "./test-terminal";

let simulator: Simulator;
let directory: string;

beforeAll(async () => {
  simulator = await startSimulator({ tenants: 2 });
  directory = temporaryFolder();
});
afterAll(() => simulator.close());

async function run(...argv: readonly string[]) {
  const terminal = new TestTerminal({ directory, environment: SECRETS });
  const code = await terminal.run(...argv);
  return { code, out: terminal.out, err: terminal.err };
}

/** Two tenants with a policy of this name. */
function write(name: string): void {
  const stacks = simulator.consoles.map((console, index) => [
    `t${index}`,
    policyStack({ consoles: [console], caFile: simulator.caFile }, [
      { name, checks: { 41: true } },
    ]),
  ]);
  writeStacks(directory, Object.fromEntries(stacks) as Parameters<typeof writeStacks>[1]);
}

const apply = (...options: readonly string[]) =>
  run("apply", "--auto-approve", "--run-log", "runs/", "--out-dir", "cdktf.out", ...options);

const files = () => readdirSync(join(directory, "runs")).sort();

test("lists the runs of a folder, who ran them, how they ended and what was rolled back", async () => {
  write("a");
  expect((await apply()).code).toBe(0);
  write("b");
  expect((await apply()).code).toBe(0);
  const [, second = ""] = files();
  const rolledBack = await apply("--rollback", `runs/${second}`, "t0");
  expect(rolledBack).toMatchObject({ code: 0, err: "" });
  // A run that was killed has no result; other files are no runs.
  const third = files()[2] ?? "";
  const text = readFileSync(join(directory, "runs", second), "utf8");
  const killed = text.trimEnd().split("\n").slice(0, -1).join("\n");
  writeFileSync(join(directory, "runs/0-killed.jsonl"), `${killed}\n`);
  writeFileSync(join(directory, "runs/other.jsonl"), "[]\n");

  const { code, out } = await run("history", "runs");
  expect(code).toBe(0);
  const who = expect.stringMatching(
    /^ {2}\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ {2}(apply|rollback) of [12] stacks? by \S+@\S+$/,
  ) as string;
  const id = second.replace(".jsonl", "");
  const lines = out.trimEnd().split("\n");
  expect(lines.filter((line) => line.length > 80)).toEqual([]);
  const runs = out
    .trimEnd()
    .split(/\n(?=\S)/)
    .map((run) => run.split("\n"));
  expect(runs.sort()).toEqual(
    [
      ["0-killed.jsonl: unfinished, rolled back in part", who, "  t0, t1"],
      [`${files()[1]}: complete`, who, "  t0, t1"],
      [`${second}: complete, rolled back in part`, who, "  t0, t1"],
      [`${third}: complete`, who, `  Rolls back ${id}`, "  t0"],
    ].sort(),
  );

  const { out: json } = await run("history", "runs", "--json");
  const document = JSON.parse(json) as { format_version: string; runs: { file: string }[] };
  expect(document.format_version).toBe("1.0");
  expect(document.runs.find(({ file }) => file === second)).toMatchObject({
    id,
    operation: "apply",
    stacks: ["t0", "t1"],
    status: "complete",
    applied: 2,
    failed: 0,
    rolled_back: ["t0"],
  });
  expect(document.runs.find(({ file }) => file === third)).toMatchObject({ rolls_back: id });
});

test("cuts long lists of stacks", async () => {
  const [first = ""] = files().filter((file) => file !== "0-killed.jsonl");
  const text = readFileSync(join(directory, "runs", first), "utf8");
  const long = Array.from({ length: 40 }, (_, at) => `customer-of-the-second-region-${at}`);
  const stacks = text.replace('"stacks":["t0","t1"]', `"stacks":${JSON.stringify(long)}`);
  mkdirSync(join(directory, "wide"));
  writeFileSync(join(directory, "wide", first), stacks);
  const { out } = await run("history", "wide");
  expect(out.split("\n")[2]).toBe(`  ${long[0]}, ${long[1]} and 38 more`);
});

test("names a record that is damaged, and lists the others", async () => {
  const [first = ""] = files().filter((file) => file !== "0-killed.jsonl");
  const text = readFileSync(join(directory, "runs", first), "utf8");
  writeFileSync(join(directory, "runs/damaged.jsonl"), `${text}{"type":\n`);
  const { code, out, err } = await run("history", "runs");
  expect(code).toBe(1);
  expect(err).toMatch(/Error: Invalid run log\s+runs\/damaged\.jsonl, line \d+/);
  expect(out).toContain(first);
});

test("names a folder that cannot be read", async () => {
  const { code, err } = await run("history", "none");
  expect(code).toBe(1);
  expect(err).toContain("Folder cannot be read");
});

test("reports a folder without a record", async () => {
  mkdirSync(join(directory, "none"));
  writeFileSync(join(directory, "none", "other.jsonl"), '{"a": 1}\n');
  const { code, out } = await run("history", "none");
  expect({ code, out }).toEqual({
    code: 0,
    out: 'none has no record of a run. "apply --run-log FOLDER" writes one.\n',
  });
});
