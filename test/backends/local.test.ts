import {
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { LocalBackend } from "../../src/backends/local";
import { parseAddress } from "../../src/core/documents/address";
import { setInstance } from "../../src/backends/state/instances";
import { emptyState, newInstance, type State } from "../../src/core/documents/state";
import { formatState } from "../../src/formats/state-file/write";
import { freshFolder } from "./folder";
import { created, intent } from "./records";
import { listAddresses } from "./state/list-addresses";

const newPath = () => join(freshFolder(), "terraform.tfstate");
const text = (path: string) => readFileSync(path, "utf8");
const mode = (path: string) => statSync(path).mode & 0o777;
const files = (path: string) => readdirSync(join(path, "..")).sort();
const withInstance = (state: State, address: string) =>
  setInstance(state, parseAddress(address)!, "p", newInstance({ id: address }));

async function opened(path: string, workingDirectory = freshFolder()) {
  const backend = new LocalBackend(path, workingDirectory);
  const { state = emptyState(), diagnostics } = await backend.read();
  expect(diagnostics).toEqual([]);
  return { backend, state };
}

async function put(path: string, ...addresses: string[]): Promise<State> {
  const { backend, state } = await opened(path);
  const written = await backend.write(addresses.reduce(withInstance, state));
  expect(written.diagnostics).toEqual([]);
  return written.state!;
}

test("has no state before the first write, which sets the lineage", async () => {
  const path = join(freshFolder(), "deep", "er", "terraform.tfstate");
  expect((await new LocalBackend(path).read()).state).toBeUndefined();
  const stored = await put(path, "t_t.a");
  expect(stored).toMatchObject({ serial: 1, terraformVersion: "1.11.0" });
  expect(stored.lineage).toMatch(/^[0-9a-f]{8}-/);
  expect(text(path)).toBe(formatState(stored));
  expect(mode(path)).toBe(0o600);
  expect(files(path)).toEqual(["terraform.tfstate"]);
});

test("keeps the lineage, increases the serial and keeps the last state as backup", async () => {
  const path = newPath();
  const first = await put(path, "t_t.a");
  const before = text(path);
  const second = await put(path, "t_t.a", "t_t.b");
  expect(second).toMatchObject({ lineage: first.lineage, serial: 2 });
  expect(text(`${path}.backup`)).toBe(before);
  expect(mode(`${path}.backup`)).toBe(0o600);
  expect(files(path)).toEqual(["terraform.tfstate", "terraform.tfstate.backup"]);
});

test("writes nothing if nothing changed", async () => {
  const path = newPath();
  await put(path, "t_t.a");
  const { ino } = statSync(path);
  expect(await put(path, "t_t.a")).toMatchObject({ serial: 1 });
  expect(statSync(path).ino).toBe(ino);
  expect(files(path)).toEqual(["terraform.tfstate"]);
});

test("keeps the state from before the run as backup, however often the run writes", async () => {
  const path = newPath();
  await put(path, "t_t.a");
  const before = text(path);
  const { backend, state } = await opened(path);
  const once = await backend.write(withInstance(state, "t_t.b"));
  const twice = await backend.write(withInstance(once.state!, "t_t.c"));
  expect(twice.state?.serial).toBe(3);
  expect(text(`${path}.backup`)).toBe(before);
});

test("restricts a file that others could read to its owner", async () => {
  const path = newPath();
  await put(path, "t_t.a");
  writeFileSync(path, text(path), { mode: 0o644 });
  await put(path, "t_t.a", "t_t.b");
  expect(mode(path)).toBe(0o600);
});

test("writes through a symbolic link, and keeps the link", async () => {
  const target = newPath();
  const link = join(freshFolder(), "link.tfstate");
  symlinkSync(target, link);
  await put(link, "t_t.a");
  await put(link, "t_t.a", "t_t.b");
  expect(lstatSync(link).isSymbolicLink()).toBe(true);
  expect(listAddresses((await opened(target)).state)).toEqual(["t_t.a", "t_t.b"]);
  expect(files(link)).toEqual(["link.tfstate", "link.tfstate.backup"]);
  expect(files(target)).toEqual(["terraform.tfstate"]);
});

test.each([
  [
    "was changed",
    (path: string) => {
      writeFileSync(path, text(path).replace('"serial": 1', '"serial": 2'));
    },
  ],
  [
    "was made unreadable",
    (path: string) => {
      writeFileSync(path, "{");
    },
  ],
])("refuses to write over a state that %s since it was read", async (_, change) => {
  const path = newPath();
  await put(path, "t_t.a");
  const folder = freshFolder();
  const { backend, state } = await opened(path, folder);
  change(path);
  const theirs = text(path);
  const { state: stored, diagnostics } = await backend.write(withInstance(state, "t_t.b"));
  expect(stored).toBeUndefined();
  expect(diagnostics).toMatchObject([
    { severity: "error", detail: expect.stringContaining("another program changed it") as string },
  ]);
  expect(text(path)).toBe(theirs);
  const saved = await opened(join(folder, "errored.tfstate"));
  expect(listAddresses(saved.state)).toEqual(["t_t.a", "t_t.b"]);
});

test("distinguishes a failed read from an absent state", async () => {
  const path = newPath();
  mkdirSync(path);
  expect(await new LocalBackend(path).read()).toMatchObject({
    state: undefined,
    diagnostics: [
      { summary: "State cannot be read", detail: expect.stringContaining(path) as string },
    ],
  });
});

describe("an unfinished run", () => {
  async function crash(path: string, ...addresses: string[]): Promise<void> {
    const backend = new LocalBackend(path);
    await backend.read();
    const { journal } = await backend.journal();
    for (const address of addresses) {
      await journal!.append(intent(address));
      await journal!.append(created(address, { id: address }));
    }
    await journal!.append(intent("t_t.open"));
    await journal!.close();
  }

  test("is taken into account by the next run, which stores it and removes the journal", async () => {
    const path = newPath();
    const { lineage } = await put(path, "t_t.a");
    await crash(path, "t_t.b");
    await crash(path, "t_t.c");

    const backend = new LocalBackend(path);
    const { state, interrupted, diagnostics } = await backend.read();
    expect(listAddresses(state!)).toEqual(["t_t.a", "t_t.b", "t_t.c"]);
    expect(interrupted).toEqual([{ address: "t_t.open", action: "create" }]);
    expect(diagnostics).toMatchObject([
      { severity: "warning", detail: expect.stringContaining("t_t.open (create)") as string },
    ]);
    expect((await backend.write(state!)).state).toMatchObject({ lineage, serial: 2 });
    expect(files(path)).toEqual(["terraform.tfstate", "terraform.tfstate.backup"]);
    await opened(path);
  });

  test("of a new stack gives the state its lineage", async () => {
    const path = newPath();
    await crash(path, "t_t.a");
    const first = await new LocalBackend(path).read();
    const backend = new LocalBackend(path);
    const { state } = await backend.read();
    expect(state?.lineage).toBe(first.state?.lineage);
    expect((await backend.write(state!)).state?.lineage).toBe(first.state?.lineage);
  });

  test("is recognized as stored if it was killed before it removed the journal", async () => {
    const path = newPath();
    await put(path, "t_t.a");
    // The write announces the new state, then fails on the backup.
    const folder = freshFolder();
    const { backend, state } = await opened(path, folder);
    const { journal } = await backend.journal();
    await journal!.append(created("t_t.b", { id: "t_t.b" }));
    mkdirSync(`${path}.backup`);
    expect((await backend.write(withInstance(state, "t_t.b"))).state).toBeUndefined();
    await journal!.close();
    const unstored = await new LocalBackend(path).read();
    expect(unstored.diagnostics).toMatchObject([{ summary: "A run has not finished" }]);

    writeFileSync(path, text(join(folder, "errored.tfstate")));
    const stored = await opened(path);
    expect(listAddresses(stored.state)).toEqual(listAddresses(unstored.state!));
    expect((await stored.backend.write(stored.state)).state?.serial).toBe(2);
    expect(files(path)).not.toContain("terraform.tfstate.journal");
  });

  test("is not merged into a state that another program wrote since", async () => {
    const path = newPath();
    await put(path, "t_t.a");
    await crash(path, "t_t.b");
    writeFileSync(path, text(path).replace('"serial": 1', '"serial": 2'));
    const { state, diagnostics } = await new LocalBackend(path).read();
    expect(state).toBeUndefined();
    expect(diagnostics).toMatchObject([{ summary: "State was changed after an unfinished run" }]);
    expect(diagnostics[0]?.detail).toMatch(/serial 1.*serial 2/);
    expect(existsSync(`${path}.journal`)).toBe(true);
  });

  test("is not merged into the state of another stack", async () => {
    const path = newPath();
    await put(path, "t_t.a");
    await crash(path, "t_t.b");
    writeFileSync(path, text(path).replace(/"lineage": ".*"/, '"lineage": "other"'));
    const { diagnostics } = await new LocalBackend(path).read();
    expect(diagnostics[0]?.detail).toContain("lineage other");
  });

  test("leaves nothing if it was killed before its first record", async () => {
    const path = newPath();
    await put(path, "t_t.a");
    writeFileSync(`${path}.journal`, '["0123');
    const { backend, state } = await opened(path);
    await backend.write(state);
    expect(files(path)).toEqual(["terraform.tfstate"]);
  });
});
