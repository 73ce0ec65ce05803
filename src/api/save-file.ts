import { createHash } from "node:crypto";
import type { FileHandle } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { createInParts, expectWritable, openToWrite } from "../core/io/write-file";
import { world } from "../core/io/world";

/** A file that was written. */
export interface SavedFile {
  /** Size in bytes. */
  readonly size: number;
  /** SHA-256 of the content, hexadecimal. */
  readonly sha256: string;
}

/** A complete file on disk, in the folder of its target. */
export interface StagedFile extends SavedFile {
  /** Moves it to its target, atomically replacing an existing file. */
  commit(): Promise<void>;
  /** Removes it, unless it is committed. */
  discard(): Promise<void>;
}

/**
 * Writes bytes to a file that only its owner can read and write (0600), because downloads may embed
 * secrets. The file appears, or replaces an existing one, atomically once it is complete and on
 * disk; a failure leaves the previous file unchanged. Devices, and pipes that a shell passes on as
 * `/dev/fd/63`, are written to directly; a FIFO with a name is refused. Throws the errors of `chunks`
 * and of the system.
 */
export async function saveFile(
  chunks: AsyncIterable<Uint8Array>,
  path: string,
): Promise<SavedFile> {
  if (expectWritable(path)?.isFile() === false) {
    const fd = openToWrite(path, "append");
    try {
      return await writeAll(chunks, (chunk) => {
        world.files.writeFileSync(fd, chunk);
      });
    } finally {
      world.files.closeSync(fd);
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

async function writeAll(
  chunks: AsyncIterable<Uint8Array>,
  write: (chunk: Uint8Array) => Promise<void> | void,
): Promise<SavedFile> {
  const hash = createHash("sha256");
  let size = 0;
  for await (const chunk of chunks) {
    await write(chunk);
    hash.update(chunk);
    size += chunk.length;
  }
  return { size, sha256: hash.digest("hex") };
}

/** Writes the file next to its target, for callers that inspect it before they commit it. */
export async function stageFile(
  chunks: AsyncIterable<Uint8Array>,
  path: string,
): Promise<StagedFile> {
  const partial = join(dirname(path), `.${basename(path)}.${world.random.uuid()}.partial`);
  const discard = () => world.files.rm(partial, { force: true });
  const file = await createInParts(partial, 0o600);
  try {
    const saved = await written(chunks, file);
    return { ...saved, commit: () => world.files.rename(partial, path), discard };
  } catch (error) {
    await discard();
    throw error;
  }
}

/** Closes the file once its content is on disk. */
async function written(chunks: AsyncIterable<Uint8Array>, file: FileHandle): Promise<SavedFile> {
  try {
    const saved = await writeAll(chunks, (chunk) => file.writeFile(chunk));
    await world.files.sync(file.fd);
    return saved;
  } finally {
    await file.close();
  }
}
