import { readFileSync, readdirSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  acquire,
  ownIdentity,
  type LockInfo,
  type ProcessIdentity,
} from "../../src/backends/lock-file";
import { world } from "../../src/core/io/world";
import { removeLock, lockPath, lockState } from "../../src/backends/lock";
import { LocalBackend } from "../../src/backends/local";
import { freshFolder } from "./folder";
import { run } from "./program";

const apply = { operation: "apply", version: "1.2.3" };
const newState = () => join(freshFolder(), "terraform.tfstate");
const left = (statePath: string) => readdirSync(join(statePath, ".."));

/** A lock as another process would have left it. */
async function leave(path: string, holder: Partial<ProcessIdentity>): Promise<LockInfo> {
  const info: LockInfo = {
    ID: crypto.randomUUID(),
    Operation: "apply",
    Info: "",
    Who: "someone@somewhere",
    Version: "",
    Created: "2026-01-02T03:04:05.000Z",
    Path: path,
    Process: { ...ownIdentity(), ...holder },
  };
  await acquire(path, info);
  return info;
}
const dead = { started: "1" };

afterEach(() => jest.restoreAllMocks());

test("locks out a second run, and reports the holder of the lock", async () => {
  const path = newState();
  const { lock, diagnostics } = await lockState(path, apply);
  expect(diagnostics).toEqual([]);
  const second = await lockState(path, { operation: "plan" });
  expect(second.lock).toBeUndefined();
  expect(second.diagnostics).toEqual([
    {
      severity: "error",
      summary: "State is locked",
      detail: expect.stringMatching(
        new RegExp(`${lock!.id}[^]*apply[^]*process ${process.pid}\\)[^]*force-unlock ${lock!.id}`),
      ) as string,
    },
  ]);

  expect(await lock!.release()).toEqual([]);
  const third = await lockState(path, apply);
  expect(third.diagnostics).toEqual([]);
  await third.lock!.release();
  expect(left(path)).toEqual([]);
});

test("has its content on the disk before its name", async () => {
  const calls: string[] = [];
  const { sync, linkSync } = world.files;
  jest.replaceProperty(world, "files", {
    ...world.files,
    sync: (descriptor) => sync(descriptor).then(() => void calls.push("sync")),
    linkSync: (from, to) => {
      calls.push("link");
      linkSync(from, to);
    },
  });
  const { lock } = await lockState(newState(), apply);
  await lock!.release();
  expect(calls).toEqual(["sync", "link"]);
});

test("writes the members of Terraform's lock info, readable by the owner only", async () => {
  const path = newState();
  const { lock } = await lockState(path, apply);
  expect(JSON.parse(readFileSync(lockPath(path), "utf8"))).toMatchObject({
    ID: lock!.id,
    Operation: "apply",
    Version: "1.2.3",
    Path: path,
    Who: expect.stringContaining("@") as string,
    Created: expect.stringMatching(/^\d{4}-.*Z$/) as string,
  });
  expect(statSync(lockPath(path)).mode & 0o777).toBe(0o600);
  await lock!.release();
});

test("waits for the other run to end, if requested", async () => {
  const path = newState();
  const first = await lockState(path, apply);
  const second = lockState(path, { operation: "plan", waitMs: 20_000 });
  await first.lock!.release();
  expect((await second).diagnostics).toEqual([]);
  await (await second).lock!.release();
});

test("is released when the process exits", async () => {
  const path = newState();
  const program = run("lock-and-exit", [path]);
  await program.ended;
  expect(program.child.exitCode).toBe(0);
  expect(left(path)).toEqual([]);
});

test.each<[string, Partial<ProcessIdentity>]>([
  ["has ended", { pid: 2 ** 22 + 1 }],
  ["has a later process's number", dead],
  ["ended with the machine", { boot: "an-earlier-one" }],
])("takes over the lock of a process that %s, with a warning", async (_, holder) => {
  if (!ownIdentity().started || !ownIdentity().machine) return; // No /proc, no machine ID.
  const path = newState();
  const info = await leave(lockPath(path), holder);
  const { lock, diagnostics } = await lockState(path, apply);
  expect(diagnostics).toMatchObject([
    { severity: "warning", detail: expect.stringContaining(info.ID) as string },
  ]);
  await lock!.release();
  expect(left(path)).toEqual([]);
});

test.each<[string, Partial<ProcessIdentity>]>([
  ["another host", { host: "elsewhere" }],
  ["another machine of the same name", { boot: "b", machine: "m" }],
  ["another container", { pidNamespace: "pid:[1]", pid: 1 }],
])("leaves the lock of %s alone, and names the way out", async (_, holder) => {
  const path = newState();
  const info = await leave(lockPath(path), holder);
  const { lock, diagnostics } = await lockState(path, apply);
  expect(lock).toBeUndefined();
  const { detail } = diagnostics[0]!;
  expect(detail).toContain("someone@somewhere");
  expect(detail).toContain("2026-01-02T03:04:05.000Z");
  expect(detail).toContain(`cdktf-console force-unlock ${info.ID}`);

  expect(await removeLock(path, info.ID)).toEqual([]);
  const unlocked = await lockState(path, apply);
  expect(unlocked.diagnostics).toEqual([]);
  await unlocked.lock!.release();
  expect(left(path)).toEqual([]);
});

test("is removed by the right ID only", async () => {
  const path = newState();
  expect(await removeLock(path, "x")).toMatchObject([{ summary: "State is not locked" }]);
  const { lock } = await lockState(path, apply);
  const [diagnostic] = await removeLock(path, "x");
  expect(diagnostic).toMatchObject({ summary: "Another lock" });
  expect(diagnostic!.detail).toContain(lock!.id);
  expect(await removeLock(path, lock!.id)).toEqual([]);

  const next = await lockState(path, apply);
  await lock!.release();
  expect((await lockState(path, apply)).lock).toBeUndefined();
  await next.lock!.release();
});

test("does not remove a file that is not a lock", async () => {
  const path = newState();
  writeFileSync(lockPath(path), "mine");
  const { diagnostics } = await lockState(path, apply);
  expect(diagnostics[0]?.detail).toContain(lockPath(path));
  expect(await removeLock(path, "mine")).toMatchObject([{ summary: "Lock has no ID" }]);
  expect(readFileSync(lockPath(path), "utf8")).toBe("mine");
});

test("fails while Terraform holds its own lock, also behind a link", async () => {
  const path = newState();
  const link = join(freshFolder(), "link.tfstate");
  symlinkSync(path, link);
  for (const [folder, name] of [
    [join(path, ".."), ".terraform.tfstate.lock.info"],
    [join(link, ".."), ".link.tfstate.lock.info"],
  ] as const) {
    const terraform = join(folder, name);
    writeFileSync(
      terraform,
      '{"ID":"0b6e","Operation":"OperationTypeApply","Info":"","Who":"a@b","Version":"1.11.4",' +
        '"Created":"2026-01-02T03:04:05Z","Path":"terraform.tfstate"}',
    );
    const { lock, diagnostics } = await new LocalBackend(link).lock(apply);
    expect(lock).toBeUndefined();
    const { summary, detail } = diagnostics[0]!;
    expect(summary).toBe("State is locked by Terraform");
    for (const part of ["0b6e", "OperationTypeApply", "a@b", "2026-01-02T03:04:05Z", name]) {
      expect(detail).toContain(part);
    }
    expect(readdirSync(folder)).toContain(name);
    expect(left(path)).not.toContain("terraform.tfstate.lock");
    writeFileSync(terraform, "garbage");
    expect((await new LocalBackend(link).lock(apply)).diagnostics[0]?.detail).toContain(
      "not readable",
    );
    await import("node:fs/promises").then(({ rm }) => rm(terraform));
  }
});
