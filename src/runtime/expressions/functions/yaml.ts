import { memberOf } from "../../../core/member-of";
import { formatNumber } from "../../../core/json/format-number";
import type * as Yaml from "yaml";
import {
  compareStrings,
  isListValue,
  isNumberValue,
  isObjectValue,
  TypedNull,
  type ObjectValue,
  type Value,
  type KnownValue,
} from "../../../core/values";
import { STRING } from "../../../core/types";
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
  checkLetters(text);
  checkDirectives(text);
  const options = { schema: "failsafe", uniqueKeys: false, version: "1.2" } as const;
  const source = text.replaceAll(/\r\n?/g, "\n");
  const documents = yaml.parseAllDocuments(source, { ...options, keepSourceTokens: true });
  const [document] = documents;
  if (!Array.isArray(documents) || documents.length > 1 || !document) {
    return fail("exactly one document is required", "src");
  }
  if (document.errors.length > 0) fail("invalid YAML", "src");
  return new Reader(yaml, document, source).read(document.contents);
}

/** Refuses what YAML 1.1 does, and the line breaks that only it has. */
function checkLetters(text: string): void {
  if (/[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u.test(text)) {
    fail("control characters are not allowed", "src");
  }
  if (/[\x85\u2028\u2029]/.test(text)) {
    fail(
      "this executor reads no U+0085, U+2028 and U+2029, which YAML takes as line breaks",
      "src",
    );
  }
}

function checkDirectives(text: string): void {
  const names: string[] = [];
  for (const line of text.split(/\r\n?|\n/)) {
    const [, name, value] = /^%(\S*)[ \t]*([^\s#]*)/.exec(line) ?? [];
    if (name === undefined && !/^\s*(#|$)/.test(line)) break;
    if (name === undefined) continue;
    if (name !== "YAML" && name !== "TAG") fail("unknown directive", "src");
    if (name === "YAML" && (value !== "1.1" || names.includes(name))) {
      fail("the version of YAML must be 1.1", "src");
    }
    names.push(name);
  }
}

class Reader {
  /** The keys of mappings. An alias does not find their anchors. */
  readonly #keys = new Set<Yaml.Node>();
  /** The nodes that an alias within them may not refer to. */
  readonly #open = new Set<Yaml.Node>();

  constructor(
    readonly library: typeof Yaml,
    readonly document: Yaml.Document.Parsed,
    readonly source: string,
  ) {}

  read(value: unknown): KnownValue {
    if (!this.library.isNode(value)) return null;
    if (this.#open.has(value)) fail("a value contains itself", "src");
    this.#open.add(value);
    const result = this.#readNode(value);
    this.#open.delete(value);
    return result;
  }

  /** A block at the end of a text without a line break has none either. */
  #textOf(node: Yaml.Scalar): string {
    const text = scalarText(node);
    const isOpen = /\S[^\n]*$/.test(this.source) && node.range?.[2] === this.source.length;
    return isBlock(node.type) && isOpen ? text.replace(/\n$/, "") : text;
  }

  #readNode(node: Yaml.Node): KnownValue {
    const { library } = this;
    if (library.isAlias(node)) {
      const target = node.resolve(this.document);
      if (!target || this.#keys.has(target)) fail("an alias refers to no anchor", "src");
      return this.read(target);
    }
    const tag = node.tag?.replace(/^tag:yaml\.org,2002:/, "");
    if (library.isScalar(node)) {
      const written = node.srcToken && "source" in node.srcToken ? node.srcToken.source : "";
      if (node.type === "QUOTE_DOUBLE" && /(?<!\\)(?:\\\\)*\\\//.test(written)) {
        fail("unknown escape character", "src");
      }
      // The library reads these two by their tags.
      const isKnown = tag === "binary" || tag === "timestamp";
      const text = isKnown ? (node.source ?? "") : this.#textOf(node);
      return readScalar(text, node.type, tag);
    }
    if (tag !== undefined && tag !== "map" && tag !== "seq") fail("unsupported tag", "src");
    if (library.isSeq(node)) return node.items.map((item) => this.read(item));
    if (!library.isMap(node)) fail("unsupported node", "src");
    const entries: [string, KnownValue][] = [];
    for (const { key, value } of node.items) {
      if (library.isNode(key)) this.#keys.add(key);
      // Terraform merges a quoted key too, in the order of the entries.
      const isMerge = library.isScalar(key) && key.value === "<<" && key.tag === undefined;
      if (isMerge) entries.push(...members(this.read(value)));
      else if (library.isAlias(key)) fail("the key of a mapping must be a string", "src");
      else entries.push([mappingKey(this.read(key)), this.read(value)]);
    }
    return Object.fromEntries(entries);
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

const BASE64 = /^(?:[A-Za-z\d+/]{4})*(?:[A-Za-z\d+/]{2}==|[A-Za-z\d+/]{3}=)?$/;

function isBlock(style: Yaml.Scalar["type"]): boolean {
  return style === "BLOCK_LITERAL" || style === "BLOCK_FOLDED";
}

/** Returns the string of a block. Terraform reads it by its spelling first: `012` becomes `12`. */
function blockText(value: KnownValue): KnownValue {
  if (value === null) return new TypedNull(STRING);
  if (typeof value === "boolean") return String(value);
  return isNumberValue(value) ? formatNumber(value) : value;
}

/**
 * Resolves a scalar: quoted text is a string, which has to fit its tag; other text is read by its
 * spelling or tag.
 */
function readScalar(text: string, style: Yaml.Scalar["type"], tag: string | undefined): KnownValue {
  const string = text.normalize("NFC");
  const isQuoted = style === "QUOTE_DOUBLE" || style === "QUOTE_SINGLE";
  if (tag === "str" || (tag === undefined && isQuoted)) return string;
  const value = resolve(text);
  if (tag === undefined) return isBlock(style) ? blockText(value) : value;
  const fits: Readonly<Record<string, boolean>> = {
    binary: BASE64.test(text.replaceAll(/\s/g, "")),
    bool: typeof value === "boolean",
    float: isNumberValue(value),
    int: isNumberValue(value),
    null: true,
    timestamp: timestamp(text) !== undefined,
  };
  if (!memberOf(fits, tag)) fail("the value does not fit its tag", "src");
  if (tag === "binary" || isQuoted) return string;
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
