import { createHash, randomUUID } from "node:crypto";
import { open, rename, rm, stat, type FileHandle } from "node:fs/promises";
import { basename, dirname, join } from "node:path";

/** What was written. */
export interface SavedFile {
  /** Bytes. */
  readonly size: number;
  /** Of the bytes, hexadecimal. */
  readonly sha256: string;
}

/** A file that is complete and on disk, beside the place that it is meant for. */
export interface StagedFile extends SavedFile {
  /** Puts it there: it appears, or takes another's place, at once. */
  commit(): Promise<void>;
  /** Removes it; once it is committed, nothing. */
  discard(): Promise<void>;
}

/**
 * Writes the bytes to a file that its owner alone may read and write (0600): what a console hands
 * out may embed secrets. The file appears, or takes another's place, when it is complete and on
 * disk; whatever ends it before leaves what was there. A device or a pipe is written to, and stays
 * what it is. Throws what `chunks` throws, and the system's errors.
 */
export async function saveFile(
  chunks: AsyncIterable<Uint8Array>,
  path: string,
): Promise<SavedFile> {
  if (await isDevice(path)) {
    const device = await open(path, "w");
    try {
      return await writeAll(chunks, device);
    } finally {
      await device.close();
    }
  }
  const staged = await stageFile(chunks, path);
  try {
    await staged.commit();
  } finally {
    await staged.discard();
  }
  return { size: staged.size, sha256: staged.sha256 };
}

async function isDevice(path: string): Promise<boolean> {
  try {
    const found = await stat(path);
    return found.isCharacterDevice() || found.isBlockDevice() || found.isFIFO();
  } catch {
    return false;
  }
}

async function writeAll(chunks: AsyncIterable<Uint8Array>, file: FileHandle): Promise<SavedFile> {
  const hash = createHash("sha256");
  let size = 0;
  for await (const chunk of chunks) {
    await file.writeFile(chunk);
    hash.update(chunk);
    size += chunk.length;
  }
  return { size, sha256: hash.digest("hex") };
}

/** The first half of `saveFile`, for those who look at what they have got before they use it. */
export async function stageFile(
  chunks: AsyncIterable<Uint8Array>,
  path: string,
): Promise<StagedFile> {
  const partial = join(dirname(path), `.${basename(path)}.${randomUUID()}.partial`);
  const discard = () => rm(partial, { force: true });
  const file = await open(partial, "wx", 0o600);
  try {
    const saved = await written(chunks, file);
    return { ...saved, commit: () => rename(partial, path), discard };
  } catch (error) {
    await discard();
    throw error;
  }
}

/** Closes the file when all of it is on disk. */
async function written(chunks: AsyncIterable<Uint8Array>, file: FileHandle): Promise<SavedFile> {
  try {
    const saved = await writeAll(chunks, file);
    await file.sync();
    return saved;
  } finally {
    await file.close();
  }
}
