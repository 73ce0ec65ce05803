import { dirname, join } from "node:path";
import { z } from "zod";
import { LIBRARIES, type Library } from "../library-names";
import { readTextNow } from "./read-file";

const packages = z.record(z.string(), z.string()).default({});
const manifest = z.looseObject({ dependencies: packages, devDependencies: packages });

/**
 * Finds the library of the project that a folder, which may be missing, is in: the one that the
 * nearest package.json with a library names. Undefined if it names both, or if there is none.
 */
export function projectLibrary(folder: string): Library | undefined {
  const named = librariesIn(join(folder, "package.json"));
  if (named.length > 0) return named.length === 1 ? named[0] : undefined;
  const parent = dirname(folder);
  return parent === folder ? undefined : projectLibrary(parent);
}

/** The libraries that a file names. A file that cannot be read names none. */
function librariesIn(file: string): readonly Library[] {
  try {
    const { dependencies, devDependencies } = manifest.parse(JSON.parse(readTextNow(file)));
    return LIBRARIES.filter((name) => name in dependencies || name in devDependencies);
  } catch {
    return [];
  }
}
