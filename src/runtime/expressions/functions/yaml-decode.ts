import type * as Yaml from "yaml";
import { isNumberValue, isObjectValue, type KnownValue } from "../../../provider/values";
import { formatNumber, parseNumber } from "../numbers";
import { FunctionFailure } from "./language-function";

let yaml: typeof Yaml | undefined;

/** Loads the YAML parser. */
export async function loadYaml(): Promise<void> {
  yaml ??= await import("yaml");
}

class Refusal extends Error {}

/** Decodes one YAML document by the rules of Terraform's reader. */
export function decodeYaml(text: string): KnownValue | FunctionFailure {
  if (!yaml) throw new Error("The parser did not load the YAML reader.");
  const options = { schema: "failsafe", uniqueKeys: false, version: "1.2" } as const;
  const documents = yaml.parseAllDocuments(text, options);
  const [document] = documents;
  if (!Array.isArray(documents) || documents.length > 1 || !document) {
    return new FunctionFailure("exactly one document is required", "src");
  }
  if (document.errors.length > 0) return new FunctionFailure("invalid YAML", "src");
  try {
    return new Reader(yaml, document).read(document.contents);
  } catch (thrown) {
    if (thrown instanceof Refusal) return new FunctionFailure(thrown.message, "src");
    throw thrown;
  }
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
    if (this.#open.has(value)) throw new Refusal("a value contains itself");
    this.#open.add(value);
    const result = this.#readNode(value);
    this.#open.delete(value);
    return result;
  }

  #readNode(node: Yaml.Node): KnownValue {
    const { library } = this;
    if (library.isAlias(node)) {
      const target = node.resolve(this.document);
      if (!target) throw new Refusal("an alias refers to no anchor");
      return this.read(target);
    }
    const tag = node.tag?.replace(/^tag:yaml\.org,2002:/, "");
    if (library.isScalar(node)) {
      const text = tag === "binary" ? (node.source ?? "") : scalarText(node);
      return scalar(text, node.type !== "PLAIN", tag);
    }
    if (tag !== undefined && tag !== "map" && tag !== "seq") throw new Refusal("unsupported tag");
    if (library.isSeq(node)) return node.items.map((item) => this.read(item));
    if (!library.isMap(node)) throw new Refusal("unsupported node");
    const merged: [string, KnownValue][] = [];
    const own: [string, KnownValue][] = [];
    for (const { key, value } of node.items) {
      const isMerge = library.isScalar(key) && key.value === "<<" && key.type === "PLAIN";
      if (isMerge) merged.push(...members(this.read(value)));
      else own.push([keyOf(this.read(key)), this.read(value)]);
    }
    return Object.fromEntries([...merged, ...own]);
  }
}

function members(value: KnownValue): [string, KnownValue][] {
  if (!isObjectValue(value)) throw new Refusal("only a mapping can be merged");
  return Object.entries(value);
}

/** The failsafe schema gives every scalar as a string. */
function scalarText({ value }: Yaml.Scalar): string {
  return typeof value === "string" ? value : "";
}

function keyOf(value: KnownValue): string {
  if (typeof value === "string") return value;
  if (isNumberValue(value)) return formatNumber(value);
  if (typeof value === "boolean") return String(value);
  throw new Refusal("the key of a mapping must be a string");
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
function scalar(text: string, quoted: boolean, tag: string | undefined): KnownValue {
  const isText = tag === "str" || tag === "binary" || (tag === undefined && quoted);
  const value = isText ? text.normalize("NFC") : resolve(text);
  const fits: Readonly<Record<string, boolean>> = {
    bool: typeof value === "boolean",
    float: isNumberValue(value),
    int: isNumberValue(value),
    null: true,
  };
  if (tag === undefined || isText) return value;
  if (!fits[tag]) throw new Refusal("the value does not fit its tag");
  return tag === "null" ? null : value;
}

function resolve(text: string): KnownValue {
  const word = WORDS.get(text);
  if (word !== undefined) return word;
  if (/^[-+]?\.(inf|Inf|INF)$/.test(text)) throw new Refusal("numbers must be finite");
  const radix = /^0(x[\da-fA-F]+|o[0-7]+)$/.test(text);
  const number = radix ? parseNumber(String(BigInt(text))) : parseNumber(text);
  return timestamp(text) ?? number ?? text.normalize("NFC");
}

/** Gives a date or a time in RFC 3339, as Terraform converts them. */
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
