import type { FunctionDefinition, FunctionResult } from "../definitions/provider-definition";
import { formatNumber } from "../json/format-number";
import { memberOf } from "../member-of";
import { printable } from "../printed";
import { ANY, STRING } from "../types";
import {
  isListValue,
  isNullValue,
  isNumberValue,
  isObjectValue,
  sortedKeys,
  type KnownObject,
  type KnownValue,
} from "../values";

/** Writes a value as an HCL expression. */
const encodeExpression: FunctionDefinition = {
  name: "encode_expr",
  summary: "Writes a value as an HCL expression",
  description: "The HCL expression of a value, as Terraform writes it.",
  parameters: [{ name: "value", type: ANY, description: "A value." }],
  returns: STRING,
  call: ([value = null]) => ({ value: indented(linesOf(value)).join("\n") }),
};

/** Writes a file of variables in HCL. */
const encodeVariables: FunctionDefinition = {
  name: "encode_tfvars",
  summary: "Writes an object as a file of variables",
  description: "The content of a `.tfvars` file that sets variables to the members of an object.",
  parameters: [{ name: "value", type: ANY, description: "An object or a map." }],
  returns: STRING,
  call: ([value = null]) => {
    if (!isObjectValue(value)) {
      return failure(
        "invalid value to encode: must be an object whose attribute names will become the encoded variable names",
      );
    }
    const invalid = sortedKeys(value).find((name) => !IDENTIFIER.test(name));
    if (invalid !== undefined) {
      return failure(
        `invalid variable name "${invalid}": must be a valid identifier, per Terraform's rules for input variable declarations`,
      );
    }
    const lines = indented(attributeLines(value)).map((line) => `${line}\n`);
    return { value: lines.join("") };
  },
};

export const terraformFunctions: readonly FunctionDefinition[] = [
  encodeExpression,
  encodeVariables,
];

function failure(text: string): FunctionResult {
  return { error: { text: printable(text) } };
}

/** A line before it is indented, with the brackets that it opens, less those that it closes. */
interface Line {
  readonly text: string;
  readonly opens: number;
}

function linesOf(value: KnownValue): readonly Line[] {
  if (isListValue(value)) {
    const items = value.map(linesOf);
    const parts = items.flatMap((lines, index) =>
      index === 0 ? [lines] : [[ofText(", ")], lines],
    );
    return [[{ text: "[", opens: 1 }], ...parts, [{ text: "]", opens: -1 }]].reduce(inOneLine);
  }
  if (isObjectValue(value)) {
    const lines = attributeLines(value);
    if (lines.length === 0) return [ofText("{}")];
    return [{ text: "{", opens: 1 }, ...lines, { text: "}", opens: -1 }];
  }
  if (isNullValue(value)) return [ofText("null")];
  if (isNumberValue(value)) return [ofText(formatNumber(value))];
  return [ofText(typeof value === "string" ? quote(value) : String(value))];
}

function ofText(text: string): Line {
  return { text, opens: 0 };
}

/** Continues the last line of a text with the first line of another. */
function inOneLine(text: readonly Line[], more: readonly Line[]): readonly Line[] {
  const [last, first] = [text.at(-1) ?? ofText(""), more[0] ?? ofText("")];
  const line = { text: last.text + first.text, opens: last.opens + first.opens };
  return [...text.slice(0, -1), line, ...more.slice(1)];
}

/** Writes attributes. The equals signs of neighbors that have one line each are aligned. */
function attributeLines(value: KnownObject): readonly Line[] {
  const attributes = sortedKeys(value).map((key) => {
    const name = IDENTIFIER.test(key) ? key : quote(key);
    return { name, lines: linesOf(memberOf(value, key) ?? null) };
  });
  const isShort = (index: number) => attributes[index]?.lines.length === 1;
  return attributes.flatMap(({ name, lines }, index) => {
    let [from, to] = [index, index];
    while (isShort(index) && isShort(from - 1)) from--;
    while (isShort(index) && isShort(to + 1)) to++;
    const width = Math.max(...attributes.slice(from, to + 1).map((one) => columns(one.name)));
    return inOneLine([ofText(`${name}${" ".repeat(width - columns(name))} = `)], lines);
  });
}

/** Indents as HCL's formatter: by one level for each line with open brackets. */
function indented(lines: readonly Line[]): readonly string[] {
  const levels: number[] = [];
  return lines.map(({ text, opens }) => {
    const depth = levels.length;
    if (opens > 0) levels.push(opens);
    for (let closed = -opens; closed > 0 && levels.length > 0;) {
      const level = levels.pop() ?? 0;
      if (closed < level) levels.push(level - closed);
      closed -= level;
    }
    return "  ".repeat(opens < 0 ? levels.length : depth) + text;
  });
}

const IDENTIFIER = /^[\p{ID_Start}_][\p{ID_Continue}-]*$/u;
const SEGMENTER = new Intl.Segmenter();

function columns(text: string): number {
  return [...SEGMENTER.segment(text)].length;
}

const ESCAPES: ReadonlyMap<string, string> = new Map([
  ["\n", "\\n"],
  ["\r", "\\r"],
  ["\t", "\\t"],
  ['"', '\\"'],
  ["\\", "\\\\"],
]);

function quote(text: string): string {
  const escaped = text
    .replace(/[$%](?=\{)/g, "$&$&")
    .replace(/["\\]|[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/gu, (letter) => {
      const known = ESCAPES.get(letter);
      if (known !== undefined) return known;
      const digits = (letter.codePointAt(0) ?? 0).toString(16);
      return digits.length > 4 ? `\\U${digits.padStart(8, "0")}` : `\\u${digits.padStart(4, "0")}`;
    });
  return `"${escaped}"`;
}
