import { Limit } from "./limit";
import { world } from "./world";

/** Far below the bounds that systems set, of which 256 is the lowest. */
const OPEN_FILES = new Limit(64);

/** An open file. */
interface OpenFile {
  /** The descriptor. */
  readonly fd: number;
}

/**
 * Opens a file, passes it on, and closes it. A run over thousands of stacks has only so many files
 * open at once; others wait. The task must not open another file: it could wait for itself.
 *
 * The files of a stack are small: system calls in this thread take a tenth of the time that tasks
 * for other threads take. Only waiting for the disk is left to those.
 */
export function withFile<Result>(
  path: string,
  flags: string | number,
  task: (file: OpenFile) => Promise<Result>,
  mode?: number,
): Promise<Result> {
  return OPEN_FILES.run(async () => {
    const fd = world.files.openSync(path, flags, mode);
    try {
      return await task({ fd });
    } finally {
      world.files.closeSync(fd);
    }
  });
}
