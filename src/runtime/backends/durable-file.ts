import { randomUUID } from "node:crypto";
import {
  lstat,
  mkdir,
  open,
  readdir,
  readFile,
  readlink,
  realpath,
  rename,
  rm,
  type FileHandle,
} from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";

/** State files, their backups and journals may hold secrets: nobody else reads them. */
const PRIVATE = 0o600;

/** Undefined where there is no such file. */
export async function readIfPresent(path: string): Promise<Buffer | undefined> {
  return readFile(path).catch(absent);
}

/**
 * Puts a whole file in place: whoever reads it, and however the machine stops, there is the old
 * content or the new one. Both the file and its name are on the disk once this resolves.
 */
export async function replaceFile(path: string, content: Uint8Array): Promise<void> {
  const directory = dirname(path);
  await mkdir(directory, { recursive: true });
  const draft = join(directory, draftName(path, randomUUID()));
  try {
    await createFile(draft, content);
    await rename(draft, path);
  } catch (cause) {
    await rm(draft, { force: true }).catch(() => undefined);
    throw cause;
  }
  await syncDirectory(directory);
}

/**
 * Removes what writers that were killed in the middle left of a file. Only for who keeps others
 * from writing it; that something stays does not matter.
 */
export async function removeDrafts(path: string): Promise<void> {
  const directory = dirname(path);
  for (const name of await readdir(directory).catch(() => [])) {
    const id = DRAFT_ID.exec(name)?.[1];
    if (id === undefined || name !== draftName(path, id)) continue;
    await rm(join(directory, name), { force: true }).catch(() => undefined);
  }
}

const DRAFT_ID = /\.([0-9a-f-]{36})\.tmp$/;

function draftName(path: string, id: string): string {
  return `.${basename(path)}.${id}.tmp`;
}

/** Writes a file that must not exist yet. Leaves none behind where it cannot be written whole. */
export async function createFile(path: string, content: Uint8Array): Promise<void> {
  const file = await open(path, "wx", PRIVATE);
  try {
    await writeThrough(file, content);
  } catch (cause) {
    await rm(path, { force: true }).catch(() => undefined);
    throw cause;
  }
}

async function writeThrough(file: FileHandle, content: Uint8Array): Promise<void> {
  try {
    await file.writeFile(content);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Makes names that were created, replaced or removed in a directory last. */
async function syncDirectory(directory: string): Promise<void> {
  // Windows opens no directories; there a rename is as durable as it gets.
  if (process.platform === "win32") return;
  const handle = await open(directory, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** The file that a path leads to behind all symbolic links, whether that file exists or not. */
export async function resolveLinks(path: string): Promise<string> {
  const target = await realpath(path).catch(absent);
  if (target !== undefined) return target;
  const entry = await lstat(path).catch(absent);
  if (entry?.isSymbolicLink()) {
    return resolveLinks(resolve(dirname(path), await readlink(path)));
  }
  const directory = await realpath(dirname(path)).catch(absent);
  return join(directory ?? dirname(path), basename(path));
}

/** For `catch`: a missing file is no failure here. */
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
