import { createHash, randomUUID } from "node:crypto";
import { open, rename, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";

export interface SavedFile {
  /** Bytes. */
  readonly size: number;
  /** Of the bytes, hexadecimal. */
  readonly sha256: string;
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
  const partial = join(dirname(path), `.${basename(path)}.${randomUUID()}.partial`);
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
    await rename(partial, path);
    return { size, sha256: hash.digest("hex") };
  } catch (error) {
    await rm(partial, { force: true });
    throw error;
  }
}
