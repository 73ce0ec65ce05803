/** A step of a static traversal: `.name`, `[0]` or `["key"]`. */
import { memberOf } from "../../core/member-of";
export type TraversalStep = string | number | { readonly key: string };

/** Returns a step as a step of a path, which is the same for `.name` and `["name"]`. */
export function plainStep(step: TraversalStep): string | number {
  return typeof step === "object" ? step.key : step;
}

/** A part of a template: unescaped text, or one plain reference. */
export type TemplatePart =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "reference"; readonly steps: readonly TraversalStep[]; readonly text: string };

/**
 * Scans a template that consists of text and plain references only. Returns `undefined` for a
 * template that needs the HCL parser: one with an operator, a call or a directive.
 */
export function scanTemplate(template: string): readonly TemplatePart[] | undefined {
  const parts: TemplatePart[] = [];
  let text = "";
  let position = 0;
  const flush = (): void => {
    if (text !== "") parts.push({ kind: "text", text });
    text = "";
  };
  while (position < template.length) {
    const found = /\$\$\{|%%\{|\$\{|%\{/g;
    found.lastIndex = position;
    const opening = found.exec(template);
    if (!opening) break;
    text += template.slice(position, opening.index);
    position = found.lastIndex;
    switch (opening[0]) {
      case "$${":
        text += "${";
        break;
      case "%%{":
        text += "%{";
        break;
      case "${": {
        const traversal = scanTraversal(template, position);
        if (!traversal) return undefined;
        flush();
        parts.push({
          kind: "reference",
          steps: traversal.steps,
          text: template.slice(position, traversal.end).trim(),
        });
        position = traversal.end + 1;
        break;
      }
      default:
        return undefined;
    }
  }
  text += template.slice(position);
  flush();
  return parts;
}

/** Parses a text such as `a.b["k"][0].c`; undefined if the whole text is not a traversal. */
export function parseTraversal(text: string): readonly TraversalStep[] | undefined {
  const traversal = scanTraversal(`${text}}`, 0);
  return traversal?.end === text.length ? traversal.steps : undefined;
}

const SPACE = /[ \t]*/y;
const ROOT = /(?!(?:true|false|null)\b(?!-))[\p{ID_Start}_][\p{ID_Continue}-]*/uy;
const STEP =
  /\.(?<name>[\p{ID_Start}_][\p{ID_Continue}-]*)|\.(?<legacy>\d+)|\[[ \t]*(?:(?<index>\d+)|"(?<key>[^"\\$%\n]*)")[ \t]*\]/uy;

/** Scans a traversal up to a closing brace; `end` is the position of the brace. */
function scanTraversal(
  source: string,
  start: number,
): { steps: readonly TraversalStep[]; end: number } | undefined {
  let position = start;
  const match = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = position;
    const result = pattern.exec(source);
    if (result) position = pattern.lastIndex;
    return result;
  };
  match(SPACE);
  const root = match(ROOT);
  if (!root) return undefined;
  const steps: TraversalStep[] = [root[0]];
  for (let step = match(STEP); step; step = match(STEP)) {
    const { name, legacy, index, key } = step.groups ?? {};
    const number = legacy ?? index;
    steps.push(number === undefined ? (name ?? { key: key ?? "" }) : Number(number));
  }
  match(SPACE);
  return source[position] === "}" ? { steps, end: position } : undefined;
}

/**
 * Quotes a template as an HCL string. Backslashes, quotes and control characters are escaped
 * outside of `${ }` and `%{ }` only; inside, the text is HCL already.
 */
export function quoteTemplate(template: string): string {
  let quoted = "";
  let position = 0;
  while (position < template.length) {
    const rest = template.slice(position, position + 3);
    if (rest === "$${" || rest === "%%{") {
      quoted += rest;
      position += 3;
    } else if (rest.startsWith("${") || rest.startsWith("%{")) {
      const end = endOfSequence(template, position + 2);
      quoted += template.slice(position, end);
      position = end;
    } else {
      const character = template.charAt(position);
      quoted += memberOf(ESCAPES, character) ?? character;
      position += 1;
    }
  }
  return `"${quoted}"`;
}

const ESCAPES: Readonly<Record<string, string>> = {
  "\\": "\\\\",
  '"': '\\"',
  "\n": "\\n",
  "\r": "\\r",
  "\t": "\\t",
};

/** Finds the position after the brace that closes the sequence whose content starts at `start`. */
function endOfSequence(source: string, start: number): number {
  let depth = 1;
  let position = start;
  while (position < source.length && depth > 0) {
    const character = source[position];
    if (character === '"') {
      position = endOfString(source, position + 1);
      continue;
    }
    if (character === "{") depth += 1;
    if (character === "}") depth -= 1;
    position += 1;
  }
  return position;
}

/** Finds the position after the quote that closes the string whose content starts at `start`. */
function endOfString(source: string, start: number): number {
  let position = start;
  while (position < source.length) {
    const rest = source.slice(position, position + 3);
    if (rest.startsWith('"')) return position + 1;
    if (rest.startsWith("\\")) position += 2;
    else if (rest === "$${" || rest === "%%{") position += 3;
    else if (rest.startsWith("${") || rest.startsWith("%{")) {
      position = endOfSequence(source, position + 2);
    } else position += 1;
  }
  return position;
}

/** A line of text in a heredoc, or the part of a line up to a sequence. */
interface Token {
  readonly start: number;
  readonly end: number;
  /** The text; undefined for a sequence. */
  text?: string;
}

/** The text of a heredoc after `~` and, with `<<-`, the common indent took effect. */
export class Heredoc {
  readonly #tokens: readonly Token[];

  /**
   * @param source From `<<` to the end marker.
   * @param offset The position of `source`, in bytes.
   */
  constructor(
    source: string,
    readonly offset: number,
  ) {
    const tokens = tokenize(source);
    if (source.startsWith("<<-")) unindent(tokens);
    const bytes = (position: number): number =>
      offset + Buffer.byteLength(source.slice(0, position));
    this.#tokens = tokens.map((token) => ({
      ...token,
      start: bytes(token.start),
      end: bytes(token.end),
    }));
  }

  /** Returns the text between two positions; the parser omits the indent at the start. */
  textBetween(start: number, end: number): string {
    return this.#tokens
      .filter((token) =>
        start === end ? token.end === end : token.end > start && token.end <= end,
      )
      .map(({ text }) => text ?? "")
      .join("");
  }
}

function tokenize(source: string): Token[] {
  const tokens: Token[] = [];
  const end = source.lastIndexOf("\n") + 1;
  const text = /(?:\$\$\{|%%\{|(?!\$\{|%\{)[^\n])*\n?/y;
  let trimNext = false;
  for (let position = source.indexOf("\n") + 1; position < end;) {
    if (/^[$%]\{/.test(source.slice(position, position + 2))) {
      const previous = tokens.at(-1);
      const trims = source[position + 2] === "~";
      if (trims && previous?.text !== undefined) previous.text = previous.text.trimEnd();
      const next = endOfSequence(source, position + 2);
      tokens.push({ start: position, end: next });
      trimNext = source[next - 2] === "~";
      position = next;
    } else {
      text.lastIndex = position;
      const line = text.exec(source)?.[0].slice(0, end - position) ?? "";
      const token = { start: position, end: position + line.length };
      tokens.push({ ...token, text: trimNext ? line.trimStart() : line });
      trimNext = false;
      position = token.end;
    }
  }
  return tokens;
}

/** Removes the indent of the line that is indented least, by the algorithm of HCL. */
function unindent(tokens: readonly Token[]): void {
  let indent = Number.POSITIVE_INFINITY;
  let startsLine = true;
  const indented: Token[] = [];
  for (const token of tokens) {
    const { text } = token;
    const isBlank = text?.trim() === "" && text.endsWith("\n");
    if (startsLine && !isBlank) {
      indent = Math.min(indent, text === undefined ? 0 : text.length - text.trimStart().length);
      indented.push(token);
    }
    startsLine = text?.endsWith("\n") === true;
  }
  for (const token of indented) token.text &&= token.text.slice(indent);
}
