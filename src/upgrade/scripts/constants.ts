import { HOLE, isPiece, readPath, type ApiPath } from "./paths";
import { countUpTo, GLUE, holesWithin, lastName, type Source } from "./source";

/** A text that is the URL or the path of an endpoint. */
export interface Literal {
  readonly source: Source;
  readonly path: ApiPath;
  /** Of the URL. */
  readonly from: number;
  /** Of the path within it. */
  readonly start: number;
  readonly end: number;
  /** The name that it is assigned to. */
  readonly name: string | undefined;
}

/** A name that a script uses for a literal. */
export interface Reference {
  readonly literal: Literal;
  readonly start: number;
  readonly end: number;
}

type Piece = readonly [name: string, text: string];

export function groupBy<K, T>(items: readonly T[], keyOf: (item: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return groups;
}

/** A stretch of text without spaces, quotes and brackets, with the query of a URL. */
const RUN = /[^\s"'`,;()<>|&=[\]{}?]+(?:\?[^\s"'`<>|;)\]}]*)?/g;

/** A name, a sign of assignment, functions that make URLs, an opening quote. */
const ASSIGNED =
  /([A-Za-z_]\w*)["'\])]*\s*(?::=|\?=|=>|[:=])\s*(?:new |await )?[\w.:$![\]]{0,40}\({0,2}\s*[frb$@]{0,2}["'`]?$/;

/** Finds the texts that are paths; `pieceOf` gives the texts of names that are part of them. */
export function literalsIn(
  source: Source,
  pieceOf: (name: string) => string | undefined,
): readonly Literal[] {
  const literals: Literal[] = [];
  for (const { 0: run, index: from } of source.masked.matchAll(RUN)) {
    const path = readPath(textOf(source, run, from, pieceOf));
    if (!path) continue;
    const end = from + run.length;
    const [, , , first = ""] = path.paths[0]?.split("/") ?? [];
    const start = Math.max(from, source.masked.lastIndexOf(first, end));
    const name = ASSIGNED.exec(source.code.slice(Math.max(0, from - 120), from))?.[1];
    literals.push({ source, path, from, start, end, name });
  }
  return literals;
}

/** The text of a run without glue, and with what is known of its holes. */
function textOf(
  source: Source,
  run: string,
  from: number,
  pieceOf: (name: string) => string | undefined,
): string {
  let text = "";
  let done = from;
  const end = from + run.length;
  for (const hole of holesWithin(source, from, end)) {
    text += source.masked.slice(done, hole.start) + (pieceOf(hole.name) ?? HOLE);
    done = hole.end;
  }
  return withoutMarks(text + source.masked.slice(done, end));
}

function withoutMarks(text: string): string {
  return text.replaceAll(GLUE, "").replace(SEVERAL_HOLES, HOLE);
}

const SEVERAL_HOLES = new RegExp(`${HOLE}+`, "g");

/** A name and a text without spaces that is assigned to it. */
const ASSIGNMENT = new RegExp(
  `(?<![\\w${HOLE}])([\\w${HOLE}]+)["'\\])]*[ \\t]*(?::=|\\?=|=|:)[ \\t]*[frb@$]{0,2}["'\`]?([^\\s"'\`,;()<>|&=[\\]{}?]{2,200})(?=["'\`\\s;,)}]|$)`,
  "g",
);

/** Finds the texts that are assigned to names and can be part of a URL: addresses, segments. */
export function piecesIn({ masked, code }: Source): readonly Piece[] {
  const pieces: Piece[] = [];
  for (const { 1: target = "", 2: value = "", index } of masked.matchAll(ASSIGNMENT)) {
    const text = withoutMarks(value);
    if (text === HOLE || !isPiece(text) || readPath(text)) continue;
    pieces.push([lastName(code.slice(index, index + target.length)), text]);
  }
  return pieces;
}

/** The texts of names that have one only. */
export function singleTexts(pieces: readonly Piece[]): ReadonlyMap<string, string> {
  const texts = groupBy(pieces, ([name]) => name);
  const found = new Map<string, string>();
  for (const [name, [first, ...others]] of texts) {
    if (first && others.every(([, text]) => text === first[1])) found.set(name, first[1]);
  }
  return found;
}

/** Assignments of one source, by name. */
export function namesIn(literals: readonly Literal[]): ReadonlyMap<string, readonly Literal[]> {
  const named = literals.filter(({ name = "get" }) => !/^(?:get|post|put|delete)$/.test(name));
  const names = groupBy(named, ({ name = "" }) => name);
  // A key of several entries of a table identifies none of them.
  for (const [name, known] of names) {
    const [{ source, from }] = known as [Literal];
    if (known.length > 1 && /:\s?["'`]?$/.test(source.code.slice(from - 3, from)))
      names.delete(name);
  }
  return names;
}

const IDENTIFIER = /(?<![\w/@-])[A-Za-z_]\w*(?![\w/-])/g;
const DEFINES = /^["'\])]*\s*(?::=|=>|[:=](?![:=]))/;
/** A name that means the same in another file or function. */
const SPECIFIC = /[A-Z]{2}|[a-z][A-Z]|\w_\w/;

/**
 * Finds the names of literals: of the last one assigned before in the same source, else of the
 * only one in the folder.
 */
export function referencesIn(
  source: Source,
  literals: readonly Literal[],
  shared: ReadonlyMap<string, readonly Literal[]>,
): readonly Reference[] {
  const own = namesIn(literals);
  if (shared.size === 0) return [];
  const references: Reference[] = [];
  const passed = new Map<string, number>();
  for (const { 0: name, index: start } of source.code.matchAll(IDENTIFIER)) {
    const all = shared.get(name) ?? [];
    const [only] = all;
    if (!only) continue;
    const end = start + name.length;
    if (DEFINES.test(source.code.slice(end, end + 20))) continue;
    const known = own.get(name) ?? [];
    let count = passed.get(name) ?? 0;
    while ((known[count]?.from ?? Infinity) < start) count++;
    passed.set(name, count);
    const isKnown =
      all.length === 1 &&
      (SPECIFIC.test(name) || (only.source.file === source.file && only.source !== source));
    const literal = known[count - 1] ?? (isKnown ? only : undefined);
    const hole = source.holes[countUpTo(source.holeStarts, start) - 1];
    const isHole = hole !== undefined && start < hole.end;
    if (literal) references.push({ literal, ...(isHole ? hole : { start, end }) });
  }
  return references;
}
