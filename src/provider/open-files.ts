import { constants } from "node:fs";
import { open, type FileHandle } from "node:fs/promises";
import { Limit } from "./limit";

export { syncContent, syncFile } from "../api/sync-file";

/** Far below the bounds that systems set, of which 256 is the lowest. */
const OPEN_FILES = new Limit(64);

/**
 * Opens a file, passes it on, and closes it. A run over thousands of stacks has only so many files
 * open at once; others wait. The task must not open another file: it could wait for itself.
 */
export function withFile<Result>(
  path: string,
  flags: string | number,
  task: (file: FileHandle) => Promise<Result>,
  mode?: number,
): Promise<Result> {
  return OPEN_FILES.run(async () => {
    const file = await open(path, flags, mode);
    try {
      return await task(file);
    } finally {
      await file.close();
    }
  });
}

/**
 * Reads a file. Rejects for anything but a regular file: reading a FIFO would wait for its writer
 * for ever.
 */
export function readRegularFile(path: string): Promise<Buffer> {
  return withFile(path, constants.O_RDONLY | constants.O_NONBLOCK, async (file) => {
    const entry = await file.stat();
    if (entry.isDirectory()) throw new Error("is a directory");
    if (!entry.isFile()) throw new Error("is not a regular file");
    return file.readFile();
  });
}
