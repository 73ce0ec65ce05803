import { execFileSync } from "node:child_process";
import { fstatSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import * as files from "node:fs/promises";
import { join } from "node:path";
import { LocalBackend } from "../../src/backends/local";
import { linkNew, replaceFile } from "../../src/core/io/durable-file";
import { lockPath, lockState } from "../../src/backends/lock";
import { world } from "../../src/core/io/world";
import { emptyState } from "../../src/core/documents/state";
import { acquire, ownIdentity } from "../../src/backends/lock-file";
import { testWhere } from "../support/requirement";
import { freshFolder } from "./folder";

const newState = () => join(freshFolder(), "terraform.tfstate");
const summaries = (diagnostics: readonly { summary: string }[]) =>
  diagnostics.map(({ summary }) => summary);

/** Places something that is not a regular file at a path. */
const ODD: readonly (readonly [string, (path: string) => void])[] = [
  [
    "a link whose target is missing",
    (path) => {
      symlinkSync(join(path, "../gone"), path);
    },
  ],
  [
    "a link to itself",
    (path) => {
      symlinkSync(path, path);
    },
  ],
  ["a FIFO", (path) => void execFileSync("mkfifo", [path])],
  ["a folder", (path) => void mkdirSync(path, { recursive: true })],
];

test.each(ODD)(
  "%s in the place of the lock is an error, within the time to wait",
  async (_, put) => {
    const path = newState();
    put(lockPath(path));
    const { lock, diagnostics } = await lockState(path, { operation: "apply", waitMs: 250 });
    expect(lock).toBeUndefined();
    expect(summaries(diagnostics)).toEqual([
      expect.stringMatching(/^State (is|cannot be) locked$/),
    ]);
    expect(diagnostics[0]?.detail).toContain(lockPath(path));
    expect(readdirSync(join(path, "..")).filter((name) => name.endsWith(".tmp"))).toEqual([]);
  },
);

test.each(ODD.slice(1))("%s in the place of the state is an error", async (_, put) => {
  const path = newState();
  put(path);
  const backend = new LocalBackend(path);
  const { diagnostics } = await backend.read();
  expect(summaries(diagnostics)).toEqual(["State cannot be read"]);
  expect(diagnostics[0]?.detail).toContain(path);
  const { lock, diagnostics: locking } = await backend.lock({ operation: "apply" });
  expect([lock !== undefined, ...summaries(locking)]).toHaveLength(lock ? 1 : 2);
  await lock?.release();
});

test.each(ODD.slice(1))("%s in the place of the journal is an error", async (_, put) => {
  const path = newState();
  put(`${path}.journal`);
  const { diagnostics } = await new LocalBackend(path).read();
  expect(summaries(diagnostics)).toEqual(["Journal cannot be read"]);
});

describe("an empty state file, which a killed first apply of Terraform leaves,", () => {
  test("is no state", async () => {
    const path = newState();
    writeFileSync(path, "");
    const backend = new LocalBackend(path);
    expect(await backend.read()).toEqual({ state: undefined, interrupted: [], diagnostics: [] });
    const { journal } = await backend.journal();
    await journal!.append({ kind: "intent", address: "null_resource.a", action: "create" });
    await journal!.close();

    const next = new LocalBackend(path);
    expect(summaries((await next.read()).diagnostics)).toEqual(["A run has not finished"]);
    const { state, diagnostics } = await next.write(emptyState());
    expect(diagnostics).toEqual([]);
    expect(state).toBeDefined();
  });

  test("is an error if there is a backup", async () => {
    const path = newState();
    writeFileSync(path, "");
    writeFileSync(`${path}.backup`, '{"version": 4}');
    const { diagnostics } = await new LocalBackend(path).read();
    expect(summaries(diagnostics)).toEqual(["State file is empty"]);
  });
});

test("a state with the largest serial is an error", async () => {
  const path = newState();
  const serial = Number.MAX_SAFE_INTEGER;
  const state = { version: 4, terraform_version: "1.11.4", serial, lineage: "l", outputs: {} };
  writeFileSync(path, JSON.stringify({ ...state, resources: [], check_results: null }));
  const { diagnostics } = await new LocalBackend(path).read();
  expect(summaries(diagnostics)).toEqual(["State serial cannot be increased"]);
});

describe("a file system without", () => {
  const failing = (code: string) => () => {
    throw Object.assign(new Error(code), { code, syscall: "x" });
  };
  afterEach(() => jest.restoreAllMocks());

  test.each(["EPERM", "ENOTSUP"])("hard links (%s) gets a copy", async (code) => {
    const folder = freshFolder();
    writeFileSync(join(folder, "draft"), "content");
    jest.replaceProperty(world, "files", { ...world.files, linkSync: failing(code) });
    expect(await linkNew(join(folder, "draft"), join(folder, "lock"))).toBe(true);
    expect(await linkNew(join(folder, "draft"), join(folder, "lock"))).toBe(false);
    expect(await files.readFile(join(folder, "lock"), "utf8")).toBe("content");
  });

  test("sync of folders gets its files replaced", async () => {
    const path = join(freshFolder(), "file");
    const sync = async (fd: number) => {
      if (fstatSync(fd).isDirectory()) failing("EINVAL")();
      await Promise.resolve();
    };
    jest.replaceProperty(world, "files", { ...world.files, sync });
    await replaceFile(path, Buffer.from("content"));
    expect(await files.readFile(path, "utf8")).toBe("content");
  });
});

test("removes drafts of ended processes, and no others", async () => {
  const path = newState();
  const draft = (id: string) => `${lockPath(path)}.${id}.tmp`;
  const [dead, alive] = [crypto.randomUUID(), crypto.randomUUID()];
  for (const [id, started] of [
    [dead, "1"],
    [alive, ownIdentity().started],
  ] as const) {
    const info = {
      ID: crypto.randomUUID(),
      Operation: "apply",
      Info: "",
      Who: "",
      Version: "",
      Created: "",
      Path: path,
      Process: { ...ownIdentity(), started },
    };
    await acquire(join(freshFolder(), "lock"), info);
    writeFileSync(draft(id), JSON.stringify(info));
  }
  const { lock } = await lockState(path, { operation: "apply" });
  await lock?.release();
  expect(readdirSync(join(path, ".."))).toEqual([`terraform.tfstate.lock.${alive}.tmp`]);
});

/** Only root may mount; the CI runs as root. */
const root = {
  isMet: process.getuid?.() === 0 && process.platform === "linux",
  reason: "only root of Linux may mount",
};

testWhere(
  root,
  "reads without a lock on a read-only mount, and refuses to apply there",
  async () => {
    const [source, folder] = [freshFolder(), freshFolder()];
    const path = join(folder, "terraform.tfstate");
    await new LocalBackend(join(source, "terraform.tfstate")).read();
    execFileSync("mount", ["--bind", "-o", "ro", source, folder]);
    try {
      const backend = new LocalBackend(path);
      const { lock, diagnostics } = await backend.lock({ operation: "plan", readOnly: true });
      expect(diagnostics).toEqual([]);
      expect((await backend.read()).diagnostics).toEqual([]);
      await lock?.release();
      const applying = await backend.lock({ operation: "apply" });
      expect(summaries(applying.diagnostics)).toEqual(["State cannot be locked"]);
      // A run that locked the same folder where it is writable keeps others out.
      const holder = await lockState(join(source, "terraform.tfstate"), { operation: "apply" });
      const second = await backend.lock({ operation: "plan", readOnly: true });
      expect(summaries(second.diagnostics)).toEqual(["State is locked"]);
      await holder.lock?.release();
    } finally {
      execFileSync("umount", [folder]);
    }
  },
);
