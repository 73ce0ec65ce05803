import { error, type Diagnostic } from "../../core/diagnostics";
import { fileFault } from "../../core/io/file-fault";
import { fileProblem } from "../../core/io/file-problem";
import { formatLimit, isTextTooDeep, LIMITS } from "../expressions/limits";
import { parseNumber } from "../expressions/numbers";
import { duplicateMember, faultOffset, parseJson } from "../../core/json/lossless-json";
import { otherEncoding, readFile, readTextFile } from "../../core/io/read-file";

export type JsonFile =
  | { readonly kind: "read"; readonly json: unknown }
  | { readonly kind: "missing" }
  | { readonly kind: "faulty"; readonly diagnostic: Diagnostic };

/**
 * Reads a JSON file. Syntax errors have line and column; a byte order mark is one, as in Terraform.
 * An object with two members of the same name is an error: Terraform refuses most, and merges some
 * blocks.
 *
 * @param parse Default: with the numbers of JavaScript.
 * @param ignoresMark Takes a byte order mark, as cdktf does in its own files.
 */
export async function readJsonFile(
  file: string,
  parse: (text: string) => unknown = JSON.parse,
  ignoresMark = false,
): Promise<JsonFile> {
  let text: string;
  try {
    text = ignoresMark ? await readTextFile(file) : (await readFile(file)).toString("utf8");
  } catch (cause) {
    if (fileProblem(cause)?.code === "ENOENT") return { kind: "missing" };
    const detail = `${file} cannot be read: ${fileFault(cause, file)}`;
    return { kind: "faulty", diagnostic: error("Unreadable file", detail) };
  }
  if (isTextTooDeep(text)) {
    return { kind: "faulty", diagnostic: tooDeep(file) };
  }
  try {
    const json = parse(text);
    // A synthesized file is written so, which makes sure that no name is repeated. cdktf breaks the
    // line in lists and objects that are empty.
    const isCanonical = JSON.stringify(json, null, 2) === text.replace(EMPTY, "$1$2");
    const duplicate = isCanonical ? undefined : duplicateMember(text);
    if (!duplicate) return { kind: "read", json };
    const detail = `${placeOf(file, text, duplicate.offset)}: the argument ${JSON.stringify(duplicate.name)} was already set. Remove one of the two.`;
    return { kind: "faulty", diagnostic: error("Duplicate argument", detail) };
  } catch {
    return { kind: "faulty", diagnostic: error("Invalid JSON", locateFault(file, text)) };
  }
}

const EMPTY = /([{[])\n *([}\]])/g;

/** Parses JSON whose decimals have all digits; JavaScript's numbers have about 16. */
export function parseWithDecimals(text: string): unknown {
  if (!/[\d.]{17}/.test(text)) return JSON.parse(text);
  return parseJson(text, (digits) =>
    /^-?\d+\.\d+$/.test(digits) ? parseNumber(digits) : Number(digits),
  );
}

/** Node names the position in some messages only. */
function locateFault(file: string, text: string): string {
  if (text.startsWith("\uFEFF")) {
    return `${file} begins with a byte order mark. Save it as UTF-8 without one.`;
  }
  if (text.trim() === "") return `${file} is empty. Write it again, or restore it.`;
  if (/[\uFFFD\0]/.test(text)) {
    const { line, message } = otherEncoding(text);
    return `${file}, line ${line}: ${message}.`;
  }
  return `${placeOf(file, text, faultOffset(text))}: the file is not valid JSON from here on. Correct it there.`;
}

function placeOf(file: string, text: string, offset: number): string {
  const lines = text.slice(0, offset).split("\n");
  const column = (lines.at(-1) ?? "").length + 1;
  return `${file}, line ${lines.length}, column ${column}`;
}

/** The diagnostic for a file whose lists and objects are nested deeper than the executor reads. */
export function tooDeep(file: string): Diagnostic {
  const detail = `${file}: this executor reads up to ${formatLimit(LIMITS.documentDepth)} levels of lists and objects.`;
  return error("Document nested too deeply", detail);
}
