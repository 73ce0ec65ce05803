import { join } from "node:path";
import { z } from "zod";
import { readTextNow } from "../../core/io/read-file";
import type { Library } from "./library-names";

/** The lines of the template, which is also that of `cdktf init`, that name the library. */
const CDKTN: readonly (readonly [string, string])[] = [
  ['from "cdktf"', 'from "cdktn"'],
  ['"cdktf": "^0.21.0"', '"cdktn": "^0.24.0"'],
  // cdktn 0.24 takes no later ones.
  ['"constructs": "^10.4.2"', '"constructs": "~10.7.2"'],
];

const MANIFEST = z.looseObject({ dependencies: z.record(z.string(), z.string()) });

/** Finds the library of the project in a folder: cdktf, unless its package.json names only cdktn. */
export function libraryIn(folder: string): Library {
  try {
    const text = readTextNow(join(folder, "package.json"));
    const { dependencies } = MANIFEST.parse(JSON.parse(text));
    return "cdktn" in dependencies && !("cdktf" in dependencies) ? "cdktn" : "cdktf";
  } catch {
    return "cdktf";
  }
}

/** Rewrites TypeScript or a package.json on cdktf for the library of a project. */
export function withLibrary(text: string, library: Library = "cdktf"): string {
  return library === "cdktf"
    ? text
    : CDKTN.reduce((written, [cdktf, cdktn]) => written.replaceAll(cdktf, cdktn), text);
}
