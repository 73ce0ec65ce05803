import {
  closeSync,
  createReadStream,
  existsSync,
  fdatasync,
  fstatSync,
  fsync,
  ftruncateSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readlinkSync,
  readSync,
  realpathSync,
  rmSync,
  statSync,
  unlinkSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import {
  copyFile,
  lstat,
  open,
  readdir,
  rename,
  rm,
  stat,
  truncate,
  unlink,
} from "node:fs/promises";
import { promisify } from "node:util";

/** The calls of Node to files. */
const calls = {
  closeSync,
  copyFile,
  createReadStream,
  existsSync,
  fstatSync,
  ftruncateSync,
  linkSync,
  lstat,
  lstatSync,
  mkdirSync,
  open,
  openSync,
  readdir,
  readdirSync,
  readlinkSync,
  readSync,
  realpathSync,
  rename,
  rm,
  rmSync,
  stat,
  statSync,
  truncate,
  unlink,
  unlinkSync,
  writeFileSync,
  writeSync,
};

/** Files as a run sees them: those of the machine, or those of a simulation. */
export interface Files extends Readonly<typeof calls> {
  /** Waits until a file is on disk. */
  readonly sync: (descriptor: number) => Promise<void>;
  /** Waits until the content of a file is on disk, but not its times. */
  readonly syncContent: (descriptor: number) => Promise<void>;
}

// By descriptors, since the handles of Yarn's Plug'n'Play have no `sync` and `datasync`.
export const machineFiles: Files = {
  ...calls,
  sync: promisify(fsync),
  syncContent: promisify(fdatasync),
};
