import type * as Yaml from "yaml";
import { formatNumber } from "../../../core/json/format-number";
import { isNumberValue, isObjectValue, type KnownValue } from "../../../core/values";
import { isTextTooDeep, TOO_DEEP } from "../limits";
import { fail, refuse } from "./language-function";
import { isBlock, readScalar } from "./yaml-scalars";

let yaml: typeof Yaml | undefined;

/** Loads the YAML parser. */
export async function loadYaml(): Promise<void> {
  yaml ??= await import("yaml");
}

/** Decodes one YAML document by the rules of Terraform's reader. */
export function decodeYaml(text: string): KnownValue {
  if (!yaml) throw new Error("The parser did not load the YAML reader.");
  if (isTextTooDeep(text)) refuse(TOO_DEEP, "src");
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
    refuse(
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
