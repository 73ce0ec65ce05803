import { constants, type ReadStream, type Stats } from "node:fs";
import { Socket } from "node:net";
import { readStream } from "./read-stream";
import { InputTooLargeError, LARGEST_INPUT_BYTES } from "./size";
import { world } from "./world";

/** Files that shells hand over open, as for `--stacks-from <(command)`. */
const INHERITED = /^\/(?:dev\/(?:stdin|fd\/\d+)|proc\/self\/fd\/\d+)$/;

const CHUNK_BYTES = 64 * 1024;

/**
 * Reads a file that has at most `limitBytes`. Rejects for anything but a regular file: reading a
 * FIFO or a device could wait for ever. A pipe that a shell passes on is read like standard input.
 *
 * The files of a stack are small: system calls in this thread take a tenth of the time that tasks
 * for other threads take.
 */
export function readFile(path: string, limitBytes = LARGEST_INPUT_BYTES): Promise<Buffer> {
  return new Promise((resolve) => {
    resolve(INHERITED.test(path) ? readInherited(path, limitBytes) : readFileNow(path, limitBytes));
  });
}

/** Like `readFile`, as the text that `textByMark` returns. */
export async function readTextFile(path: string): Promise<string> {
  return textByMark(await readFile(path));
}

/**
 * Decodes a file that a person may have saved: in UTF-8, or in UTF-16 with a mark of the byte order,
 * as PowerShell writes it. The mark is no part of the text.
 */
export function textByMark(bytes: Buffer): string {
  const mark = bytes.subarray(0, 2).toString("latin1");
  const isWide = mark === "\xff\xfe" || mark === "\xfe\xff";
  const even = bytes.subarray(0, bytes.length & ~1);
  const little = mark === "\xfe\xff" ? Buffer.from(even).swap16() : even;
  return (isWide ? little.toString("utf16le") : bytes.toString("utf8")).replace(/^\uFEFF/, "");
}

/** Like `readFile`, synchronously, and without pipes. */
export function readFileNow(path: string, limitBytes = LARGEST_INPUT_BYTES): Buffer {
  const fd = openToRead(path);
  try {
    return readRegular(fd, limitBytes);
  } finally {
    world.files.closeSync(fd);
  }
}

/** Opens a regular file of any size, to be read in chunks. */
export function openChunks(path: string): ReadStream {
  const fd = openToRead(path);
  try {
    expectRegular(fd);
  } catch (cause) {
    world.files.closeSync(fd);
    throw cause;
  }
  return world.files.createReadStream(path, { fd });
}

/** Reads the text of a regular file as `readFileNow`. */
export function readTextNow(path: string, limitBytes?: number): string {
  return textByMark(readFileNow(path, limitBytes));
}

/** Opening a FIFO in this way does not wait for its writer. */
function openToRead(path: string): number {
  return world.files.openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
}

/** Returns the size. Throws for anything but a regular file. */
function expectRegular(fd: number): number {
  const entry = world.files.fstatSync(fd);
  if (entry.isDirectory())
    throw Object.assign(new Error("is a directory"), { code: "EISDIR", syscall: "read" });
  if (!entry.isFile()) throw new Error("is not a regular file");
  return entry.size;
}

/** The size is a guess: files of /proc have none, and other programs may be writing. */
function readRegular(fd: number, limitBytes: number): Buffer {
  const size = expectRegular(fd);
  if (size > limitBytes) throw new InputTooLargeError(limitBytes);
  let read = Buffer.allocUnsafe(size === 0 ? CHUNK_BYTES : size + 1);
  let length = 0;
  for (;;) {
    const count = world.files.readSync(fd, read, length, read.length - length, null);
    if (count === 0) return read.subarray(0, length);
    length += count;
    if (length > limitBytes) throw new InputTooLargeError(limitBytes);
    if (length === read.length) read = Buffer.concat([read, Buffer.allocUnsafe(length)]);
  }
}

function readInherited(path: string, limitBytes: number): Buffer | Promise<Buffer> {
  const fd = openToRead(path);
  if (!world.files.fstatSync(fd).isFIFO()) {
    world.files.closeSync(fd);
    return readFileNow(path, limitBytes);
  }
  return readStream(new Socket({ fd, writable: false }), limitBytes);
}

/** The problem of a file whose bytes are not UTF-8, at the line of the first ones, given its text. */
export function otherEncoding(text: string): { readonly message: string; readonly line: number } {
  return {
    message: "the file has another encoding than UTF-8: save it as UTF-8",
    line: text.slice(0, text.indexOf("\uFFFD")).split("\n").length,
  };
}

/** Returns the entry of a path; undefined if there is none, as below a file. */
export function entryAt(path: string): Stats | undefined {
  const { existsSync, statSync } = world.files;
  return existsSync(path) ? statSync(path, { throwIfNoEntry: false }) : undefined;
}
