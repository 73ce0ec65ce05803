import { execFileSync } from "node:child_process";
import {
  closeSync,
  constants,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  readSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { replaceNamedFile } from "../../../src/core/io/durable-file";
import { fileProblem } from "../../../src/core/io/file-problem";
import { openToWrite, writeFileNow } from "../../../src/core/io/write-file";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "write-file-"));
});
const at = (name: string) => join(folder, name);

test("creates a file, and replaces its content", () => {
  writeFileNow(at("file"), "a longer text");
  writeFileNow(at("file"), "text");
  expect(readFileSync(at("file"), "utf8")).toBe("text");
});

test("creates no file that exists", () => {
  writeFileNow(at("file"), "first", "create", 0o600);
  expect(statSync(at("file")).mode & 0o777).toBe(0o600);
  expect(() => {
    writeFileNow(at("file"), "second", "create");
  }).toThrow(/^EEXIST/);
  expect(readFileSync(at("file"), "utf8")).toBe("first");
});

test("appends to a file that exists", () => {
  expect(() => openToWrite(at("file"), "append")).toThrow(/ENOENT/);
  writeFileSync(at("file"), "a");
  writeFileNow(at("file"), "b", "append");
  expect(readFileSync(at("file"), "utf8")).toBe("ab");
});

describe.each(["replace", "append", "create"] as const)("to %s", (way) => {
  test("does not wait for the reader of a FIFO, and describes the problem", () => {
    execFileSync("mkfifo", [at("fifo")]);
    try {
      openToWrite(at("fifo"), way);
      expect("nothing is thrown").toBe("");
    } catch (cause) {
      expect(fileProblem(cause)?.text).toBe("is not a regular file");
    }
  });

  test("refuses a folder", () => {
    mkdirSync(at("folder"));
    expect(() => openToWrite(at("folder"), way)).toThrow("is a directory");
  });
});

test("refuses a socket", async () => {
  const server = createServer().listen(at("socket"));
  await new Promise((listening) => server.once("listening", listening));
  expect(() => openToWrite(at("socket"), "replace")).toThrow("is not a regular file");
  server.close();
});

describe("a file that a user named", () => {
  test("is replaced where a link leads to", async () => {
    writeFileSync(at("file"), "old");
    symlinkSync("file", at("link"));
    await replaceNamedFile(at("link"), Buffer.from("new"));
    expect(readFileSync(at("file"), "utf8")).toBe("new");
    expect(statSync(at("link")).isFile()).toBe(true);
  });

  test("stays a device", async () => {
    symlinkSync("/dev/null", at("null"));
    await replaceNamedFile(at("null"), Buffer.from("text"));
    expect(statSync(at("null")).isCharacterDevice()).toBe(true);
  });

  test("is no FIFO", async () => {
    execFileSync("mkfifo", [at("fifo")]);
    await expect(replaceNamedFile(at("fifo"), Buffer.from(""))).rejects.toThrow(
      "is not a regular file",
    );
  });
});

test("a pipe that a shell passes on gets the text", () => {
  execFileSync("mkfifo", [at("fifo")]);
  const fd = openSync(at("fifo"), constants.O_RDWR);
  writeFileNow(`/dev/fd/${fd}`, "text");
  const read = Buffer.alloc(10);
  expect(read.subarray(0, readSync(fd, read)).toString()).toBe("text");
  closeSync(fd);
});
