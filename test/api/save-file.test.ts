import { execFileSync } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import {
  chmod,
  constants,
  mkdtemp,
  open,
  readdir,
  readFile,
  rm,
  stat,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { saveFile } from "../../src/api/save-file";
import { scripted } from "./support/scripted-console";

let directory: string;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "save-file-"));
});
afterEach(() => rm(directory, { recursive: true }));

async function* parts(bytes: Buffer): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += 10_000) {
    await Promise.resolve();
    yield bytes.subarray(at, at + 10_000);
  }
}

test("writes a file that only its owner can read", async () => {
  const bytes = randomBytes(123_456);
  const path = join(directory, "chart.tar.gz");
  expect(await saveFile(parts(bytes), path)).toEqual({
    size: bytes.length,
    sha256: createHash("sha256").update(bytes).digest("hex"),
  });
  expect((await readFile(path)).equals(bytes)).toBe(true);
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  expect(await readdir(directory)).toEqual(["chart.tar.gz"]);
});

test("replaces a file of any mode", async () => {
  const path = join(directory, "defender.sh");
  await writeFile(path, "old");
  await chmod(path, 0o755);
  await saveFile(parts(Buffer.from("new")), path);
  expect(await readFile(path, "utf8")).toBe("new");
  expect((await stat(path)).mode & 0o777).toBe(0o600);
});

test("keeps the previous file when the download breaks off", async () => {
  const path = join(directory, "out.csv");
  const broken = async function* () {
    yield* parts(Buffer.from("half"));
    throw new Error("broken off");
  };
  await expect(saveFile(broken(), path)).rejects.toThrow("broken off");
  expect(await readdir(directory)).toEqual([]);
  await writeFile(path, "old");
  await expect(saveFile(broken(), path)).rejects.toThrow("broken off");
  expect(await readFile(path, "utf8")).toBe("old");
  expect(await readdir(directory)).toEqual(["out.csv"]);
});

test("keeps the previous file on abort", async () => {
  const abort = new AbortController();
  const { client } = scripted(() => ({ body: "x".repeat(1000) }));
  const download = client.download("downloadCloudDiscovery", { signal: abort.signal });
  const aborting = async function* () {
    for await (const chunk of download) {
      yield chunk;
      abort.abort();
    }
  };
  await expect(saveFile(aborting(), join(directory, "out.csv"))).rejects.toMatchObject({
    code: "CONSOLE_ABORTED",
  });
  expect(await readdir(directory)).toEqual([]);
});

test("sends nothing when the file cannot be created", async () => {
  const { client, calls } = scripted(() => ({}));
  const path = join(directory, "missing", "out.csv");
  await expect(saveFile(client.download("downloadCloudDiscovery"), path)).rejects.toMatchObject({
    code: "ENOENT",
  });
  expect(calls()).toEqual([]);
});

test("writes to a pipe that a shell passes on", async () => {
  const path = join(directory, "pipe");
  execFileSync("mkfifo", [path]);
  const pipe = await open(path, constants.O_RDWR);
  const { size } = await saveFile(parts(Buffer.from("name,defended\n")), `/dev/fd/${pipe.fd}`);
  const { buffer, bytesRead } = await pipe.read();
  expect(buffer.subarray(0, bytesRead).toString()).toBe("name,defended\n");
  expect(size).toBe(14);
  expect((await stat(path)).isFIFO()).toBe(true);
  await pipe.close();
});

test("refuses a FIFO, and does not wait for its reader", async () => {
  const path = join(directory, "pipe");
  execFileSync("mkfifo", [path]);
  await expect(saveFile(parts(Buffer.from("a")), path)).rejects.toThrow("is not a regular file");
});
