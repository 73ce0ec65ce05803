import { existsSync, mkdirSync, mkdtempSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { makeFolder, makeFolderInside } from "../../../src/core/io/make-folder";

const root = () => mkdtempSync(join(tmpdir(), "make-folder-"));

test("makes a folder and those above it, once", () => {
  const folder = join(root(), "a/b/c");
  makeFolder(folder, 0o700);
  makeFolder(folder, 0o700);
  expect(statSync(folder).mode & 0o777).toBe(0o700);
});

test("ends where no folder can be made", () => {
  expect(() => {
    makeFolder("/proc/missing/folder");
  }).toThrow("ENOENT");
});

test("refuses a file in the place of a folder", () => {
  const file = join(root(), "file");
  writeFileSync(file, "");
  expect(() => {
    makeFolder(join(file, "below"));
  }).toThrow("ENOTDIR");
});

test("makes the folder of a file inside of another one", () => {
  const folder = join(root(), "project");
  makeFolderInside(folder, join(folder, "a/b/file"));
  makeFolderInside(folder, join(folder, "file"));
  expect(existsSync(join(folder, "a/b"))).toBe(true);
});

test("follows no link that leads elsewhere", () => {
  const [folder, elsewhere] = [root(), root()];
  symlinkSync(elsewhere, join(folder, "a"));
  expect(() => {
    makeFolderInside(folder, join(folder, "a/b/file"));
  }).toThrow("a part of the path is a symbolic link");
  expect(existsSync(join(elsewhere, "b"))).toBe(false);
});

test("follows a link that the user names", () => {
  const [elsewhere, folder] = [root(), join(root(), "link")];
  symlinkSync(elsewhere, folder);
  mkdirSync(join(elsewhere, "a"));
  makeFolderInside(folder, join(folder, "a/b/file"));
  expect(existsSync(join(elsewhere, "a/b"))).toBe(true);
});
