import { dirname, join, relative, sep } from "node:path";
import { world } from "./world";

/**
 * Creates a folder, and those above it. Node's recursive `mkdir` never ends below /proc, where making
 * a folder fails as if the folder above did not exist.
 */
export function makeFolder(path: string, mode?: number): void {
  const missing: string[] = [];
  for (let at = path; !exists(at); at = dirname(at)) missing.push(at);
  // The path may be a file: creating it again reports that.
  for (const folder of [...missing.reverse(), path]) makeOne(folder, mode);
}

/**
 * Creates the folder of a file that is inside of `root`. Throws if a link on the way leads elsewhere:
 * the file would be written where nobody expects it.
 */
export function makeFolderInside(root: string, file: string): void {
  makeFolder(root);
  let at = root;
  for (const name of relative(root, dirname(file)).split(sep)) {
    at = join(at, name);
    makeOne(at);
    if (at !== root && world.files.lstatSync(at).isSymbolicLink()) {
      throw new Error("a part of the path is a symbolic link");
    }
  }
}

function exists(path: string): boolean {
  return world.files.statSync(path, { throwIfNoEntry: false }) !== undefined;
}

function makeOne(path: string, mode?: number): void {
  try {
    world.files.mkdirSync(path, { mode });
  } catch (cause) {
    // It exists, or another process has made it.
    if (!world.files.statSync(path, { throwIfNoEntry: false })?.isDirectory()) throw cause;
  }
}
