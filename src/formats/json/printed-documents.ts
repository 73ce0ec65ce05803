import { stripVTControlCharacters } from "node:util";
import { parseJson } from "../../core/json/lossless-json";
import { exactNumber } from "../../core/values";

/** The JSON documents of a text, or why it has none: empty if it does not begin with one. */
type PrintedDocuments = { readonly documents: readonly unknown[] } | { readonly fault: string };

/** Lines of wrappers, runners, npm and Terragrunt around the output of a command. */
const LOG_LINE =
  /^(?:\[command\]|::|##\[|[>$] |time=\S+ level=(?!stdout)|\d\d:\d\d:\d\d\.\d+ (?!STDOUT)[A-Z]+ )/;
/** The time in the logs of a runner, and what Terragrunt writes in front of output. */
const LOG_PREFIX = /^(?:\d{4}-\d\d-\d\dT[\d:.]+Z )?(?:\d\d:\d\d:\d\d\.\d+ STDOUT [^{]*: (?=\{))?/;

/**
 * Reads the documents that commands printed: one, one on each line, one behind the other, or a list,
 * with the lines that other programs print around them.
 */
export function printedDocuments(text: string): PrintedDocuments {
  const printed = withoutLog(text);
  const whole = parsed(printed);
  if (whole) return { documents: Array.isArray(whole.json) ? whole.json : [whole.json] };
  const documents: unknown[] = [];
  for (let at = skipSpace(printed, 0); at < printed.length;) {
    const end = endOfObject(printed, at);
    const document = end === undefined ? undefined : parsed(printed.slice(at, end));
    if (end === undefined || !document) return { fault: faultAt(printed, at, documents.length) };
    documents.push(document.json);
    at = skipSpace(printed, end);
  }
  return { documents };
}

/** Removes the lines of logs, and keeps the numbers of the others. */
function withoutLog(text: string): string {
  return text
    .replace(/^\uFEFF/, "")
    .split("\n")
    .map((line) => {
      const bare = line.includes("\u001b") ? stripVTControlCharacters(line) : line;
      const rest = bare.slice(LOG_PREFIX.exec(bare)?.[0].length);
      return LOG_LINE.test(rest) ? "" : rest;
    })
    .join("\n");
}

/** The text may have secrets, so that the fault has its line only. */
function faultAt(text: string, at: number, read: number): string {
  const line = text.slice(0, at).split("\n").length;
  if (text[at] === "{" && endOfObject(text, at) === undefined) {
    return `The JSON document that begins in line ${line} has no end.`;
  }
  return read === 0
    ? ""
    : `Line ${line} has a text that is no JSON document, behind ${read} of them.`;
}

function parsed(text: string): { readonly json: unknown } | undefined {
  try {
    return { json: parseJson(text, exactNumber) };
  } catch {
    return undefined;
  }
}

function skipSpace(text: string, at: number): number {
  const space = /\s*/y;
  space.lastIndex = at;
  return at + (space.exec(text)?.[0].length ?? 0);
}

/** Returns the position behind an object, whose strings may have braces. Undefined if it has no end. */
function endOfObject(text: string, at: number): number | undefined {
  const mark = /["\\{}]/g;
  mark.lastIndex = at;
  let depth = 0;
  let isText = false;
  for (let found = mark.exec(text); found; found = mark.exec(text)) {
    const [character] = found;
    if (character === '"') isText = !isText;
    else if (character === "\\") mark.lastIndex += 1;
    else if (!isText) depth += character === "{" ? 1 : -1;
    if (depth === 0) return mark.lastIndex;
  }
  return undefined;
}
