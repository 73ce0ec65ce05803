import { isAbsolute, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";

/** The calls that create a construct. The text is made when it is read, because that is slow. */
export interface CallSite {
  readonly stack?: string;
}

/** Captures the stack of calls below the constructor of `construct`. */
export function callSiteOf(construct: object): CallSite {
  const callSite: { stack?: string } = {};
  Error.captureStackTrace(callSite, construct.constructor);
  return callSite;
}

/**
 * Returns the file and line of the first call in the user's own files, as in `stack.ts:12`, relative
 * to `directory`. Undefined if there is none, as for bundled programs without source maps.
 */
export function callSiteText({ stack = "" }: CallSite, directory: string): string | undefined {
  for (const line of stack.split("\n")) {
    const [, place = "", row] = /^\s+at (?:.*\()?(.+?):(\d+):\d+\)?$/.exec(line) ?? [];
    const file = place.startsWith("file://") ? fileURLToPath(place) : place;
    if (!isAbsolute(file) || file.split(sep).includes("node_modules")) continue;
    return `${relative(directory, file)}:${row}`;
  }
  return undefined;
}
