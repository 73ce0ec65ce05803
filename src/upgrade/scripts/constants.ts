import { dirname } from "node:path";
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

function groupBy<K, T>(items: readonly T[], keyOf: (item: T) => K): Map<K, T[]> {
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
const RUN = /[^\s"'`\\,;()<>|&=[\]{}?]+(?:\?[^\s"'`<>|;)\]}]*)?/g;

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

/** The values of names in a file, else in its folder, else in all files; none of several values. */
export class Scopes<T> {
  readonly #scopes = new Map<string, Map<string, T | undefined>>();

  constructor(readonly areSame: (a: T, b: T) => boolean) {}

  add(file: string, name: string, value: T): void {
    for (const scope of scopesOf(file)) {
      const values = this.#scopes.get(scope) ?? new Map<string, T | undefined>();
      this.#scopes.set(scope, values);
      const known = values.get(name);
      const isSame = known !== undefined && this.areSame(known, value);
      values.set(name, !values.has(name) || isSame ? value : undefined);
    }
  }

  /** Returns the function that gives the values of names as a file sees them. */
  in(file: string): (name: string) => T | undefined {
    const scopes = scopesOf(file).flatMap((scope) => this.#scopes.get(scope) ?? []);
    return (name) => scopes.find((values) => values.has(name))?.get(name);
  }
}

function scopesOf(file: string): readonly string[] {
  return [file, `${dirname(file)}/`, ""];
}

/** Assignments of one source, by name. */
function namesIn(literals: readonly Literal[]): ReadonlyMap<string, readonly Literal[]> {
  const names = groupBy(literals.filter(isNamed), ({ name }) => name);
  // A key of several entries of a table identifies none of them.
  for (const [name, known] of names) {
    const isKey = known.some(({ source, from }) => KEY.test(source.code.slice(from - 3, from)));
    if (known.length > 1 && isKey) names.delete(name);
  }
  return names;
}

const KEY = /:\s?["'`]?$/;

export function isNamed(literal: Literal): literal is Literal & { readonly name: string } {
  return literal.name !== undefined && !/^(?:get|post|put|delete)$/.test(literal.name);
}

const IDENTIFIER = /(?<![\w/@-])[A-Za-z_]\w*(?!\w)/g;
const DEFINES = /^["'\])]*\s*(?::=|=>|[:=](?![:=]))/;
/** A name that means the same in another file or function. */
const SPECIFIC = /[A-Z]{2}|[a-z][A-Z]|\w_\w/;

/**
 * Finds the names of literals: of the last one assigned before in the same source, else of the one
 * that `scope` gives.
 */
export function referencesIn(
  source: Source,
  literals: readonly Literal[],
  scope: (name: string) => Literal | undefined,
): readonly Reference[] {
  const own = namesIn(literals);
  const references: Reference[] = [];
  const passed = new Map<string, number>();
  for (const { 0: name, index: start } of source.code.matchAll(IDENTIFIER)) {
    const known = own.get(name) ?? [];
    const other = scope(name);
    if (known.length === 0 && !other) continue;
    const end = start + name.length;
    if (DEFINES.test(source.code.slice(end, end + 20))) continue;
    let count = passed.get(name) ?? 0;
    while ((known[count]?.from ?? Infinity) < start) count++;
    passed.set(name, count);
    const isSeen = other?.source.file === source.file && other.source !== source;
    const literal = known[count - 1] ?? (isSeen || SPECIFIC.test(name) ? other : undefined);
    const hole = source.holes[countUpTo(source.holeStarts, start) - 1];
    const isHole = hole !== undefined && start < hole.end;
    // A word of a path is no name.
    if (!isHole && /[/-]/.test(source.code.charAt(end))) continue;
    if (literal) references.push({ literal, ...(isHole ? hole : { start, end }) });
  }
  return references;
}
