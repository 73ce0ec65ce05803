import { formatNumber } from "../../../core/json/format-number";
import {
  compareStrings,
  isListValue,
  isNumberValue,
  isObjectValue,
  type ObjectValue,
  type Value,
} from "../../../core/values";
import { refuse } from "./language-function";

const WIDTH_COLUMNS = 80;
const ESCAPES: ReadonlyMap<number, string> = new Map([
  [0x00, "\\0"],
  [0x07, "\\a"],
  [0x08, "\\b"],
  [0x09, "\\t"],
  [0x0a, "\\n"],
  [0x0b, "\\v"],
  [0x0c, "\\f"],
  [0x0d, "\\r"],
  [0x1b, "\\e"],
  [0x22, '\\"'],
  [0x5c, "\\\\"],
  [0x85, "\\N"],
  [0x2028, "\\L"],
  [0x2029, "\\P"],
]);

/** Encodes a wholly known value as Terraform does: strings in double quotes, or as blocks of lines. */
export function encodeYaml(value: Value): string {
  const text = isNode(value) ? block(value, 0) : scalar(value, 2, 0);
  // A document that is a plain scalar is closed.
  return isNode(value) || typeof value === "string" ? `${text}\n` : `${text}\n...\n`;
}

/** Writes a sequence or a mapping whose first line is already indented. */
function block(value: readonly Value[] | ObjectValue, indent: number): string {
  if (isEmpty(value)) return isListValue(value) ? "[]" : "{}";
  const parts = isListValue(value)
    ? value.map((item) =>
        isNode(item) ? `- ${block(item, indent + 2)}` : `- ${scalar(item, indent + 2, indent + 2)}`,
      )
    : Object.entries(value)
        .sort(([a], [b]) => compareStrings(a, b))
        .map(([name, member]) => entry(name, member, indent));
  return parts.join(`\n${" ".repeat(indent)}`);
}

function isEmpty(value: readonly Value[] | ObjectValue): boolean {
  return Object.keys(value).length === 0;
}

function isNode(value: Value): value is readonly Value[] | ObjectValue {
  return isListValue(value) || isObjectValue(value);
}

function entry(name: string, member: Value, indent: number): string {
  if (Buffer.byteLength(name) > 120 || name.includes("\n")) {
    return refuse("this executor does not write keys of more than 120 bytes or of several lines");
  }
  const key = quote(name, undefined, 0);
  if (!isNode(member)) {
    const column = indent + Array.from(key).length + 2;
    return `${key}: ${scalar(member, indent + 2, column)}`;
  }
  const nested = indent + (isListValue(member) ? 0 : 2);
  const text = block(member, nested);
  return isEmpty(member) ? `${key}: ${text}` : `${key}:\n${" ".repeat(nested)}${text}`;
}

function scalar(value: Value, indent: number, column: number): string {
  if (isNumberValue(value)) return formatNumber(value);
  if (value === null || typeof value === "boolean") return String(value);
  if (typeof value !== "string") throw new TypeError("A scalar is required.");
  return value.includes("\n") ? lines(value, indent, column) : quote(value, indent, column);
}

/** Writes text of several lines as a literal block where YAML allows one. */
function lines(text: string, indent: number, column: number): string {
  if (/[^\n\x20-\x7e\u00a0-\ud7ff\ue000-\ufefe\uff00-\ufffd]|[\u2028\u2029]| (?:\n|$)/.test(text)) {
    return quote(text, indent, column);
  }
  const hint = /^[ \n]/.test(text) ? "2" : "";
  const chomp = !text.endsWith("\n") ? "-" : /^\n$|\n\n$/.test(text) ? "+" : "";
  const margin = " ".repeat(indent);
  const body = text.replace(/\n$/, "").replace(/^(?=[^\n])/gm, margin);
  return `|${hint}${chomp}\n${body}`;
}

/** Writes text in double quotes; without an indent, on one line. */
function quote(text: string, indent: number | undefined, column: number): string {
  const letters = Array.from(text);
  let result = '"';
  let position = column + 1;
  let spaces = false;
  const put = (part: string): void => {
    result += part;
    position += Array.from(part).length;
  };
  for (const [index, letter] of letters.entries()) {
    const escaped = escape(letter);
    if (escaped !== undefined) {
      put(escaped);
      spaces = false;
    } else if (letter === " ") {
      const fits = indent === undefined || spaces || position <= WIDTH_COLUMNS;
      if (fits || index === 0 || index === letters.length - 1) put(" ");
      else {
        result += `\n${" ".repeat(indent)}`;
        position = indent;
        if (letters[index + 1] === " ") put("\\");
      }
      spaces = true;
    } else {
      put(letter);
      spaces = false;
    }
  }
  return `${result}"`;
}

function escape(letter: string): string | undefined {
  const code = letter.codePointAt(0) ?? 0;
  const known = ESCAPES.get(code);
  if (known !== undefined) return known;
  const isPrintable =
    (code >= 0x20 && code <= 0x7e) ||
    (code >= 0xa0 && code <= 0xd7ff) ||
    (code >= 0xe000 && code <= 0xfffd && code !== 0xfeff);
  if (isPrintable) return undefined;
  const digits = code.toString(16).toUpperCase();
  if (code <= 0xff) return `\\x${digits.padStart(2, "0")}`;
  return code <= 0xffff ? `\\u${digits.padStart(4, "0")}` : `\\U${digits.padStart(8, "0")}`;
}
