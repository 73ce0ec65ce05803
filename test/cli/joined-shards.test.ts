import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { startSimulator, type Simulator } from "../../src/simulator";
import { policyStack, SECRETS, temporaryFolder, writeStacks } from "./stack-files";
import { TestTerminal } from "./test-terminal";

let simulator: Simulator;
let directory: string;

afterEach(() => simulator.close());
beforeEach(async () => {
  simulator = await startSimulator({ tenants: 6 });
  directory = temporaryFolder();
  write("a");
});

function write(name: string): void {
  const stacks = simulator.consoles.map((console, index) => [
    `t${index}`,
    policyStack({ consoles: [console], caFile: simulator.caFile }, [
      { name, checks: { 41: true } },
    ]),
  ]);
  writeStacks(directory, Object.fromEntries(stacks) as Parameters<typeof writeStacks>[1]);
}

async function run(line: string) {
  const terminal = new TestTerminal({ directory, environment: SECRETS });
  const code = await terminal.run(...line.split(" ").filter((word) => word !== ""));
  return { code, out: terminal.out, err: terminal.err };
}

const shard = (part: string, more = "--run-id night-1") =>
  run(`apply -y --out-dir cdktf.out --run-log runs ${more} --shard ${part}`);

test("the records of shards are one run in the history, which one command rolls back", async () => {
  expect(await shard("1/2")).toMatchObject({ code: 0, err: "" });
  const half = await run("history runs");
  expect(half.out).toMatch(/^night-1\.1-of-2\.jsonl: unfinished\n(.*\n)* {2}1 of 2 shards$/m);
  for (const record of ["runs", "runs/night-1.1-of-2.jsonl"]) {
    const part = await run(`plan --out-dir cdktf.out --rollback ${record}`);
    expect(part.out + part.err).toMatch(
      /Shards are missing\n\n\S+ has 1 of the 2 shards of the\s+run/,
    );
  }
  expect(await shard("2/2")).toMatchObject({ code: 0, err: "" });
  expect(readdirSync(join(directory, "runs"))).toEqual([
    "night-1.1-of-2.jsonl",
    "night-1.2-of-2.jsonl",
  ]);
  const whole = await run("history runs");
  expect(whole.out).toMatch(/^night-1\.1-of-2\.jsonl: complete\n {2}\S+ {2}apply of 6 stacks/);
  const json = JSON.parse((await run("history runs --json")).out) as { runs: object[] };
  expect(json.runs).toMatchObject([{ id: "night-1", shards: 2, applied: 6, status: "complete" }]);

  const back = await run("apply -y --out-dir cdktf.out --rollback runs");
  expect(back).toMatchObject({ code: 0, err: "" });
  expect(back.out).toMatch(/Rolling back the apply night-1 by \S+: 6 of 6 stacks/);
});

test("a used ID is refused", async () => {
  expect((await shard("1/2")).code).toBe(0);
  const again = await shard("1/2");
  expect(again.code).toBe(1);
  expect(again.err).toMatch(/Run ID is used\n\nThere is a record of the run "night-1" already/);
});

test.each([
  [
    "their apps differ",
    async () => {
      write("b");
      return shard("2/2");
    },
  ],
  ["their numbers of shards differ", () => shard("2/3")],
  [
    "not all of them are shards",
    () => run("apply -y t0 --out-dir cdktf.out --run-log runs/one.jsonl --run-id night-1"),
  ],
  [
    "more than one of them has the stack",
    async () => {
      const done = await shard("2/2", "--run-id night-2");
      const text = readFileSync(join(directory, "runs/night-1.1-of-2.jsonl"), "utf8");
      writeFileSync(join(directory, "runs/copy.jsonl"), text);
      return done;
    },
  ],
])("records are refused by name if %s", async (problem, second) => {
  expect((await shard("1/2")).code).toBe(0);
  expect((await second()).code).toBe(0);
  const { code, err } = await run("history runs");
  expect(code).toBe(1);
  expect(err.replace(/\s+/g, " ")).toContain('have the ID "night-1", but ' + problem);
  expect(err).toContain("night-1.1-of-2.jsonl");
});

test("a folder of several runs cannot be rolled back", async () => {
  await shard("1/1", "");
  write("b");
  await shard("1/1", "");
  const { code, err } = await run("apply -y --out-dir cdktf.out --rollback runs");
  expect(code).toBe(1);
  expect(err).toMatch(/Folder does not have one run\n\nruns has the records of 2 runs/);
});
