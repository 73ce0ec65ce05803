import { memberOf } from "../../../core/member-of";
import { formatNumber } from "../../../core/json/format-number";
import type * as Yaml from "yaml";
import {
  compareStrings,
  isListValue,
  isNumberValue,
  isObjectValue,
  type ObjectValue,
  type Value,
  type KnownValue,
} from "../../../core/values";
import { isTextTooDeep, TOO_DEEP } from "../limits";
import { parseNumber } from "../numbers";
import { fail } from "./language-function";

let yaml: typeof Yaml | undefined;

/** Loads the YAML parser. */
export async function loadYaml(): Promise<void> {
  yaml ??= await import("yaml");
}

/** Decodes one YAML document by the rules of Terraform's reader. */
export function decodeYaml(text: string): KnownValue {
  if (!yaml) throw new Error("The parser did not load the YAML reader.");
  if (isTextTooDeep(text)) fail(TOO_DEEP, "src");
  const options = { schema: "failsafe", uniqueKeys: false, version: "1.2" } as const;
  const documents = yaml.parseAllDocuments(text, options);
  const [document] = documents;
  if (!Array.isArray(documents) || documents.length > 1 || !document) {
    return fail("exactly one document is required", "src");
  }
  if (document.errors.length > 0) fail("invalid YAML", "src");
  return new Reader(yaml, document).read(document.contents);
}

class Reader {
  /** The nodes that an alias within them may not refer to. */
  readonly #open = new Set<Yaml.Node>();

  constructor(
    readonly library: typeof Yaml,
    readonly document: Yaml.Document.Parsed,
  ) {}

  read(value: unknown): KnownValue {
    if (!this.library.isNode(value)) return null;
    if (this.#open.has(value)) fail("a value contains itself", "src");
    this.#open.add(value);
    const result = this.#readNode(value);
    this.#open.delete(value);
    return result;
  }

  #readNode(node: Yaml.Node): KnownValue {
    const { library } = this;
    if (library.isAlias(node)) {
      const target = node.resolve(this.document);
      if (!target) fail("an alias refers to no anchor", "src");
      return this.read(target);
    }
    const tag = node.tag?.replace(/^tag:yaml\.org,2002:/, "");
    if (library.isScalar(node)) {
      const text = tag === "binary" ? (node.source ?? "") : scalarText(node);
      return readScalar(text, node.type !== "PLAIN", tag);
    }
    if (tag !== undefined && tag !== "map" && tag !== "seq") fail("unsupported tag", "src");
    if (library.isSeq(node)) return node.items.map((item) => this.read(item));
    if (!library.isMap(node)) fail("unsupported node", "src");
    const merged: [string, KnownValue][] = [];
    const own: [string, KnownValue][] = [];
    for (const { key, value } of node.items) {
      const isMerge = library.isScalar(key) && key.value === "<<" && key.type === "PLAIN";
      if (isMerge) merged.push(...members(this.read(value)));
      else own.push([mappingKey(this.read(key)), this.read(value)]);
    }
    return Object.fromEntries([...merged, ...own]);
  }
}

function members(value: KnownValue): [string, KnownValue][] {
  if (!isObjectValue(value)) fail("only a mapping can be merged", "src");
  return Object.entries(value);
}

/** The failsafe schema gives every scalar as a string. */
function scalarText({ value }: Yaml.Scalar): string {
  return typeof value === "string" ? value : "";
}

function mappingKey(value: KnownValue): string {
  if (typeof value === "string") return value;
  if (isNumberValue(value)) return formatNumber(value);
  if (typeof value === "boolean") return String(value);
  fail("the key of a mapping must be a string", "src");
}

const WORDS: ReadonlyMap<string, boolean | null> = new Map([
  ...["y", "yes", "true", "on"].flatMap((word) => spellings(word, true)),
  ...["n", "no", "false", "off"].flatMap((word) => spellings(word, false)),
  ...["null", "", "~"].flatMap((word) => spellings(word, null)),
]);

function spellings<V>(word: string, value: V): [string, V][] {
  const capital = word.slice(0, 1).toUpperCase() + word.slice(1);
  return [word, capital, word.toUpperCase()].map((spelling) => [spelling, value]);
}

/** Resolves a scalar: quoted text is a string, plain text by its spelling or tag. */
function readScalar(text: string, quoted: boolean, tag: string | undefined): KnownValue {
  const isText = tag === "str" || tag === "binary" || (tag === undefined && quoted);
  const value = isText ? text.normalize("NFC") : resolve(text);
  const fits: Readonly<Record<string, boolean>> = {
    bool: typeof value === "boolean",
    float: isNumberValue(value),
    int: isNumberValue(value),
    null: true,
  };
  if (tag === undefined || isText) return value;
  if (!memberOf(fits, tag)) fail("the value does not fit its tag", "src");
  return tag === "null" ? null : value;
}

function resolve(text: string): KnownValue {
  const word = WORDS.get(text);
  if (word !== undefined) return word;
  if (/^[-+]?\.(inf|Inf|INF)$/.test(text)) fail("numbers must be finite", "src");
  const radix = /^0(x[\da-fA-F]+|o[0-7]+)$/.test(text);
  const number = radix ? parseNumber(String(BigInt(text))) : parseNumber(text);
  return timestamp(text) ?? number ?? text.normalize("NFC");
}

/** Returns a date or a time in RFC 3339, as Terraform converts them. */
function timestamp(text: string): string | undefined {
  const match =
    /^(\d{4})-(\d\d?)-(\d\d?)(?:(?:[Tt]|[ \t]+)(\d\d?):(\d\d?):(\d\d?)(?:\.\d+)?(Z|[-+]\d\d:\d\d)?)?$/.exec(
      text,
    );
  if (!match) return undefined;
  const [, year = "", ...rest] = match;
  const [month = "", day = "", hours = "0", minutes = "0", seconds = "0"] = rest
    .slice(0, 5)
    .map((part: string | undefined) => (part ?? "0").padStart(2, "0"));
  const local = `${year}-${month}-${day}T${hours}:${minutes}:${seconds}`;
  const time = Date.parse(`${local}Z`);
  if (Number.isNaN(time) || !new Date(time).toISOString().startsWith(local)) return undefined;
  return `${local}${rest[5] ?? "Z"}`;
}

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
    return fail("this executor does not write keys of more than 120 bytes or of several lines");
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
