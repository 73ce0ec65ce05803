import { compareStrings } from "../../provider/values";
import { formatNumber } from "../../runtime/state/format-json";
import { isExactNumber } from "../../provider/lossless-json";
import { isJsonArray, type Json } from "../../runtime/state/state-value";
import type { OutputState } from "../../runtime/state/state";
import { partType } from "../difference/stored-value";
import { attributeName, printableLines, quote } from "./quote";

/** Lists the outputs of a state as `terraform output` does; sensitive values are hidden. */
export function renderOutputs(outputs: Readonly<Record<string, OutputState>>): string {
  return Object.entries(outputs)
    .sort(([a], [b]) => compareStrings(a, b))
    .map(([name, { value, type, sensitive }]) => {
      const text = sensitive ? "<sensitive>" : renderOutputValue(value, type);
      return `${attributeName(name)} = ${text}\n`;
    })
    .join("");
}

/** Renders a value in Terraform's syntax, with its type where the syntax is ambiguous. */
export function renderOutputValue(value: Json, type: Json = "dynamic", indent = 0): string {
  if (value === null) return renderNull(type);
  if (isExactNumber(value)) return value.value;
  if (typeof value === "string") return renderString(value, indent);
  if (typeof value === "number") return formatNumber(value);
  if (typeof value !== "object") return String(value);
  const [kind] = isJsonArray(type) ? type : [];
  const text = isJsonArray(value)
    ? sequence(
        value.map((element, index) => [element, partType(type, index)]),
        indent,
      )
    : mapping(value, type, indent);
  return kind === "list" || kind === "set" || kind === "map" ? `to${kind}(${text})` : text;
}

function sequence(elements: readonly [Json, Json | undefined][], indent: number): string {
  if (elements.length === 0) return "[]";
  const margin = " ".repeat(indent + 2);
  const lines = elements.map(
    ([element, type]) => `${margin}${renderOutputValue(element, type, indent + 2)},`,
  );
  return ["[", ...lines, `${" ".repeat(indent)}]`].join("\n");
}

function mapping(value: Readonly<Record<string, Json>>, type: Json, indent: number): string {
  const keys = Object.keys(value).sort(compareStrings);
  if (keys.length === 0) return "{}";
  const margin = " ".repeat(indent + 2);
  const lines = keys.map((key) => {
    const member = renderOutputValue(value[key] ?? null, partType(type, key), indent + 2);
    return `${margin}${quote(key)} = ${member}`;
  });
  return ["{", ...lines, `${" ".repeat(indent)}}`].join("\n");
}

function renderNull(type: Json): string {
  if (type === "string" || type === "number" || type === "bool") return `to${type}(null)`;
  const [kind, inner] = isJsonArray(type) ? type : [];
  if (kind === "list" || kind === "set" || kind === "map") {
    return `to${kind}(null) /* of ${friendlyName(inner)} */`;
  }
  return kind === undefined ? "null" : `null /* ${friendlyName(type)} */`;
}

function friendlyName(type: Json | undefined): string {
  if (typeof type === "string") return type;
  const [kind, inner] = type !== undefined && isJsonArray(type) ? type : [];
  if (kind === "list" || kind === "set" || kind === "map") {
    return `${kind} of ${friendlyName(inner)}`;
  }
  return typeof kind === "string" ? kind : "dynamic";
}

/** A string with line breaks is a heredoc, whose end marker no line may equal. */
function renderString(text: string, indent: number): string {
  const lines = printableLines(text).split("\n");
  if (lines.length === 1) return quote(text);
  let end = "EOT";
  while (lines.some((line) => line.trim() === end)) end += "_";
  const margin = " ".repeat(indent);
  return [
    `<<${indent > 0 ? "-" : ""}${end}`,
    ...lines.map((line) => margin + line),
    margin + end,
  ].join("\n");
}
