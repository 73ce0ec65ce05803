import { spawn } from "node:child_process";
import { mkdirSync, readdirSync, utimesSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { temporaryFolder, writeStacks } from "./stack-files";
import { TestTerminal } from "./test-terminal";

let directory: string;

beforeEach(() => {
  directory = temporaryFolder();
  const stack = { resource: { null_resource: { a: {} } } };
  writeStacks(directory, { t0: stack, t1: stack, t2: stack });
});

async function run(line: string, given: object = {}) {
  const terminal = new TestTerminal({ directory, environment: {}, ...given });
  const code = await terminal.run(...line.split(" "), "--out-dir", "cdktf.out");
  return { code, out: terminal.out, err: terminal.err };
}

/** A lock that a run on another machine has left. */
function lock(stack: string, run: string, who = "ann@elsewhere", pid = 999_999): void {
  const state = join(directory, `terraform.${stack}.tfstate`);
  const holder = {
    ID: `00000000-0000-4000-8000-00000000000${stack.slice(1)}`,
    Operation: "apply",
    Info: `run ${run}, process ${pid}`,
    Who: who,
    Version: "",
    Created: "2026-11-28T01:00:00.000Z",
    Path: state,
    Process: { host: who.slice(who.indexOf("@") + 1), pid, machine: "other" },
  };
  writeFileSync(`${state}.lock`, JSON.stringify(holder));
}

const locked = async () => {
  const { out } = await run("stacks --json");
  const { stacks } = JSON.parse(out) as { stacks: { name: string; lock: object | null }[] };
  return stacks.flatMap(({ name, lock: held }) => (held ? [name] : []));
};

beforeEach(() => {
  lock("t0", "night-1");
  lock("t1", "night-1");
  lock("t2", "day-1");
});

test("releases all locks of a run after one question, and no others", async () => {
  expect(await locked()).toEqual(["t0", "t1", "t2"]);
  const { code, out, err } = await run("force-unlock --run night-1", { answers: ["yes"] });
  expect({ code, err }).toEqual({ code: 0, err: "" });
  expect(out.match(/Do you really want to .*\?/g)).toEqual([
    "Do you really want to force-unlock 2 stacks?",
  ]);
  expect(out).toContain("Released the locks of 2 stacks.");
  expect(await locked()).toEqual(["t2"]);
});

test("is named by the error of a run that finds a lock of another machine, also to resume that run", async () => {
  const apply = "apply --auto-approve --run-log runs/";
  const advice =
    /"cdktf-console\s+force-unlock\s+--run\s+night-1\s+--out-dir\s+cdktf\.out"\s+releases\s+all\s+locks\s+of\s+that\s+run\./;
  expect((await run(apply)).err).toMatch(advice);
  const [record = ""] = readdirSync(join(directory, "runs"));
  const resumed = await run(`${apply} --resume runs/${record}`);
  expect({ ...resumed, out: "" }).toMatchObject({
    code: 1,
    err: expect.stringMatching(advice) as string,
  });
});

test("needs an answer or --force", async () => {
  const refused = await run("force-unlock --run night-1");
  expect(refused.code).toBe(1);
  expect(refused.err).toContain("No answer");
  expect(await locked()).toEqual(["t0", "t1", "t2"]);
  expect((await run("force-unlock --run night-1 --force")).code).toBe(0);
  expect(await locked()).toEqual(["t2"]);
});

test("refuses a run whose record has grown within ten minutes", async () => {
  mkdirSync(join(directory, "runs"));
  const record = join(directory, "runs/night-1.1-of-2.jsonl");
  writeFileSync(record, "");
  const refused = await run("force-unlock --run night-1 --force");
  expect(refused.code).toBe(1);
  expect(refused.err).toMatch(
    /The run night-1 may be running\n\nruns\/night-1\.1-of-2\.jsonl grew \d+ s ago/,
  );
  const old = new Date(Date.now() - 3_600_000);
  utimesSync(record, old, old);
  expect((await run("force-unlock --run night-1 --force")).code).toBe(0);
});

test("finds the records of a run by their content, also those of other shards", async () => {
  mkdirSync(join(directory, "runs"));
  const start = { operation: "apply", resumed: false, stacks: ["t0"], id: "night-1" };
  const line = `${JSON.stringify({ type: "run_start", run: start })}\n`;
  writeFileSync(join(directory, "runs/any-name.jsonl"), line);
  // The record of another run.
  writeFileSync(join(directory, "runs/day-10.jsonl"), line);
  expect((await run("force-unlock --run night-1 --force")).err).toContain("any-name.jsonl grew");
  const old = new Date(Date.now() - 3_600_000);
  const given = join(directory, "runs/day-10.jsonl");
  utimesSync(given, old, old);
  expect((await run("force-unlock --run runs/day-10.jsonl --force")).err).toContain(
    "any-name.jsonl grew",
  );
  expect((await run("force-unlock --run day-1 --force")).code).toBe(0);
  expect(await locked()).toEqual(["t0", "t1"]);
});

test("refuses a run whose process runs on this host", async () => {
  const child = spawn("sleep", ["60"]);
  try {
    lock("t0", "night-1", `ann@${hostname()}`, child.pid);
    const refused = await run("force-unlock --run night-1 --force");
    expect(refused.code).toBe(1);
    expect(refused.err).toContain(`Process ${child.pid} on this host holds the lock`);
    expect(await locked()).toEqual(["t0", "t1", "t2"]);
  } finally {
    child.kill();
  }
});

test("names what it did not find, and what it needs", async () => {
  const none = await run("force-unlock --run night-2 --force");
  expect(none.code).toBe(1);
  expect(none.err).toContain("The run holds no lock");
  expect((await run("force-unlock --force")).err).toContain("Either a lock or a run");
});
