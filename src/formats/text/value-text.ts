import { formatNumber } from "../../core/json/format-number";
import { memberOf } from "../../core/member-of";
import { printableLines, quote, rendered, type Printable } from "../../core/printed";
import { collectionTypeOf, typeOf } from "../../core/typed-values";
import type { Type } from "../../core/types";
import {
  isListValue,
  isNullValue,
  isNumberValue,
  isObjectValue,
  isUnknownValue,
  Marked,
  sortedKeys,
  type Evaluated,
  type EvaluatedObject,
} from "../../core/values";

/**
 * Renders a value in Terraform's syntax, with its type where the syntax is ambiguous. Secret parts are
 * hidden.
 */
export function renderValue(value: Evaluated): Printable {
  return rendered(valueText(value, 0));
}

function valueText(value: Evaluated, indent: number): string {
  if (value instanceof Marked) return markedText(value, indent);
  if (isUnknownValue(value)) return "(known after apply)";
  if (isNullValue(value)) return nullText(typeOf(value));
  if (isNumberValue(value)) return formatNumber(value);
  if (typeof value === "string") return stringText(value, indent);
  const kind = collectionTypeOf(value)?.kind;
  if (isListValue(value)) return converted(kind, sequence(value, indent));
  return isObjectValue(value) ? converted(kind, mapping(value, indent)) : String(value);
}

function markedText(value: Marked, indent: number): string {
  if (value.sensitive || value.hidden) return "(sensitive value)";
  return value.ephemeral ? "(ephemeral value)" : valueText(value.value, indent);
}

function converted(kind: string | undefined, text: string): string {
  return kind === undefined ? text : `to${kind}(${text})`;
}

function sequence(elements: readonly Evaluated[], indent: number): string {
  if (elements.length === 0) return "[]";
  const margin = " ".repeat(indent + 2);
  const lines = elements.map((element) => `${margin}${valueText(element, indent + 2)},`);
  return ["[", ...lines, `${" ".repeat(indent)}]`].join("\n");
}

function mapping(value: EvaluatedObject, indent: number): string {
  const keys = sortedKeys(value);
  if (keys.length === 0) return "{}";
  const margin = " ".repeat(indent + 2);
  const lines = keys.map((key) => {
    const member = valueText(memberOf(value, key) ?? null, indent + 2);
    return `${margin}${stringText(key, indent + 2)} = ${member}`;
  });
  return ["{", ...lines, `${" ".repeat(indent)}}`].join("\n");
}

function nullText(type: Type): string {
  switch (type.kind) {
    case "any":
      return "null";
    case "string":
    case "number":
    case "bool":
      return `to${type.kind}(null)`;
    case "list":
    case "set":
    case "map":
      return `to${type.kind}(null) /* of ${friendlyName(type.element)} */`;
    default:
      return `null /* ${friendlyName(type)} */`;
  }
}

function friendlyName(type: Type): string {
  if (type.kind === "any") return "dynamic";
  return "element" in type ? `${type.kind} of ${friendlyName(type.element)}` : type.kind;
}

/** A string with line breaks is a heredoc, whose end marker no line may equal. */
function stringText(text: string, indent: number): string {
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
