import { isRecord, setMember } from "../member-of";
import { isLosslessNumber, LosslessNumber, parse, stringify } from "lossless-json";

/** The class of exact numbers, and a comparison of their digits. */
export { compareNumber as compareDigits, LosslessNumber } from "lossless-json";

/** A number with its original digits. */
export interface ExactJsonNumber {
  /** The digits as found, as in 9007199254740993 or 1.50. */
  readonly value: string;
  valueOf(): number | bigint;
}

/**
 * A number of a JSON text. A number that JavaScript would print differently (big integers, `1.0`,
 * `1e3`, `-0`) keeps its digits, so that it is written as it was found.
 */
export type JsonNumber = number | ExactJsonNumber;

export function isExactNumber(value: unknown): value is ExactJsonNumber {
  return isLosslessNumber(value);
}

/** Converts to a number to compute with. Digits beyond the precision of a double are lost. */
export function toNumber(value: JsonNumber): number {
  return typeof value === "number" ? value : Number(value.value);
}

/**
 * Parses JSON text. The last of several members of the same name counts, as in `JSON.parse` and Go.
 *
 * @param readNumber Converts the digits of a number that JavaScript may print differently. Default:
 *   to a `JsonNumber`.
 * @throws SyntaxError Names the position, unless the text is nested deeper than `JSON_DEPTH`.
 */
export function parseJson(
  text: string,
  readNumber: (digits: string) => unknown = readJsonNumber,
): unknown {
  if (isNestedDeeper(text, JSON_DEPTH)) throw new SyntaxError("JSON is nested too deeply");
  try {
    if (!UNUSUAL_NUMBER.test(text)) return JSON.parse(text);
    if (!MARK_IN_TEXT.test(text)) return readMarked(JSON.parse(marked(text)), readNumber);
  } catch {
    // The other parser names the position.
  }
  return parse(text, undefined, {
    parseNumber: readNumber,
    onDuplicateKey: ({ newValue }) => newValue,
  });
}

/**
 * Matches texts with a number that JavaScript may print differently. Some strings match as well, but
 * no times such as "10:48:17.146Z".
 */
const UNUSUAL_NUMBER = /(?:^|[[,]|"\s*:)\s*(?:-0|-?\d+[.eE]|-?\d{16})/;

/*
 * The native parser is ten times as fast as one that keeps digits, and its strings take a thirtieth of
 * the memory. So it reads unusual numbers as strings that begin with a mark.
 */
const MARK = "\uE000";
const MARK_IN_TEXT = /\uE000|\\u[eE]000/;
const STRING_OR_NUMBER = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*/g;
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

function marked(text: string): string {
  return text.replace(STRING_OR_NUMBER, (token) =>
    token.startsWith('"') || String(Number(token)) === token || !NUMBER.test(token)
      ? token
      : `"${MARK}${token}"`,
  );
}

/** Reads the marked numbers in a value. */
function readMarked(value: unknown, readNumber: (digits: string) => unknown): unknown {
  if (typeof value === "string") {
    return value.startsWith(MARK) ? readNumber(value.slice(MARK.length)) : value;
  }
  // In place: a copy of a large value takes as long as reading it.
  if (Array.isArray(value)) {
    value.forEach((element, index) => {
      value[index] = readMarked(element, readNumber);
    });
    return value;
  }
  if (!isRecord(value)) return value;
  for (const [name, member] of Object.entries(value)) {
    if (name.startsWith(MARK)) throw new SyntaxError("A number cannot be a name");
    const read = readMarked(member, readNumber);
    if (read !== member) setMember(value, name, read);
  }
  return value;
}

/** Levels of lists and objects in JSON that is read: functions that recurse can process them. */
export const JSON_DEPTH = 500;

/** Reports whether lists and objects of a JSON text are nested deeper than a number of levels. */
export function isNestedDeeper(text: string, levels: number): boolean {
  // Counting with native searches is enough for most texts.
  const half = levels / 2;
  if (!occursMoreThan(half, "{", text) && !occursMoreThan(half, "[", text)) return false;
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit === OPEN_LIST || unit === OPEN_OBJECT) {
      depth += 1;
      if (depth > levels) return true;
    } else if (unit === CLOSE_LIST || unit === CLOSE_OBJECT) depth -= 1;
    else if (unit === QUOTE) at = endOfString(text, at);
  }
  return false;
}

function occursMoreThan(times: number, character: string, text: string): boolean {
  let found = 0;
  for (let at = text.indexOf(character); at >= 0; at = text.indexOf(character, at + 1)) {
    found += 1;
    if (found > times) return true;
  }
  return false;
}

const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT, QUOTE] = [0x5b, 0x5d, 0x7b, 0x7d, 0x22];

/** Returns the place of the quote that ends a string. */
function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (end > 0 && isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end < 0 ? text.length : end;
}

function isEscaped(text: string, at: number): boolean {
  let backslashes = 0;
  while (text[at - 1 - backslashes] === "\\") backslashes += 1;
  return backslashes % 2 === 1;
}

function readJsonNumber(digits: string): JsonNumber {
  const number = Number(digits);
  return String(number) === digits ? number : new LosslessNumber(digits);
}

/** Returns the offset at which text stops being valid JSON. */
export function faultOffset(text: string): number {
  try {
    parseJson(text);
  } catch (cause) {
    const offset = / at position (\d+)$/.exec(String(cause))?.[1];
    if (offset !== undefined) return Number(offset);
  }
  return text.length;
}

/** Returns the first member of a valid JSON text whose name its object has already. */
export function duplicateMember(text: string): { name: string; offset: number } | undefined {
  const objects: Set<string>[] = [];
  for (const { 0: token, 1: colon, index } of text.matchAll(/"(?:[^"\\]|\\.)*"(\s*:)?|[{}]/g)) {
    if (token === "{") objects.push(new Set());
    else if (token === "}") objects.pop();
    else if (colon !== undefined) {
      const name = String(JSON.parse(token.slice(0, -colon.length)));
      if (objects.at(-1)?.has(name)) return { name, offset: index };
      objects.at(-1)?.add(name);
    }
  }
  return undefined;
}

/**
 * Formats a value by the native writer, which is ten times as fast. Undefined with an exact number, which
 * it writes as an object. Throws for big integers.
 */
export function nativeJson(value: unknown, indentation?: string): string | undefined {
  const text = (JSON.stringify(value, undefined, indentation) as string | undefined) ?? "null";
  return text.includes('"isLosslessNumber"') ? undefined : text;
}

/** Formats a value as JSON, on one line or indented. Members that are undefined are left out. */
export function stringifyJson(value: unknown, indentation?: string): string {
  try {
    const text = nativeJson(value, indentation);
    if (text !== undefined) return text;
  } catch {
    // The other writer knows big integers.
  }
  return stringify(value, undefined, indentation) ?? "null";
}
