import type { Stats } from "node:fs";
import { posix } from "node:path";
import { compareStrings } from "../../../core/values";
import { world } from "../../../core/io/world";

/** A syntax error in a pattern. It is found only where a name is compared with the pattern so far. */
export class BadPattern extends Error {}

/** A pattern or a name with one character for each byte of its UTF-8, as Terraform's library reads it. */
type Bytes = string;

const toBytes = (text: string): Bytes => Buffer.from(text).toString("latin1");
const fromBytes = (bytes: Bytes): string => Buffer.from(bytes, "latin1").toString();

/**
 * Finds the files and folders below a folder that match a pattern, as version 1 of doublestar does,
 * which is Terraform's: with `*`, `**`, `?`, `[]` and `{}` in each element of a path. Links are
 * followed; what cannot be read has no matches.
 *
 * @param folder the folder in which a relative pattern starts
 * @returns absolute paths, and paths relative to the folder for a relative pattern
 */
export function glob(pattern: string, folder: string): readonly string[] {
  const normal = posix.normalize(pattern).replace(/(?<=.)\/$/, "");
  const parts = splitUnescaped(toBytes(normal), "/");
  const isAbsolute = parts[0] === "";
  const found: string[] = [];
  findIn(isAbsolute ? "/" : ".", isAbsolute ? parts.slice(1) : parts, { folder, found });
  return found;
}

interface Search {
  readonly folder: string;
  readonly found: string[];
}

function findIn(start: string, all: readonly Bytes[], search: Search): void {
  const first = all.findIndex((part) => /[*?[{\\]/.test(part));
  const names = (first < 0 ? all : all.slice(0, first)).map(fromBytes);
  const base = posix.join(start, ...names);
  const [part = "", ...rest] = first < 0 ? [] : all.slice(first);
  if (!statusOf(base, search)) return;
  if (first < 0) {
    search.found.push(base);
    return;
  }
  const entries = namesIn(base, search);
  if (part === "**") {
    for (const name of entries) {
      const inner = posix.join(base, name);
      const target = statusOf(inner, search, world.files.statSync);
      if (!target) continue;
      if (rest.length === 0) search.found.push(inner);
      if (target.isDirectory())
        quietly(() => {
          findIn(inner, [part, ...rest], search);
        });
    }
    if (rest.length > 0) matchIn(base, entries, rest, search);
  } else {
    matchIn(base, entries, [part, ...rest], search);
  }
}

function matchIn(
  base: string,
  entries: readonly string[],
  [part = "", ...rest]: readonly Bytes[],
  search: Search,
): void {
  // The library overwrites the error of a folder with the result of the next name.
  let error: BadPattern | undefined;
  for (const name of entries) {
    error = undefined;
    if (!matches(part, toBytes(name))) continue;
    const inner = posix.join(base, name);
    if (rest.length === 0) search.found.push(inner);
    else
      error = quietly(() => {
        findIn(inner, rest, search);
      });
  }
  if (error) throw error;
}

/** Returns the syntax error that an action finds in a pattern. */
function quietly(act: () => void): BadPattern | undefined {
  try {
    act();
    return undefined;
  } catch (thrown) {
    if (thrown instanceof BadPattern) return thrown;
    throw thrown;
  }
}

function statusOf(
  path: string,
  { folder }: Pick<Search, "folder">,
  read: (path: string) => Stats = world.files.lstatSync,
): Stats | undefined {
  try {
    return read(posix.resolve(folder, path));
  } catch {
    return undefined;
  }
}

/** Reports whether a path is a regular file, or a link to one; undefined where it cannot be read. */
export function isFile(path: string, folder: string): boolean | undefined {
  return statusOf(path, { folder }, world.files.statSync)?.isFile();
}

function namesIn(path: string, { folder }: Search): readonly string[] {
  try {
    return world.files.readdirSync(posix.resolve(folder, path)).sort(compareStrings);
  } catch {
    return [];
  }
}

/** Splits text at each separator that is not behind a backslash. */
function splitUnescaped(text: Bytes, separator: string): readonly Bytes[] {
  const parts: Bytes[] = [];
  let start = 0;
  for (let at = 0; at < text.length; at++) {
    if (text[at] !== separator || (at > start && text[at - 1] === "\\")) continue;
    parts.push(text.slice(start, at));
    start = at + 1;
  }
  return [...parts, text.slice(start)];
}

/** The length of the part before a character that is not behind a backslash; -1 without one. */
function indexUnescaped(text: Bytes, character: string): number {
  const [before = ""] = splitUnescaped(text, character);
  return before.length === text.length ? -1 : before.length;
}

/** The character at a position, of one to four bytes; a byte that begins none is one by itself. */
function characterAt(text: Bytes, at: number): string {
  return (
    /^(?:[\0-\x7f]|[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3})/.exec(
      text.slice(at, at + 4),
    )?.[0] ?? text.charAt(at)
  );
}

/** The bytes of an element of a pattern that can match a name, which has at most 255 of them. */
const MOST_PATTERN_BYTES = 4096;

/**
 * Compares one element of a path with the pattern for it. Throws a BadPattern.
 *
 * @param known The results for the ends of the pattern and the name: without them, each star would
 *   multiply the comparisons of the next one.
 */
function matches(pattern: Bytes, name: Bytes, known = new Map<string, boolean>()): boolean {
  if (pattern.length > MOST_PATTERN_BYTES) throw new BadPattern();
  const key = `${pattern.length} ${pattern}${name}`;
  const before = known.get(key);
  if (before !== undefined) return before;
  const result = compare(pattern, name, known);
  known.set(key, result);
  return result;
}

function compare(pattern: Bytes, name: Bytes, known: Map<string, boolean>): boolean {
  if (pattern === "") return name === "";
  if (name === "" && pattern !== "*") return false;
  let [at, of] = [0, 0];
  while (at < pattern.length && of < name.length) {
    const next = characterAt(pattern, at);
    const letter = characterAt(name, of);
    at += next.length;
    if (next === "*") {
      if (at >= pattern.length) return true;
      // The library takes each step by the length of the first letter.
      for (; of < name.length; of += letter.length) {
        if (matchesQuietly(pattern.slice(at), name.slice(of), known)) return true;
      }
      return false;
    }
    if (next === "{") {
      const end = indexUnescaped(pattern.slice(at), "}");
      if (end < 0) throw new BadPattern();
      const options = splitUnescaped(pattern.slice(at, at + end), ",");
      const rest = pattern.slice(at + end + 1);
      return options.some((option) => matches(option + rest, name.slice(of), known));
    }
    if (next === "[") {
      const end = indexUnescaped(pattern.slice(at), "]");
      if (end < 0) throw new BadPattern();
      if (!isInClass(pattern.slice(at, at + end), letter)) return false;
      at += end + 1;
    } else if (next === "\\") {
      const escaped = characterAt(pattern, at);
      if (escaped === "") throw new BadPattern();
      if (escaped !== letter) return false;
      at += escaped.length;
    } else if (next !== "?" && next !== letter) {
      return false;
    }
    of += letter.length;
  }
  if (at >= pattern.length && of >= name.length) return true;
  const rest = pattern.slice(at);
  return (of >= name.length && rest === "*") || rest === "**";
}

/** Compares what is behind a star: a syntax error there never matches. */
function matchesQuietly(pattern: Bytes, name: Bytes, known: Map<string, boolean>): boolean {
  try {
    return matches(pattern, name, known);
  } catch (thrown) {
    if (thrown instanceof BadPattern) return false;
    throw thrown;
  }
}

/** Looks for a letter in the characters and ranges between two brackets. Throws a BadPattern. */
function isInClass(text: Bytes, letter: string): boolean {
  const characters = Array.from(fromBytes(text));
  if (characters.length === 0) throw new BadPattern();
  const isInverse = characters[0] === "^";
  if (isInverse) characters.shift();
  const take = (): number => {
    const first = characters.shift();
    const taken = first === "\\" ? characters.shift() : first;
    if (taken === undefined || first === "-") throw new BadPattern();
    return taken.codePointAt(0) ?? 0;
  };
  const code = fromBytes(letter).codePointAt(0) ?? 0;
  let isFound = false;
  while (characters.length > 0) {
    const low = take();
    const isRange = characters[0] === "-";
    if (isRange) characters.shift();
    const high = isRange ? take() : low;
    if (low <= code && code <= high) isFound = true;
  }
  return isFound !== isInverse;
}
