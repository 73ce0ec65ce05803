import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { world } from "../../src/core/io/world";
import { startSimulator, type Simulator } from "../../src/simulator";
import { policyStack, SECRETS, temporaryFolder, writeStacks } from "./stack-files";
import { TestTerminal } from "./test-terminal";

/* A rollback takes what the record of a run proves, and refuses the rest by the name of its stack. */

let simulator: Simulator;
let directory: string;
const { files } = world;

beforeEach(async () => {
  simulator = await startSimulator({ tenants: 2 });
  directory = temporaryFolder();
});
afterEach(async () => {
  world.files = files;
  await simulator.close();
});

/** Two stacks with consoles, each with one policy. */
const write = (name: string) => {
  const [first, second] = simulator.consoles.map((console) =>
    policyStack({ ...simulator, consoles: [console] }, [{ name, checks: { 41: true } }]),
  );
  writeStacks(directory, { eu: first!, us: second! });
};

async function run(...argv: readonly string[]) {
  const terminal = new TestTerminal({ directory, environment: SECRETS });
  const code = await terminal.run(...argv, "--out-dir", "cdktf.out");
  return { code, out: terminal.out, err: terminal.err.replace(/\s+/g, " ") };
}
const apply = (...options: readonly string[]) => run("apply", "--auto-approve", ...options);
const rollBack = (...options: readonly string[]) =>
  run("rollback", "run.jsonl", "--auto-approve", ...options);
const file = () => join(directory, "run.jsonl");
const lines = () => readFileSync(file(), "utf8").split("\n").slice(0, -1);
const keep = (kept: readonly string[]) => {
  writeFileSync(file(), kept.map((line) => `${line}\n`).join(""));
};
const names = () =>
  simulator.consoles.map(({ console }) => console.policies().map(({ name }) => name));

/** A recorded run that replaces the policy `a` by `b` on both consoles. */
async function record(...options: readonly string[]) {
  if (!names().flat().includes("a")) {
    write("a");
    await apply();
  }
  write("b");
  return apply("--run-log", "run.jsonl", "--waves", "1,100%", ...options);
}

test("a record that is cut behind any line is taken as far as it is proved", async () => {
  await record();
  const whole = lines();
  const backup = readFileSync(join(directory, "terraform.eu.tfstate"));
  const results: string[] = [];
  for (let count = 1; count <= whole.length; count++) {
    keep(whole.slice(0, count));
    const planned = await run("plan", "--rollback", "run.jsonl");
    const refused = ["eu", "us"].filter((stack) => new RegExp(`\\b${stack}\\b`).test(planned.err));
    expect(planned.err.includes("ends after line")).toBe(refused.length > 0);
    expect(planned.code).toBe(refused.length > 0 ? 1 : 0);
    if (refused.length < 2) expect(planned.out).not.toContain("nothing to roll back");
    results.push(refused.join());
  }
  expect(readFileSync(join(directory, "terraform.eu.tfstate"))).toEqual(backup);
  expect([...new Set(results)]).toEqual(["eu,us", "us", ""]);
  keep(whole);
  expect((await rollBack()).code).toBe(0);
  expect(names()).toEqual([["a"], ["a"]]);
});

test.each<[string, (lines: readonly string[]) => readonly string[]]>([
  ["without all contents", (all) => all.filter((line) => !line.includes('"kind":"content"'))],
  ["with another content", (all) => all.map((line) => line.replace('\\"b\\"', '\\"c\\"'))],
  ["with a line that is half zeros", (all) => [...all.slice(0, 4), "\0\0", ...all.slice(5)]],
])("a record %s restores nothing, and refuses the stacks", async (_, change) => {
  await record();
  const changed = change(lines());
  expect(changed).not.toEqual(lines());
  keep(changed);
  const { code, out, err } = await rollBack();
  expect(code).toBe(1);
  expect(err).toContain("Record of the run is not whole");
  expect(err).toContain("run.jsonl is not as the run wrote it from line");
  expect(err).toContain("2 stacks: eu, us");
  expect(out).not.toMatch(/nothing to roll back|Rollback complete/);
  expect((await apply("--resume", "run.jsonl")).err).toMatch(
    /run\.jsonl, line \d+: the line is not/,
  );
  expect(names()).toEqual([["b"], ["b"]]);
});

test("a stack that is recorded before the damage goes back, and the other one is refused", async () => {
  await record();
  const damaged = lines().findIndex((line) => line.includes('"stack":"us"'));
  keep([...lines().slice(0, damaged + 1), "lost", ...lines().slice(damaged + 2)]);
  const { code, err } = await rollBack();
  expect(code).toBe(1);
  expect(err).toContain('The state of stack "us" shows');
  expect(err).not.toContain('stack "eu"');
  expect(names()).toEqual([["a"], ["b"]]);
});

test("a resumed record is one, and a copy of its beginning is cut", async () => {
  const [{ console }] = simulator.consoles;
  const handle = console.handle.bind(console);
  write("a");
  await apply();
  const broken = jest.spyOn(console, "handle").mockImplementation((request) => {
    if (request.method !== "PUT") return handle(request);
    return Promise.resolve({ status: 500, headers: {}, body: "" });
  });
  expect((await record()).code).toBe(1);
  broken.mockRestore();
  const before = lines();
  expect((await apply("--resume", "run.jsonl", "--run-log", "run.jsonl")).code).toBe(0);
  const whole = lines();
  keep(before);
  expect((await rollBack()).err).toContain("ends after line");
  keep(whole);
  expect((await rollBack()).code).toBe(0);
  expect(names()).toEqual([["a"], ["a"]]);
});

test("short writes of a record are completed, and a full disk keeps the console as it is", async () => {
  let room = Infinity;
  const log = new Set<number>();
  world.files = {
    ...files,
    openSync: ((path: string, ...rest: [number, number]) => {
      const descriptor = files.openSync(path, ...rest);
      if (path === file()) log.add(descriptor);
      else log.delete(descriptor);
      return descriptor;
    }) as typeof files.openSync,
    writeSync: ((fd: number, bytes: Uint8Array, offset: number) => {
      if (!log.has(fd)) return files.writeSync(fd, bytes, offset);
      if (room <= 0) throw Object.assign(new Error("full"), { syscall: "write", code: "ENOSPC" });
      const count = Math.min(97, room, bytes.length - offset);
      room -= count;
      return files.writeSync(fd, bytes, offset, count);
    }) as typeof files.writeSync,
  };
  expect((await record()).code).toBe(0);
  expect(lines().map((line) => (JSON.parse(line) as { type: string }).type)).toContain(
    "run_result",
  );
  expect((await rollBack()).code).toBe(0);
  room = 2_500;
  const { code, err } = await apply("--run-log", "run.jsonl");
  expect(code).toBe(1);
  expect(err).toContain("Nothing was written, because the record of the run could not be written");
  expect(err).toContain("no space left on the device");
  expect(names()).toEqual([["a"], ["a"]]);
  world.files = files;
  const back = await rollBack();
  expect({ ...back, out: "" }).toEqual({ code: 0, out: "", err: "" });
  expect(names()).toEqual([["a"], ["a"]]);
});

test("a file that is no run log is not replaced", async () => {
  write("a");
  for (const text of ["# notes\n", '{"type":"other"}\n', "no line break"]) {
    writeFileSync(file(), text);
    const { code, err } = await apply("--run-log", "run.jsonl");
    expect(code).toBe(1);
    expect(err).toMatch(/File is no run log run\.jsonl exists/);
    expect(readFileSync(file(), "utf8")).toBe(text);
  }
  expect(existsSync(join(directory, "terraform.eu.tfstate"))).toBe(false);
  writeFileSync(file(), "");
  expect((await apply("--run-log", "run.jsonl")).code).toBe(0);
  expect((await apply("--run-log", "run.jsonl")).code).toBe(0);
});
