import { isNamed, literalsIn, piecesIn, referencesIn, Scopes, type Literal } from "./constants";
import { HOLE, type ApiPath } from "./paths";
import { countUpTo, GLUE, type Group, type Source } from "./source";
import { useOf, type Use } from "./use";

/** A place where a script uses a path of the API. */
export interface Mention {
  readonly source: Source;
  readonly path: ApiPath;
  /** In upper case; undefined where it is not plain. */
  readonly method: string | undefined;
  /** The line of the use, from 1. */
  readonly line: number;
  /** The file and line of the path's text, which may be those of a constant. */
  readonly pathFile: string;
  readonly pathLine: number;
  readonly endLine: number;
  /** The statement around the use, without comments. */
  readonly statement: string;
}

/**
 * Finds the uses of paths in all files, which share their constants. A path is used where its text
 * is, or where a call has the name that the text is assigned to. The words around it decide:
 *
 * - A message, a comparison, a mock or a route of a server in front of it: not a use.
 * - A client, a function named after a method, or a method that is written out: a call. The method
 *   is the one in the smallest text around the path that holds no other path, else the client's
 *   default; it is not plain if a variable may hold it.
 * - None of these: a use with an unknown method if the text is the API's for sure. It has the
 *   prefix `api/v1/`, or words of no other API, or is in a file that has the prefix by itself.
 */
export function findMentions(sources: readonly Source[]): readonly Mention[] {
  const pieces = new Scopes<string>((a, b) => a === b);
  for (const source of sources) {
    for (const [name, text] of piecesIn(source)) pieces.add(source.file, name, text);
  }
  const found = sources.map((source) => ({
    source,
    literals: literalsIn(source, pieces.in(source.file)),
  }));
  const constants = new Scopes<Literal>((a, b) => String(a.path.paths) === String(b.path.paths));
  for (const literal of found.flatMap(({ literals }) => literals).filter(isNamed)) {
    constants.add(literal.source.file, literal.name, literal);
  }
  const scans = found.map(({ source, literals }) => {
    const references = referencesIn(source, literals, constants.in(source.file));
    const starts = [...literals, ...references].map(({ start }) => start).sort((a, b) => a - b);
    const hasPrefix = PREFIX_ALONE.test(source.masked);
    return { literals, references, around: aroundIn(source, starts), hasPrefix };
  });
  const looks = new Map(
    scans.flatMap(({ literals, around }) =>
      literals.map((literal) => [literal, around(literal.from, literal.end)] as const),
    ),
  );
  const followed = new Set<Literal>();
  const throughNames = scans.flatMap(({ references, around }) =>
    references.flatMap(({ literal, start, end }): Mention[] => {
      // The name of a call's result.
      if (looks.get(literal)?.use.method !== undefined || isVague(literal)) return [];
      const look = around(start, end);
      if (look.use.kind !== "call") return [];
      followed.add(literal);
      return [mentionOf(literal, look, start)];
    }),
  );
  const direct = scans.flatMap(({ literals, hasPrefix }) =>
    literals.flatMap((literal): Mention[] => {
      const look = looks.get(literal);
      const isOne = look && !followed.has(literal) && isUse(literal, look, hasPrefix);
      return isOne ? [mentionOf(literal, look, literal.start)] : [];
    }),
  );
  const order = new Map(sources.map((source, index) => [source, index]));
  const position = ({ source }: Mention) => order.get(source) ?? 0;
  return [...throughNames, ...direct].sort((a, b) => position(a) - position(b) || a.line - b.line);
}

/** A relative path that is too short to be the API's for sure: `images`, `"scripts/" + name`. */
function isVague({ path: { form, paths }, source, start }: Literal): boolean {
  const isWord = paths.every((path) => /^\/api\/v1\/[a-z]+$/.test(path));
  const isChoice = paths.length > 1 && paths.every((path) => path.split("/").length === 5);
  return form === "bare" && source.code.charAt(start - 1) !== "/" && (isWord || isChoice);
}

/** A prefix of the API by itself, which a script puts before paths. */
const PREFIX_ALONE = new RegExp(
  `(?:^|[${HOLE}${GLUE}\\d"'\`])/?api/v1/?(?=["'\`${HOLE}\\s)]|$)`,
  "m",
);

/** A path of words that no other API has. */
const DISTINCT = /[a-z]-[a-z]+(?:$|\/)|firewall/;
const URL_NAME = /ur[il]|endpoint|api/i;

/** Decides whether the text of a path is a use where it is. */
function isUse(literal: Literal, { use }: Look, hasPrefix: boolean): boolean {
  const { path, name = "" } = literal;
  if (use.kind === "none") return false;
  if (isVague(literal)) return hasPrefix && use.kind === "call";
  if (use.kind === "call" || path.form === "prefixed") return true;
  const isDistinct = path.paths.every((known) => DISTINCT.test(known));
  return hasPrefix || isDistinct || (path.form === "based" && URL_NAME.test(name));
}

function mentionOf({ source, path, start }: Literal, look: Look, at: number): Mention {
  const line = look.source.lineAt(at);
  return {
    source: look.source,
    path,
    method: look.use.method,
    line,
    pathFile: source.file,
    pathLine: source.lineAt(start),
    endLine: Math.max(line, look.source.lineAt(look.end - 1)),
    statement: look.statement,
  };
}

/** A place in a source, and what is done there. */
interface Look {
  readonly source: Source;
  readonly use: Use;
  readonly statement: string;
  readonly end: number;
}

/** How far a statement or a bracket counts, to either side. */
const FAR = 600;
const SEPARATOR = /;|&&|\|\|?|\s--next\s/g;

/** Returns the function that looks at a place; `starts` are those of all paths of the source. */
function aroundIn(source: Source, starts: readonly number[]) {
  const { masked, code } = source;
  const isAlone = ([from, to]: Span) =>
    countUpTo(starts, to - 1) - countUpTo(starts, from - 1) <= 1;
  return (start: number, end: number): Look => {
    const statement = statementAround(masked, start, end);
    const command = commandAround(masked, statement, start, end);
    const spans = [command, statement, ...groupsAround(source, start)].filter(isAlone);
    const use = useOf({
      before: code.slice(command[0], start),
      maskedBefore: masked.slice(command[0], start),
      after: masked.slice(end, command[1]),
      regions: spans
        .sort((a, b) => a[1] - a[0] - (b[1] - b[0]))
        .map(([from, to]) => masked.slice(from, to)),
    });
    return { source, use, statement: code.slice(...statement), end: statement[1] };
  };
}

type Span = readonly [from: number, to: number];

function statementAround(masked: string, start: number, end: number): Span {
  const near = masked.slice(Math.max(0, start - FAR), start);
  const [behind = ""] = masked.slice(end, end + FAR).split("\n", 1);
  return [start - near.length + near.lastIndexOf("\n") + 1, end + behind.length];
}

function commandAround(masked: string, [from, to]: Span, start: number, end: number): Span {
  const before = [...masked.slice(from, start).matchAll(SEPARATOR)].at(-1);
  const behind = masked.slice(end, to).search(SEPARATOR);
  return [
    before ? from + before.index + before[0].length : from,
    behind === -1 ? to : end + behind,
  ];
}

function groupsAround({ groups, groupStarts }: Source, offset: number): Span[] {
  const found: Span[] = [];
  let group: Group | undefined = groups[countUpTo(groupStarts, offset) - 1];
  for (let climbed = 0; group && climbed < 50; climbed++) {
    const { start, end, parent } = group;
    if (start < offset && offset < end && end - start < 2 * FAR) found.push([start, end]);
    group = parent;
  }
  return found;
}
