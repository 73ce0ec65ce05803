import { constants } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { makeFolder } from "./make-folder";
import { readFile } from "./read-file";
import { withFile } from "./open-files";
import { SharedTask } from "./shared-task";
import { expectWritable, writeFileNow } from "./write-file";
import { ofWorld, world } from "./world";

/** State files, their backups and journals may hold secrets: only the owner may read them. */
export const PRIVATE = 0o600;

/** Reads a file; undefined if it does not exist. Rejects for anything but a regular file. */
export async function readIfPresent(path: string): Promise<Buffer | undefined> {
  return readFile(path).catch(absent);
}

/**
 * Replaces a file atomically: readers, also after a crash, find the old or the new content. Both the
 * file and its name are on the disk when this resolves.
 */
export async function replaceFile(
  path: string,
  content: Uint8Array,
  mode = PRIVATE,
): Promise<void> {
  const directory = dirname(path);
  makeFolder(directory);
  const draft = join(directory, draftName(path, world.random.uuid()));
  try {
    await createFile(draft, content, mode);
    await world.files.rename(draft, path);
  } catch (cause) {
    await world.files.rm(draft, { force: true }).catch(() => undefined);
    throw cause;
  }
  await syncDirectory(directory);
}

/**
 * Replaces the file that a user named: atomically, where a link leads to, and a device in its place.
 * Throws for a FIFO.
 */
export async function replaceNamedFile(path: string, content: Uint8Array): Promise<void> {
  const entry = expectWritable(path);
  if (!entry || entry.isFile()) await replaceFile(resolveLinks(path), content);
  else writeFileNow(path, content);
}

/** Creates a file with the content of another one; false if it exists already. */
export async function linkNew(from: string, to: string): Promise<boolean> {
  try {
    try {
      world.files.linkSync(from, to);
    } catch (cause) {
      if (!UNSUPPORTED.has(errorCode(cause)) && errorCode(cause) !== "EPERM") throw cause;
      // Without hard links, readers may find the file before its content.
      await world.files.copyFile(from, to, constants.COPYFILE_EXCL);
    }
    return true;
  } catch (cause) {
    if (errorCode(cause) === "EEXIST") return false;
    throw cause;
  }
}

/** Removes drafts of killed writers, as far as possible. The caller locks out other writers. */
export async function removeDrafts(path: string): Promise<void> {
  const directory = dirname(path);
  for (const name of await world.files.readdir(directory).catch(() => [])) {
    const id = DRAFT_ID.exec(name)?.[1];
    if (id === undefined || name !== draftName(path, id)) continue;
    await world.files.rm(join(directory, name), { force: true }).catch(() => undefined);
  }
}

const DRAFT_ID = /\.([0-9a-f-]{36})\.tmp$/;

function draftName(path: string, id: string): string {
  return `.${basename(path)}.${id}.tmp`;
}

/** Writes a file that must not exist yet. Removes it if it cannot be written completely. */
export async function createFile(path: string, content: Uint8Array, mode = PRIVATE): Promise<void> {
  const write = async (file: { readonly fd: number }) => {
    try {
      world.files.writeFileSync(file.fd, content);
      await world.files.sync(file.fd);
    } catch (cause) {
      await world.files.rm(path, { force: true }).catch(() => undefined);
      throw cause;
    }
  };
  await withFile(path, "wx", write, mode);
}

/** Codes of file systems that lack an operation. */
const UNSUPPORTED: ReadonlySet<string | undefined> = new Set([
  "EINVAL",
  "ENOSYS",
  "ENOTSUP",
  "EOPNOTSUPP",
]);

const syncs = ofWorld(() => new Map<string, SharedTask>());

/**
 * Makes changes of the names in a directory durable, where the file system can. The states of many
 * stacks are in one directory.
 */
export async function syncDirectory(directory: string): Promise<void> {
  // Windows cannot open directories; a rename has to suffice there.
  if (process.platform === "win32") return;
  const sync = syncs().get(directory) ?? new SharedTask(() => syncDirectoryNow(directory));
  syncs().set(directory, sync);
  await sync.run();
}

async function syncDirectoryNow(directory: string): Promise<void> {
  await withFile(directory, "r", async ({ fd }) => {
    await world.files.sync(fd).catch(unlessUnsupported);
  });
}

/** Makes the content of an open file durable, if it is one that can be. */
export async function syncContent(descriptor: number): Promise<void> {
  await world.files.syncContent(descriptor).catch(unlessUnsupported);
}

/** A `catch` handler for files and folders that cannot be synchronized, such as devices. */
function unlessUnsupported(cause: unknown): void {
  if (!UNSUPPORTED.has(errorCode(cause))) throw cause;
}

/** Resolves all symbolic links of a path. The file at their end need not exist. */
export function resolveLinks(path: string): string {
  const entry = world.files.lstatSync(path, { throwIfNoEntry: false });
  const target = entry && realPath(path);
  if (target !== undefined) return target;
  if (entry?.isSymbolicLink())
    return resolveLinks(resolve(dirname(path), world.files.readlinkSync(path)));
  return join(realPath(dirname(path)) ?? dirname(path), basename(path));
}

/** Undefined if nothing is there. */
function realPath(path: string): string | undefined {
  try {
    return world.files.realpathSync.native(path);
  } catch (cause) {
    absent(cause);
    return undefined;
  }
}

/** Removes the name of a file, if it exists. */
export function removeIfPresent(path: string): void {
  try {
    world.files.unlinkSync(path);
  } catch (cause) {
    absent(cause);
  }
}

/** A `catch` handler that ignores a missing file. */
export function absent(cause: unknown): undefined {
  if (errorCode(cause) === "ENOENT") return undefined;
  throw cause;
}

/** `ENOENT`, `ENOSPC`: the code of a failed system call. */
export function errorCode(cause: unknown): string | undefined {
  return typeof cause === "object" && cause !== null && "code" in cause
    ? String(cause.code)
    : undefined;
}
