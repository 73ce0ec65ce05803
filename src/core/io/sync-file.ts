import { fdatasync, fsync } from "node:fs";
import type { FileHandle } from "node:fs/promises";
import { promisify } from "node:util";

// By descriptors, since the handles of Yarn's Plug'n'Play have no `sync` and `datasync`.
const syncDescriptor = promisify(fsync);
const syncContentOf = promisify(fdatasync);

/** Waits until a file is on disk. */
export function syncFile({ fd }: Pick<FileHandle, "fd">): Promise<void> {
  return syncDescriptor(fd);
}

/** Waits until the content of a file is on disk, but not its times. */
export function syncContent({ fd }: Pick<FileHandle, "fd">): Promise<void> {
  return syncContentOf(fd);
}
