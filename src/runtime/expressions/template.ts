import type { AttributePath } from "../../provider/values";

/** A piece of a template string: text as it is meant, or the steps of one plain reference. */
export type TemplatePart =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "reference"; readonly steps: AttributePath; readonly text: string };

/**
 * Reads a string of cdk.tf.json as a template, as far as it consists of text and of plain
 * references. `undefined`: something in it needs a parser (an operator, a call, a directive).
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

/** The steps of `a.b["k"][0].c`, where the whole text is such a traversal. */
export function parseTraversal(text: string): AttributePath | undefined {
  const traversal = scanTraversal(`${text}}`, 0);
  return traversal?.end === text.length ? traversal.steps : undefined;
}

const SPACE = /[ \t]*/y;
const ROOT = /(?!(?:true|false|null)\b(?!-))[\p{ID_Start}_][\p{ID_Continue}-]*/uy;
const STEP =
  /\.(?<name>[\p{ID_Start}_][\p{ID_Continue}-]*)|\.(?<legacy>\d+)|\[[ \t]*(?:(?<index>\d+)|"(?<key>[^"\\$%\n]*)")[ \t]*\]/uy;

/** A traversal that ends at a closing brace; `end` is where the brace stands. */
function scanTraversal(
  source: string,
  start: number,
): { steps: AttributePath; end: number } | undefined {
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
  const steps: (string | number)[] = [root[0]];
  for (let step = match(STEP); step; step = match(STEP)) {
    const { name, legacy, index, key } = step.groups ?? {};
    const number = legacy ?? index;
    steps.push(number === undefined ? (name ?? key ?? "") : Number(number));
  }
  match(SPACE);
  return source[position] === "}" ? { steps, end: position } : undefined;
}

/**
 * Writes a template as an HCL quoted string. Outside of `${ }` and `%{ }` backslashes, quotes and
 * control characters mean themselves in JSON and must be escaped; inside, the text is HCL already.
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
      quoted += escapeCharacter(template.charAt(position));
      position += 1;
    }
  }
  return `"${quoted}"`;
}

function escapeCharacter(character: string): string {
  switch (character) {
    case "\\":
    case '"':
      return `\\${character}`;
    case "\n":
      return "\\n";
    case "\r":
      return "\\r";
    case "\t":
      return "\\t";
    default:
      return character;
  }
}

/** Just behind the brace that closes the sequence whose content starts at `start`. */
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

/** Just behind the quote that closes the string whose content starts at `start`. */
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
