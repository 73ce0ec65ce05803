import { constants, type Stats } from "node:fs";
import type { FileHandle } from "node:fs/promises";
import { isOfAnother, isOpenToOthers, stepsTo } from "./path-steps";
import { world } from "./world";

/** Files that shells hand over open, as for `--markdown >(command)`. */
const INHERITED = /^\/(?:dev\/(?:stdout|stderr|fd\/\d+)|proc\/self\/fd\/\d+)$/;

const FLAGS = {
  /** Creates the file, or replaces its content. */
  replace: constants.O_CREAT | constants.O_TRUNC,
  /** Writes behind the content of a file that exists. */
  append: constants.O_APPEND,
  /** Creates the file. One that exists is an error with the code `EEXIST`. */
  create: constants.O_CREAT | constants.O_EXCL | constants.O_APPEND,
} as const;

/** An error of the system, for `fileProblem`. */
class NotWritableError extends Error {
  readonly syscall = "open";

  constructor(
    message: string,
    readonly code: string,
  ) {
    super(message);
  }
}

/**
 * Opens a file to write, and returns its descriptor. Throws for anything but a regular file or a
 * character device such as `/dev/null`: opening a FIFO could wait for ever. A pipe that a shell passes
 * on is written like standard output.
 */
export function openToWrite(path: string, way: keyof typeof FLAGS, mode = 0o666): number {
  const entry = expectWritable(path);
  // A file that a shell passes on keeps what was printed before.
  const flags = INHERITED.test(path) ? FLAGS.append : FLAGS[way];
  // A FIFO that is placed here meanwhile has no reader, and is an error.
  const waiting = entry && !entry.isFile() ? 0 : constants.O_NONBLOCK;
  return world.files.openSync(path, constants.O_WRONLY | flags | waiting, mode);
}

/**
 * Throws for a path that leads over a link which another user has put into a folder that others can
 * write to: the file would be written where that user wants it.
 */
export function refusePlantedLinks(path: string): void {
  const planted = INHERITED.test(path)
    ? undefined
    : stepsTo(path).find(
        ({ entry, folder }) =>
          entry.isSymbolicLink() && isOfAnother(entry) && isOpenToOthers(folder),
      );
  if (!planted) return;
  const what = planted.path === path ? "it" : planted.path;
  throw new NotWritableError(
    `${what} is a link of another user, in a folder that others can write to`,
    "ELINK",
  );
}

/** Returns what is at the path. Throws if it is nothing that `openToWrite` opens. */
export function expectWritable(path: string): Stats | undefined {
  refusePlantedLinks(path);
  const entry = world.files.statSync(path, { throwIfNoEntry: false });
  if (entry?.isDirectory()) throw new NotWritableError("is a directory", "EISDIR");
  if (!entry || entry.isFile() || entry.isCharacterDevice()) return entry;
  if (entry.isFIFO() && INHERITED.test(path)) return entry;
  throw new NotWritableError("is not a regular file", "EINVAL");
}

/** Appends all bytes, which the system may write in parts. Throws if it does not write all of them. */
export function writeWhole(fd: number, bytes: Uint8Array): void {
  for (let written = 0; written < bytes.length;) {
    written += world.files.writeSync(fd, bytes, written);
  }
}

/** Writes a file as `openToWrite` opens it. */
export function writeFileNow(
  path: string,
  content: string | Uint8Array,
  way: keyof typeof FLAGS = "replace",
  mode?: number,
): void {
  const fd = openToWrite(path, way, mode);
  try {
    world.files.writeFileSync(fd, content);
  } finally {
    world.files.closeSync(fd);
  }
}

/** Creates a file that is written in parts. One that exists is an error. */
export async function createInParts(path: string, mode: number): Promise<FileHandle> {
  refusePlantedLinks(path);
  return world.files.open(path, "wx", mode);
}
