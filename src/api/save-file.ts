import { createHash, randomUUID } from "node:crypto";
import { open, rename, rm } from "node:fs/promises";
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
 * disk; whatever ends it before leaves what was there. Throws what `chunks` throws, and the
 * system's errors.
 */
export async function saveFile(
  chunks: AsyncIterable<Uint8Array>,
  path: string,
): Promise<SavedFile> {
  const staged = await stageFile(chunks, path);
  try {
    await staged.commit();
  } finally {
    await staged.discard();
  }
  return { size: staged.size, sha256: staged.sha256 };
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
    const hash = createHash("sha256");
    let size = 0;
    try {
      for await (const chunk of chunks) {
        await file.writeFile(chunk);
        hash.update(chunk);
        size += chunk.length;
      }
      await file.sync();
    } finally {
      await file.close();
    }
    return { size, sha256: hash.digest("hex"), commit: () => rename(partial, path), discard };
  } catch (error) {
    await discard();
    throw error;
  }
}
