import type { Scalar } from "yaml";
import { formatNumber } from "../../../core/json/format-number";
import { memberOf } from "../../../core/member-of";
import { STRING } from "../../../core/types";
import { isNumberValue, TypedNull, type KnownValue } from "../../../core/values";
import { parseNumber } from "../numbers";
import { fail, refuse } from "./language-function";

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

export function isBlock(style: Scalar["type"]): boolean {
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
export function readScalar(
  text: string,
  style: Scalar["type"],
  tag: string | undefined,
): KnownValue {
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
  if (/^[-+]?\.(inf|Inf|INF)$/.test(text))
    refuse("this executor calculates with finite numbers only", "src");
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
