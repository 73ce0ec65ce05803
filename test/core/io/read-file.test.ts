import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, truncateSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openChunks, readFile, readFileNow } from "../../../src/core/io/read-file";
import { LARGEST_INPUT_BYTES } from "../../../src/core/io/size";

const folder = mkdtempSync(join(tmpdir(), "read-file-"));
const at = (name: string) => join(folder, name);

beforeAll(() => {
  writeFileSync(at("file"), "é".repeat(100_000));
  writeFileSync(at("empty"), "");
  writeFileSync(at("huge"), "");
  truncateSync(at("huge"), LARGEST_INPUT_BYTES + 1);
  mkdirSync(at("folder"));
  execFileSync("mkfifo", [at("fifo")]);
});

test("reads a regular file to its end", async () => {
  expect((await readFile(at("file"))).toString()).toBe("é".repeat(100_000));
  expect(readFileNow(at("empty"))).toHaveLength(0);
});

test("reads a file of /proc, whose size is not known", () => {
  const stat = readFileNow("/proc/self/stat").toString();
  expect(Number.parseInt(stat)).toBe(process.pid);
});

test.each([
  ["fifo", "is not a regular file"],
  ["folder", "is a directory"],
  ["huge", "is larger than 256 MiB"],
])("refuses %s, by each way to read it", async (name, message) => {
  await expect(readFile(at(name))).rejects.toThrow(message);
  expect(() => readFileNow(at(name))).toThrow(message);
  if (name !== "huge") expect(() => openChunks(at(name))).toThrow(message);
});

test("refuses a socket and a device", async () => {
  const server = createServer().listen(at("socket"));
  await new Promise((listening) => server.once("listening", listening));
  await expect(readFile(at("socket"))).rejects.toMatchObject({ code: "ENXIO" });
  server.close();
  await expect(readFile("/dev/zero")).rejects.toThrow("is not a regular file");
});

test("refuses a file that is larger than its own size says", () => {
  // Its size is 0.
  expect(() => readFileNow("/proc/self/smaps", 100)).toThrow("is larger than 100 bytes");
});
