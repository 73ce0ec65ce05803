import type { Library } from "../../core/library-names";

/** The lines of the template, which is also that of `cdktf init`, that name the library. */
const CDKTN: readonly (readonly [string, string])[] = [
  ['from "cdktf"', 'from "cdktn"'],
  ['"cdktf": "^0.21.0"', '"cdktn": "^0.24.0"'],
  // cdktn 0.24 takes no later ones.
  ['"constructs": "^10.4.2"', '"constructs": "~10.7.2"'],
];

/** Rewrites TypeScript or a package.json on cdktf for the library of a project. */
export function withLibrary(text: string, library: Library = "cdktf"): string {
  return library === "cdktf"
    ? text
    : CDKTN.reduce((written, [cdktf, cdktn]) => written.replaceAll(cdktf, cdktn), text);
}
