import { withoutComments } from "./comments";
import { HOLE } from "./paths";

/** Marks what is between the parts of a joined text: quotes, operators. */
export const GLUE = "\u0002";

/** A variable within a text: its place, and the last name of its expression. */
export interface Hole {
  readonly start: number;
  readonly end: number;
  readonly name: string;
}

/** A bracket and what it encloses. */
export interface Group {
  readonly start: number;
  readonly end: number;
  readonly parent: Group | undefined;
}

/**
 * A text with comments blanked, one statement a line, variables as holes and joined texts glued.
 * Every character keeps its offset.
 */
export interface Source {
  readonly file: string;
  /** With comments blanked. */
  readonly code: string;
  readonly masked: string;
  /** By their starts. */
  readonly holes: readonly Hole[];
  readonly holeStarts: readonly number[];
  readonly groups: readonly Group[];
  readonly groupStarts: readonly number[];
  /** The line of the file, from 1. */
  readonly lineAt: (offset: number) => number;
}

export function readSource(file: string, text: string, lineAt = linesOf(text)): Source {
  const code = withoutComments(text);
  return sourceOf(file, code, statements(code), lineAt);
}

/** Masks a text that has one statement a line. */
export function sourceOf(
  file: string,
  code: string,
  lines: string,
  lineAt: (offset: number) => number,
): Source {
  const { masked, holes } = joined(withHoles(lines), code);
  const groups = groupsOf(masked);
  return {
    file,
    code,
    masked,
    holes,
    holeStarts: holes.map(({ start }) => start),
    groups,
    groupStarts: groups.map(({ start }) => start),
    lineAt,
  };
}

/** Returns the function that gives the line of an offset. */
export function linesOf(text: string): (offset: number) => number {
  const starts = [0, ...[...text.matchAll(/\n/g)].map(({ index }) => index + 1)];
  return (offset) => countUpTo(starts, offset);
}

/** How many of the numbers, which ascend, are at most the given one. */
export function countUpTo(numbers: readonly number[], most: number): number {
  let [low, high] = [0, numbers.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((numbers[middle] ?? Infinity) <= most) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The holes between two offsets. */
export function holesWithin(
  { holes, holeStarts }: Source,
  from: number,
  end: number,
): readonly Hole[] {
  return holes.slice(countUpTo(holeStarts, from - 1), countUpTo(holeStarts, end - 1));
}

const QUOTED = /"""|'''|"(?:\\.|[^"\\])*"?|'(?:\\.|[^'\\])*'?/g;
/** The end of a line that goes on in the next one, and the beginning of one that continues it. */
const CONTINUED = /(?:\\{1,2}|(?<=\s)[`^])[ \t\r]*$/;
const CONTINUES = /^\s*(?:\.\w|\+\s|~\s|\|[^|])/;
/** A bracket that opens a body of statements, not a value. */
const BODY = /(?:=>|->|\)|\b(?:else|do|try|finally))\s*\{\s*$/;
/** Brackets that are open for more lines are those of a text. */
const MOST_LINES = 30;

/** Replaces the line breaks within a statement by spaces. */
function statements(code: string): string {
  const lines = code.split("\n").map((line) => {
    const end = line.slice(-200);
    const plain = line.replace(QUOTED, "");
    const opened = (plain.match(/[([]/g) ?? []).length - (plain.match(/[)\]]/g) ?? []).length;
    return {
      line: line.replace(CONTINUED, (mark) => " ".repeat(mark.length)),
      opened,
      isContinued: CONTINUED.test(end),
      continues: CONTINUES.test(line.slice(0, 200)),
      isBody: BODY.test(end),
    };
  });
  const endFrom = (start: number): number => {
    let depth = 0;
    for (let index = start; index < start + MOST_LINES; index++) {
      const line = lines[index];
      if (!line) return index - 1;
      depth += line.opened;
      const isOpen = depth > 0 && !line.isBody;
      if (!line.isContinued && !isOpen && lines[index + 1]?.continues !== true) return index;
    }
    return start;
  };
  const result: string[] = [];
  for (let start = 0; start < lines.length;) {
    const end = endFrom(start);
    result.push(
      lines
        .slice(start, end + 1)
        .map(({ line }) => line)
        .join(" "),
    );
    start = end + 1;
  }
  return result.join("\n");
}

/** Variables within texts, as the languages write them. */
const VARIABLES = new RegExp(
  [
    String.raw`\\{0,2}\$\{\{[^{}\n]{0,120}\}\}`,
    String.raw`\{\{[^{}\n]{0,120}\}\}`,
    String.raw`\\{0,2}[$#]\{[^{}\n]{0,120}\}`,
    String.raw`\\{0,2}\$\([^()\n/]{0,120}\)`,
    String.raw`\\{0,2}\$(?:[A-Za-z_]\w*(?:[.:][A-Za-z_]\w*)*|[\d@*])`,
    String.raw`\{[\w.$:\-\[\]'"()!]{0,80}\}`,
    String.raw`%\(\w{1,40}\)s`,
    String.raw`%[sdvq](?!\w)`,
    String.raw`%[A-Za-z_]\w*%`,
    String.raw`<[A-Z][A-Z_]*>`,
  ].join("|"),
  "g",
);
const WITH_PATH = /["'][^"'\n]*\//;

function withHoles(text: string): { readonly masked: string; readonly holes: Hole[] } {
  const holes: Hole[] = [];
  const masked = text.replace(VARIABLES, (variable, start: number) => {
    if (WITH_PATH.test(variable)) return variable;
    holes.push({ start, end: start + variable.length, name: lastName(variable) });
    return HOLE.repeat(variable.length);
  });
  return { masked, holes };
}

/** `path` of `{{ item.path }}`, `registry` of `PATHS["registry"]`. */
export function lastName(expression: string): string {
  const [chain = ""] =
    /[A-Za-z_]\w*(?:(?:\.|::?|->|\[["']?|\?\.)[A-Za-z_]\w*["']?\]?)*/.exec(expression) ?? [];
  return /(\w+)\W*$/.exec(chain)?.[1] ?? "";
}

const OPERATOR = /(?<![ \t])[ \t]*(?:\+|~|\.{1,2})[ \t]*/g;
const OPENING = /^[frb$@]{0,2}["'`]/;
const OPERAND_BEFORE = new RegExp(
  `(?:${HOLE}+|[A-Za-z_$][\\w.$]{0,80})(?:\\[[^\\]\\n]{0,40}\\]|\\([^()\\n]{0,60}\\))*$`,
);
const OPERAND_AFTER = new RegExp(
  `^(?:${HOLE}+|[A-Za-z_$][\\w.$]{0,80})(?:\\[[^\\]\\n]{0,40}\\]|\\([^()\\n]{0,60}\\))*`,
);

/** Glues what operators join to a text: `base + "/images"` becomes a hole and a text. */
function joined(
  { masked, holes }: { readonly masked: string; readonly holes: Hole[] },
  code: string,
): { readonly masked: string; readonly holes: readonly Hole[] } {
  const characters = Buffer.from(masked, "utf16le");
  const fill = (start: number, end: number, mark: string) => {
    characters.fill(mark, 2 * start, 2 * end, "utf16le");
  };
  const operand = (start: number, end: number) => {
    if (characters.toString("utf16le", 2 * start, 2 * start + 2) !== HOLE) {
      holes.push({ start, end, name: lastName(code.slice(start, end)) });
    }
    fill(start, end, HOLE);
  };
  for (const { 0: operator, index } of masked.matchAll(OPERATOR)) {
    const end = index + operator.length;
    const isLeftQuoted = /["'`]/.test(masked.charAt(index - 1));
    const opening = OPENING.exec(masked.slice(end, end + 3))?.[0];
    if (!isLeftQuoted && opening === undefined) continue;
    if (/^\.+$/.test(operator) && opening === undefined) continue;
    const before = isLeftQuoted
      ? ""
      : OPERAND_BEFORE.exec(masked.slice(Math.max(0, index - 200), index))?.[0];
    const after =
      opening === undefined ? OPERAND_AFTER.exec(masked.slice(end, end + 200))?.[0] : "";
    if (before === undefined || after === undefined) continue;
    fill(index - (isLeftQuoted ? 1 : 0), end + (opening?.length ?? 0), GLUE);
    if (before !== "") operand(index - before.length, index);
    if (after !== "") operand(end, end + after.length);
  }
  for (const pattern of [ADJACENT, ATTACHED]) {
    for (const { 0: text, index } of masked.matchAll(pattern)) {
      if (pattern === ATTACHED || code.slice(index, index + text.length).includes("\n")) {
        fill(index, index + text.length, GLUE);
      }
    }
  }
  for (const { 0: list, index } of masked.matchAll(LIST)) {
    const start = index + list.search(/[[(]\s*[^\s[(]/) + 1;
    const items = masked.slice(start, index + list.search(/[\])]/));
    for (const { 0: item, index: at } of items.matchAll(/[^\s,"']+/g)) {
      const from = start + at;
      if (!/["']/.test(masked.charAt(from - 1))) operand(from, from + item.length);
    }
    for (const { 0: comma, index: at } of items.matchAll(/f?["']?\s*,\s*f?["']?/g)) {
      fill(start + at, start + at + comma.length, GLUE);
      fill(start + at, start + at + 1, "/");
    }
  }
  holes.sort((a, b) => a.start - b.start);
  return { masked: characters.toString("utf16le"), holes };
}

/** Texts in two lines that a language joins without an operator. */
const ADJACENT = /["'][ \t\r]{1,200}f?["'](?=\/)/g;
/** Items that a slash joins, as in `"/".join([base, "images"])`. */
const LIST =
  /["']\/["']\.join\(\s*[[(][^()[\]\n]{1,200}[\])]|\[[^()[\]\n]{1,200}\]\.join\(["']\/["']\)/g;
/** A shell's quote within a word. */
const ATTACHED = new RegExp(`(?<=[\\w${HOLE}])["']{1,2}(?=\\/\\w)`, "g");

const PAIRS = new Map([
  [")", "("],
  ["]", "["],
  ["}", "{"],
]);

function groupsOf(masked: string): readonly Group[] {
  const groups: { start: number; end: number; parent: Group | undefined; open: string }[] = [];
  let current: (typeof groups)[number] | undefined;
  const stack: (typeof groups)[number][] = [];
  for (const { 0: bracket, index } of masked.matchAll(/[()[\]{}]/g)) {
    const opens = PAIRS.get(bracket);
    if (opens === undefined) {
      current = { start: index, end: masked.length, parent: stack.at(-1), open: bracket };
      stack.push(current);
      groups.push(current);
    } else if (stack.at(-1)?.open === opens) {
      const closed = stack.pop();
      if (closed) closed.end = index + 1;
    }
  }
  return groups;
}
