import {
  chmodSync,
  lchownSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { saveFile } from "../../../src/api/save-file";
import { replaceNamedFile } from "../../../src/core/io/durable-file";
import { fileProblem } from "../../../src/core/io/file-problem";
import { canBeReplaced } from "../../../src/core/io/path-steps";
import { writeFileNow } from "../../../src/core/io/write-file";

/*
 * A link of another user in a folder that others can write to is not followed. Only root can make
 * files of others, so without its rights this process plays another user than the one that made them.
 */

const OTHER = 12_345;
const isRoot = process.getuid?.() === 0;

function plant(target: string, link: string): void {
  symlinkSync(target, link);
  if (isRoot) lchownSync(link, OTHER, OTHER);
}

let shared: string;
let target: string;
beforeEach(() => {
  const folder = mkdtempSync(join(tmpdir(), "planted-"));
  shared = join(folder, "shared");
  target = join(folder, "target");
  mkdirSync(shared);
  chmodSync(shared, 0o1777);
  writeFileSync(target, "as before");
  if (!isRoot) jest.spyOn(process, "getuid").mockReturnValue(OTHER);
});
afterEach(() => jest.restoreAllMocks());

async function* text(): AsyncGenerator<Uint8Array> {
  await Promise.resolve();
  yield Buffer.from("new");
}

const WAYS: Readonly<Record<string, (path: string) => unknown>> = {
  replaced: (path) => {
    writeFileNow(path, "new", "replace");
  },
  appended: (path) => {
    writeFileNow(path, "new", "append");
  },
  "replaced atomically": (path) => replaceNamedFile(path, Buffer.from("new")),
  downloaded: (path) => saveFile(text(), path),
};

async function problemOf(write: () => unknown): Promise<string | undefined> {
  try {
    await write();
    return undefined;
  } catch (failure) {
    return fileProblem(failure)?.text;
  }
}

test.each(Object.entries(WAYS))("no file is %s over a planted link", async (_, write) => {
  plant(target, join(shared, "out"));
  expect(await problemOf(() => write(join(shared, "out")))).toBe(
    "it is a link of another user, in a folder that others can write to",
  );
  expect(readFileSync(target, "utf8")).toBe("as before");
});

test.each(Object.entries(WAYS))("no file is %s in a planted folder", async (_, write) => {
  plant(join(shared, ".."), join(shared, "folder"));
  expect(await problemOf(() => write(join(shared, "folder", "target")))).toBe(
    `${join(shared, "folder")} is a link of another user, in a folder that others can write to`,
  );
  expect(readFileSync(target, "utf8")).toBe("as before");
});

if (isRoot) {
  test.each(Object.entries(WAYS))("a file is %s over the link of its user", async (_, write) => {
    symlinkSync(target, join(shared, "out"));
    expect(await problemOf(() => write(join(shared, "out")))).toBeUndefined();
    expect(readFileSync(join(shared, "out"), "utf8")).toContain("new");
  });

  test.each(Object.entries(WAYS))(
    "a file is %s over a link in a closed folder",
    async (_, write) => {
      chmodSync(shared, 0o755);
      plant(target, join(shared, "out"));
      expect(await problemOf(() => write(join(shared, "out")))).toBeUndefined();
    },
  );
}

test.each([
  ["closed folders", 0o755, false],
  ["a folder of a group", 0o775, true],
  ["a folder of all", 0o777, true],
  ["a sticky folder", 0o1777, false],
])("others can replace a part of a path through %s", (_, mode, isReplaceable) => {
  jest.restoreAllMocks();
  mkdirSync(join(shared, "inner"));
  chmodSync(shared, mode);
  jest.spyOn(process, "getgid").mockReturnValue(OTHER);
  expect(canBeReplaced(join(shared, "inner"))).toBe(isReplaceable);
});
