import { literal } from "../../constructs/literal";

/** A value that a TypeScript literal can express. Only overrides have null, which removes a member. */
export type Literal = string | number | boolean | null | readonly Literal[] | LiteralObject;
export interface LiteralObject {
  readonly [key: string]: Literal;
}

const WIDTH_COLUMNS = 100;
const INDENTATION_COLUMNS = 2;

/** Returns the source of a value, on one line if it fits behind `column` characters. */
export function literalSource(value: Literal, indent: number, column: number): string {
  const line = onOneLine(value);
  const isOneLine = column + line.length <= WIDTH_COLUMNS;
  if (isOneLine || typeof value !== "object" || value === null) return line;
  const margin = " ".repeat(indent + INDENTATION_COLUMNS);
  const [open, close] = isList(value) ? "[]" : "{}";
  const lines = partsOf(value).map(([prefix, part]) => {
    const source = literalSource(
      part,
      indent + INDENTATION_COLUMNS,
      indent + INDENTATION_COLUMNS + prefix.length + 1,
    );
    return `${margin}${prefix}${source},`;
  });
  return [open, ...lines, `${" ".repeat(indent)}${close}`].join("\n");
}

function onOneLine(value: Literal): string {
  if (typeof value === "string") return stringSource(value);
  if (typeof value !== "object" || value === null) return String(value);
  const parts = partsOf(value).map(([prefix, part]) => prefix + onOneLine(part));
  if (isList(value)) return `[${parts.join(", ")}]`;
  return parts.length === 0 ? "{}" : `{ ${parts.join(", ")} }`;
}

function partsOf(value: readonly Literal[] | LiteralObject): (readonly [string, Literal])[] {
  if (isList(value)) return value.map((element) => ["", element]);
  return Object.entries(value).map(([key, member]) => [`${keySource(key)}: `, member]);
}

export function isList(value: Literal | undefined): value is readonly Literal[] {
  return Array.isArray(value);
}

function keySource(key: string): string {
  // Without brackets the key would set the prototype.
  if (key === "__proto__") return '["__proto__"]';
  return /^(?:[A-Za-z_$][\w$]*|0|[1-9]\d{0,14})$/.test(key) ? key : stringSource(key);
}

/** Returns a string literal that JavaScript, cdktf and Terraform read as this text. */
export function stringSource(text: string): string {
  const source = JSON.stringify(literal(text)).replace(UNPRINTABLE, unicodeEscape);
  // JSON in JSON is easier to read in single quotes.
  return text.includes('"') && !text.includes("'")
    ? `'${source.slice(1, -1).replaceAll('\\"', '"')}'`
    : source;
}

/** Characters that editors do not show, or show at another place. */
const UNPRINTABLE = /[\p{C}\p{Zl}\p{Zp}]/gu;

function unicodeEscape(character: string): string {
  return Array.from({ length: character.length }, (_, index) => {
    const unit = character.charCodeAt(index).toString(16).padStart(4, "0");
    return `\\u${unit}`;
  }).join("");
}
