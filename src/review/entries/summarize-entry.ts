import { memberOf } from "../../core/member-of";
import type { Attribute, Attributes } from "../../core/schema/attribute";
import {
  isListValue,
  isNumberValue,
  isObjectValue,
  isUnknownValue,
  isWhollyKnown,
  valuesEqual,
  type ObjectValue,
  type Value,
} from "../../core/values";
import type { PathTree } from "../../formats/difference/path-tree";
import { groupBy } from "../../core/group-by";
import { printable, quote } from "../../core/printed";
import { shortened } from "./shortened";
import { reviewOf } from "../../provider/review-hints";

const MOST_ELEMENTS = 10;
const MOST_TEXT_CHARACTERS = 60;

/** A phrase about a member, in the order of the ranks. */
interface Phrase {
  readonly rank: number;
  readonly text: string;
}

/**
 * Summarizes the content of an entry: `disabled; 599 blocking; namespaces prod-*`. Its name and
 * defaults are left out.
 */
export function summarizeEntry(
  attributes: Attributes,
  key: readonly string[],
  entry: ObjectValue,
  sensitive: PathTree,
): string {
  return [...summarizeObject(attributes, entry, sensitive, key)]
    .sort((a, b) => a.rank - b.rank)
    .map(({ text }) => text)
    .join("; ");
}

function summarizeObject(
  attributes: Attributes,
  object: ObjectValue,
  sensitive: PathTree,
  without: readonly string[] = [],
): readonly Phrase[] {
  if (sensitive.here) return [];
  return Object.entries(attributes).flatMap(([name, attribute]) =>
    without.includes(name) || attribute.writeOnly || attribute.mode === "computed"
      ? []
      : summarizeMember(name, attribute, memberOf(object, name) ?? null, sensitive.at(name)),
  );
}

function summarizeMember(
  name: string,
  attribute: Attribute,
  value: Value,
  sensitive: PathTree,
): readonly Phrase[] {
  const { type, default: usual = null } = attribute;
  const hidden = [{ rank: 3, text: `${name} (sensitive value)` }];
  if (type.kind === "object" && isScope(type.attributes)) {
    if (attribute.sensitive || sensitive.here) return hidden;
    // The attribute in its place is the scope.
    if (value === null && attribute.inPlaceOf !== undefined) return [];
    if (isUnknownValue(value)) return [{ rank: 3, text: `${name} (known after apply)` }];
    const fields = isObjectValue(value) ? summarizeObject(type.attributes, value, sensitive) : [];
    // A scope that restricts nothing.
    return fields.length > 0 ? fields : [{ rank: 2, text: "everything" }];
  }
  if (value === null || valuesEqual(value, usual)) return [];
  if (attribute.sensitive || sensitive.here) return hidden;
  if (type.kind === "object" && isObjectValue(value)) {
    return summarizeObject(type.attributes, value, sensitive);
  }
  if (!isWhollyKnown(value)) return [{ rank: 3, text: `${name} (known after apply)` }];
  switch (reviewOf(attribute)?.kind) {
    case "off-switch":
      return value === true ? [{ rank: 0, text: "disabled" }] : [];
    case "on-switch":
      return value === false ? [{ rank: 0, text: "disabled" }] : [];
    case "rules":
      return [{ rank: 1, text: isObjectValue(value) ? summarizeRules(value) : "" }];
    case "scope":
    case "collections":
      return [{ rank: 2, text: `${words(name)} ${summarizeList(value, printable)}` }];
    default:
      return [{ rank: 3, text: `${words(name)} ${summarizeValue(value)}` }];
  }
}

function isScope(attributes: Attributes): boolean {
  return Object.values(attributes).some((attribute) => reviewOf(attribute)?.kind === "scope");
}

/** `599 blocking, 41, 51 alerting` */
function summarizeRules(rules: ObjectValue): string {
  const groups = groupBy(Object.entries(rules), ([, blocks]) => blocks === true);
  const texts = groups.map((group) => {
    const [[, blocks]] = group;
    const all = group.map(([id]) => id);
    const ids = summarizeList(all, printable);
    return `${ids} ${blocks === true ? "blocking" : "alerting"}`;
  });
  return texts.length === 0 ? "no checks" : texts.join("; ");
}

function summarizeValue(value: Value): string {
  if (isListValue(value)) return summarizeList(value, quote);
  if (typeof value === "string") return shortened(quote(value), MOST_TEXT_CHARACTERS);
  if (isNumberValue(value) || typeof value === "boolean") return String(value);
  return shortened(JSON.stringify(value), MOST_TEXT_CHARACTERS);
}

function summarizeList(value: Value, format: (text: string) => string): string {
  const elements = isListValue(value) ? value : [value];
  const first = elements
    .slice(0, MOST_ELEMENTS)
    .map((element) => format(typeof element === "string" ? element : JSON.stringify(element)));
  const more =
    elements.length > MOST_ELEMENTS ? ` and ${elements.length - MOST_ELEMENTS} more` : "";
  return elements.length === 0 ? "none" : `${first.join(", ")}${more}`;
}

function words(name: string): string {
  return name.replaceAll("_", " ");
}
