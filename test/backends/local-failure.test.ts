import {
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import type { Diagnostic } from "../../src/core/diagnostics";
import { LocalBackend } from "../../src/backends/local";
import { setInstance } from "../../src/backends/state/instances";
import { emptyState, newInstance } from "../../src/core/documents/state";
import { world } from "../../src/core/io/world";
import { freshFolder } from "./folder";
import { run } from "./program";
import { created } from "./records";
import { listAddresses } from "./state/list-addresses";

const address = { mode: "managed" as const, type: "t_t", name: "old" };

async function stateWithOne(): Promise<string> {
  const path = join(freshFolder(), "terraform.tfstate");
  const backend = new LocalBackend(path);
  await backend.read();
  await backend.write(setInstance(emptyState(), address, "p", newInstance({ id: "old" })));
  return path;
}

test("keeps everything in the journal when the disk is full, and reports it", async () => {
  const path = await stateWithOne();
  const before = readFileSync(path, "utf8");
  const folder = freshFolder();
  const program = run("write-large", [path, folder], 64);
  const [diagnostic] = JSON.parse(await program.ended) as Diagnostic[];

  expect(diagnostic?.summary).toBe("State could not be written");
  expect(diagnostic?.detail).toMatch(/EFBIG/);
  for (const part of [path, folder, `${path}.journal`, "The next run continues"]) {
    expect(diagnostic?.detail).toContain(part);
  }
  expect(readFileSync(path, "utf8")).toBe(before);
  expect(readdirSync(folder)).toEqual([]);
  expect(readdirSync(join(path, "..")).filter((file) => file.endsWith(".tmp"))).toEqual([]);

  const { state } = await new LocalBackend(path).read();
  expect(listAddresses(state!)).toEqual(["t_t.new", "t_t.old"]);
});

test("saves the state elsewhere if its file cannot be written", async () => {
  const path = await stateWithOne();
  const folder = freshFolder();
  writeFileSync(join(folder, "errored.tfstate"), "of another stack");
  mkdirSync(`${path}.backup`);
  const backend = new LocalBackend(path, folder);
  const { state } = await backend.read();
  const { state: stored, diagnostics } = await backend.write(
    setInstance(state!, { ...address, name: "new" }, "p", newInstance({ id: "new" })),
  );

  expect(stored).toBeUndefined();
  const aside = join(folder, "errored.1.tfstate");
  expect(diagnostics[0]?.detail).toContain(aside);
  expect(readFileSync(join(folder, "errored.tfstate"), "utf8")).toBe("of another stack");
  const saved = (await new LocalBackend(aside).read()).state!;
  expect(listAddresses(saved)).toEqual(["t_t.new", "t_t.old"]);
  expect(saved).toMatchObject({ serial: 2, lineage: state!.lineage });
  expect(listAddresses((await new LocalBackend(path).read()).state!)).toEqual(["t_t.old"]);
});

test("reports what is lost if neither can be written", async () => {
  const path = await stateWithOne();
  mkdirSync(`${path}.backup`);
  const backend = new LocalBackend(path, join(freshFolder(), "gone"));
  const { state } = await backend.read();
  const { diagnostics } = await backend.write(
    setInstance(state!, { ...address, name: "new" }, "p", newInstance({})),
  );
  expect(diagnostics[0]?.detail).toContain("compare the next plan with the console");
});

test("reports that a journal cannot be written", async () => {
  const path = await stateWithOne();
  mkdirSync(`${path}.journal`);
  const backend = new LocalBackend(path);
  expect((await backend.read()).diagnostics).toMatchObject([{ summary: "Journal cannot be read" }]);

  const other = join(freshFolder(), "terraform.tfstate");
  const fresh = new LocalBackend(other);
  await fresh.read();
  mkdirSync(`${other}.journal`);
  const { journal, diagnostics } = await fresh.journal();
  expect(journal).toBeUndefined();
  expect(diagnostics).toMatchObject([{ summary: "Journal cannot be written" }]);
  expect(existsSync(other)).toBe(false);
});

/** Ways in which the journal of a run stops to take records. */
const BREAKS: readonly [string, () => jest.SpyInstance][] = [
  [
    "its lines do not get to the disk",
    () =>
      jest
        .spyOn(world.files, "syncContent")
        .mockRejectedValueOnce(new Error("an error of the disk")),
  ],
  [
    "a line is written in part",
    () => {
      const { writeSync } = world.files;
      return jest.spyOn(world.files, "writeSync").mockImplementationOnce((fd, bytes) => {
        writeSync(fd, bytes.slice(0, 20));
        throw new Error("no space");
      });
    },
  ],
];

describe.each(BREAKS)("after a journal broke because %s", (_, breakIt) => {
  /** A run with one record, and another one that its journal may lack, writes its state. */
  async function writeBroken(killed: "rename" | "unlink", at: string, path: string) {
    const backend = new LocalBackend(path, freshFolder());
    const { state } = await backend.read();
    const { journal } = await backend.journal();
    await journal!.append(created("t_t.new"));
    const spy = breakIt();
    await expect(journal!.append(created("t_t.late"))).rejects.toThrow("could not be written");
    spy.mockRestore();
    const late = ["new", "late"].reduce(
      (now, name) => setInstance(now, { ...address, name }, "p", newInstance({})),
      state!,
    );
    const call = world.files[killed] as (...paths: string[]) => Promise<void>;
    const kill = jest
      .spyOn(world.files, killed)
      .mockImplementation(((...paths: string[]) =>
        paths.at(-1) === at ? Promise.reject(new Error("killed")) : call(...paths)) as never);
    await backend.write(late);
    kill.mockRestore();
    const after = await new LocalBackend(path).read();
    return { errors: after.diagnostics.filter(({ severity }) => severity === "error"), ...after };
  }

  test("a kill before its removal does not block later runs", async () => {
    const path = await stateWithOne();
    const { errors, state } = await writeBroken("unlink", `${path}.journal`, path);
    expect(existsSync(`${path}.journal`)).toBe(true);
    expect(errors).toEqual([]);
    expect(listAddresses(state!)).toEqual(["t_t.late", "t_t.new", "t_t.old"]);
  });

  test("a kill before the state is written loses no record that it has", async () => {
    const path = await stateWithOne();
    const { errors, state } = await writeBroken("rename", path, path);
    expect(errors).toEqual([]);
    expect(listAddresses(state!)).toEqual(expect.arrayContaining(["t_t.new", "t_t.old"]));
  });
});

test("removes a journal that lacks the digest of the state also if the power is lost", async () => {
  const path = await stateWithOne();
  const backend = new LocalBackend(path);
  const { state } = await backend.read();
  const { journal } = await backend.journal();
  await journal!.append(created("t_t.new"));
  writeFileSync(`${path}.other`, "");
  renameSync(`${path}.other`, `${path}.journal`);
  await expect(Promise.resolve().then(() => journal!.append(created("t_t.late")))).rejects.toThrow(
    "another program replaced the file",
  );
  const { unlink, sync } = world.files;
  const calls: string[] = [];
  const spies = [
    jest.spyOn(world.files, "unlink").mockImplementation((file) => {
      calls.push(`unlink ${String(file)}`);
      return unlink(file);
    }),
    jest.spyOn(world.files, "sync").mockImplementation((descriptor) => {
      calls.push("sync");
      return sync(descriptor);
    }),
  ];
  const changed = setInstance(state!, { ...address, name: "new" }, "p", newInstance({ id: "new" }));
  expect((await backend.write(changed)).diagnostics).toEqual([]);
  for (const spy of spies) spy.mockRestore();
  expect(calls.slice(calls.indexOf(`unlink ${path}.journal`))).toEqual([
    `unlink ${path}.journal`,
    "sync",
  ]);
});
