import {
  existsSync,
  fdatasync,
  lstatSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { world } from "../../src/core/io/world";
import { FileJournal, JournalError } from "../../src/backends/journal";
import { parseJournal, type JournalHeader } from "../../src/backends/journal-format";
import { freshFolder } from "./folder";
import { created, intent } from "./records";

jest.mock("node:fs", () => {
  const files = jest.requireActual<{ fdatasync: typeof fdatasync; writeSync: typeof writeSync }>(
    "node:fs",
  );
  return { ...files, fdatasync: jest.fn(files.fdatasync), writeSync: jest.fn(files.writeSync) };
});
const datasync = jest.mocked(fdatasync as (fd: number, done: () => void) => void);

const header: JournalHeader = { kind: "header", format: 1, lineage: "l", serial: 0 };
const read = (path: string) => parseJournal(readFileSync(path), path).content!;

afterEach(() => jest.restoreAllMocks());

test("has a record in the file when its append resolves, readable by the owner only", async () => {
  const path = join(freshFolder(), "s.journal");
  const journal = await FileJournal.create(path, header);
  await journal.append(created("t_t.a"));
  expect(read(path)).toMatchObject({ header, records: [{ address: "t_t.a" }] });
  expect(statSync(path).mode & 0o777).toBe(0o600);
  await journal.close();
});

test("replaces what is in its place, and follows no link", async () => {
  const folder = freshFolder();
  const [path, target] = [join(folder, "s.journal"), join(folder, "target")];
  writeFileSync(target, "untouched");
  symlinkSync(target, path);
  const journal = await FileJournal.create(path, header);
  await journal.append(created("t_t.a"));
  await journal.close();
  expect(lstatSync(path).isFile()).toBe(true);
  expect(read(path)).toMatchObject({ header, records: [{ address: "t_t.a" }] });
  expect(readFileSync(target, "utf8")).toBe("untouched");
});

test("leaves nothing if it cannot begin", async () => {
  const path = join(freshFolder(), "s.journal");
  jest.mocked(writeSync as () => number).mockImplementationOnce(() => {
    throw new Error("no space left");
  });
  await expect(FileJournal.create(path, header)).rejects.toThrow("no space left");
  expect(existsSync(path)).toBe(false);
});

test("commits many waiting records with few fsyncs, in the order of their appends", async () => {
  const path = join(freshFolder(), "s.journal");
  const journal = await FileJournal.create(path, header);
  datasync.mockClear();
  const addresses = Array.from({ length: 3000 }, (_, index) => `t_t.a[${index}]`);
  await Promise.all(addresses.map((address) => journal.append(intent(address))));
  expect(datasync.mock.calls.length).toBeLessThan(30);
  await journal.close();
  expect(read(path).records).toEqual(addresses.map((address) => intent(address)));
});

test("has a note in the file at once, before later records", async () => {
  const path = join(freshFolder(), "s.journal");
  const journal = await FileJournal.create(path, header);
  journal.note(intent("t_t.a"));
  expect(read(path).records).toEqual([intent("t_t.a")]);
  await journal.append(created("t_t.a"));
  expect(read(path).records).toMatchObject([intent("t_t.a"), { kind: "instance" }]);
  await journal.close();
  expect(() => {
    journal.note(intent("t_t.b"));
  }).toThrow(JournalError);
});

test("does not resolve before the fsync", async () => {
  const path = join(freshFolder(), "s.journal");
  const journal = await FileJournal.create(path, header);
  const order: string[] = [];
  datasync.mockImplementationOnce((_, done) => {
    setTimeout(() => {
      order.push("fsync");
      done();
    }, 20);
  });
  await journal.append(intent("t_t.a")).then(() => order.push("append"));
  expect(order).toEqual(["fsync", "append"]);
  await journal.close();
});

test("leaves no journal whose name may not be on the disk", async () => {
  const path = join(freshFolder(), "s.journal");
  const sync = () => Promise.reject(new Error("an error of the disk"));
  jest.replaceProperty(world, "files", { ...world.files, sync });
  await expect(FileJournal.create(path, header)).rejects.toThrow("an error of the disk");
  expect(existsSync(path)).toBe(false);
});

test("continues after the intact part of a journal", async () => {
  const path = join(freshFolder(), "s.journal");
  const first = await FileJournal.create(path, header);
  await first.append(created("t_t.a"));
  await first.close();
  const { intactBytes } = read(path);
  writeFileSync(path, '["0badc0de",{"kind":"inst', { flag: "a" });

  const second = await FileJournal.resume(path, intactBytes);
  await second.append(created("t_t.b"));
  await second.close();
  expect(read(path).records).toMatchObject([{ address: "t_t.a" }, { address: "t_t.b" }]);
});

test("rejects what it cannot keep, and everything from then on", async () => {
  const path = join(freshFolder(), "s.journal");
  const journal = await FileJournal.create(path, header);
  await journal.append(intent("t_t.a"));
  renameSync(path, `${path}.away`);

  const results = await Promise.allSettled([
    journal.append(intent("t_t.b")),
    journal.append(intent("t_t.c")),
  ]);
  for (const result of results) {
    expect(result).toMatchObject({ status: "rejected", reason: expect.any(JournalError) as Error });
  }
  expect(journal.isBroken).toBe(true);
  await expect(journal.append(intent("t_t.d"))).rejects.toThrow(path);
  expect(read(`${path}.away`).records).toEqual([intent("t_t.a")]);
});
