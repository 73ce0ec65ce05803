import { dirname, join, relative, sep } from "node:path";
import { getAsset, isSea } from "node:sea";
import { readFileNow } from "./read-file";

/**
 * The files of this package. A release packs them into an executable of Node, as its assets: their
 * paths are those of a package in the folder of the executable, but nothing is read from that folder.
 */

/** True in an executable of a release, which has no Node beside it. */
export const IS_EXECUTABLE = isSea();

/** The folder of the package in an executable. */
const ROOT = dirname(process.execPath);

/** Returns the path of a file in the executable, by its path in the package. */
export function inExecutable(name: string): string {
  return join(ROOT, name);
}

/** Reads a file of the package. */
export function readPackageFile(path: string): Buffer {
  if (!IS_EXECUTABLE) return readFileNow(path);
  return Buffer.from(getAsset(relative(ROOT, path).split(sep).join("/")));
}
