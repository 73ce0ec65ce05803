import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { version } from "../../../package.json";
import { packedPackage } from "../../support/packed-package";

const CLI = packedPackage().cli;

let cache: string;
beforeEach(() => {
  cache = mkdtempSync(join(tmpdir(), "compiled-"));
});
afterEach(() => {
  rmSync(cache, { recursive: true, force: true });
});

const run = (environment: Readonly<Record<string, string>> = {}, command = "version") =>
  execFileSync(process.execPath, [CLI, command], {
    encoding: "utf8",
    env: { NODE_COMPILE_CACHE: cache, ...environment },
  });

const files = () =>
  readdirSync(cache, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));

const folder = () => dirname(files()[0] ?? "");

test("keeps compiled code for this user alone, and starts with it", () => {
  const first = run();
  expect(first).toContain(version);
  expect(files().length).toBeGreaterThan(0);
  for (const file of files()) expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(statSync(folder()).mode & 0o777).toBe(0o700);
  for (let again = 0; again < 5; again++) expect(run()).toBe(first);
});

test("replaces compiled code that is damaged", () => {
  const first = run();
  for (const file of files()) {
    writeFileSync(file, Buffer.alloc(statSync(file).size, 7));
  }
  expect(run()).toBe(first);
  for (const file of files()) expect(statSync(file).size).toBeGreaterThan(10_000);
  expect(run()).toBe(first);
});

test("uses the compiled code of a run for which V8 changed its flags", async () => {
  const longerThanFlagsMs = 1100;
  for (let again = 0; again < 2; again++) {
    const served = spawn(process.execPath, [CLI, "simulate", "--port", "0"], {
      env: { NODE_COMPILE_CACHE: cache },
      stdio: ["ignore", "pipe", "inherit"],
    });
    await once(served.stdout, "data");
    await sleep(longerThanFlagsMs);
    served.kill("SIGTERM");
    expect(await once(served, "exit")).toEqual([0, null]);
  }
  // The number of runs before the code starts again when V8 refuses the code.
  expect(files().map((file) => readFileSync(file).readUInt8())).toEqual([2, 2]);
});

test("keeps what each command uses, whichever commands ran before", () => {
  run();
  const known = files();
  run({}, "help");
  expect(files().length).toBeGreaterThan(known.length);
  expect(known.map((file) => readFileSync(file).readUInt8())).toEqual(known.map(() => 1));
});

test("uses no compiled code from a folder that others can write to", () => {
  run();
  const shared = folder();
  for (const file of files()) rmSync(file);
  chmodSync(shared, 0o777);
  expect(run()).toContain(version);
  expect(files()).toEqual([]);
});

test("uses no compiled code from a folder on the way to which others can replace one", () => {
  run();
  const shared = join(folder(), "../..");
  for (const file of files()) rmSync(file);
  chmodSync(shared, 0o777);
  expect(run()).toContain(version);
  expect(files()).toEqual([]);
  // Others can replace only what is theirs in it, as in /tmp.
  chmodSync(shared, 0o1777);
  run();
  expect(files().length).toBeGreaterThan(0);
});

test("removes compiled code of a month ago", () => {
  run();
  const old = join(folder(), "old");
  writeFileSync(old, "");
  utimesSync(old, 1, 1);
  run();
  expect(files()).not.toContain(old);
});

test.each([{ NODE_DISABLE_COMPILE_CACHE: "1" }, { NODE_COMPILE_CACHE: "/dev/null" }])(
  "starts without a place for compiled code: %j",
  (environment) => {
    mkdirSync(cache, { recursive: true });
    expect(run(environment)).toContain(version);
    expect(files()).toEqual([]);
  },
);
