import { isNumberValue, memberOf, UNKNOWN, valuesEqual, type Unknown } from "../../provider/values";
import { isList, isObject, Marked, SetValue, type Evaluated } from "./evaluated";
import type { Node } from "./nodes";

/** Compares two values by type and content: `1` does not equal `"1"`. Ignores marks. */
export function equal(a: Evaluated, b: Evaluated): boolean | Unknown {
  if (a instanceof Marked) return equal(a.value, b);
  if (b instanceof Marked) return equal(a, b.value);
  if (a === UNKNOWN || b === UNKNOWN) return UNKNOWN;
  if (isNumberValue(a) && isNumberValue(b)) return valuesEqual(a, b);
  if (a instanceof SetValue && b instanceof SetValue) {
    const unknown = [...a.elements, ...b.elements].some(
      (element) => equal(element, element) !== true,
    );
    return unknown ? UNKNOWN : equalLists(a.elements, b.elements);
  }
  if (isList(a) && isList(b)) return equalLists(a, b);
  if (isObject(a) && isObject(b)) {
    const keys = Object.keys(a);
    if (keys.length !== Object.keys(b).length || keys.some((key) => !Object.hasOwn(b, key))) {
      return false;
    }
    const members = keys.map((key) => equal(memberOf(a, key) ?? null, memberOf(b, key) ?? null));
    return members.includes(UNKNOWN) ? UNKNOWN : !members.includes(false);
  }
  return a === b;
}

/** Compares element by element; an unknown one before a difference makes the result unknown. */
function equalLists(a: readonly Evaluated[], b: readonly Evaluated[]): boolean | Unknown {
  if (a.length !== b.length) return false;
  for (const [index, element] of a.entries()) {
    const result = equal(element, b[index] ?? null);
    if (result !== true) return result;
  }
  return true;
}

/** Reports whether the unknown result of a node cannot equal a known value. */
export function excludes(node: Node, value: Evaluated): boolean {
  if (value === UNKNOWN || value instanceof Marked) return false;
  if (value === null) return isNeverNull(node);
  return typeof value === "string" && !value.startsWith(knownPrefix(node));
}

const NEVER_NULL: ReadonlySet<string> = new Set(
  "base64encode base64sha256 base64sha512 chomp coalesce format formatlist indent join jsonencode length lower md5 replace sha1 sha256 sha512 split strrev substr timestamp title trim trimprefix trimspace trimsuffix upper urlencode uuid".split(
    " ",
  ),
);

function isNeverNull(node: Node): boolean {
  switch (node.kind) {
    case "literal":
      return node.value !== null;
    case "call":
      return NEVER_NULL.has(node.name);
    case "conditional":
      return isNeverNull(node.whenTrue) && isNeverNull(node.whenFalse);
    case "template":
    case "join":
    case "binary":
    case "unary":
    case "for":
    case "tuple":
    case "object":
      return true;
    default:
      return false;
  }
}

/** Gives the text that the result of a node certainly starts with. */
function knownPrefix(node: Node): string {
  if (node.kind === "template") {
    let prefix = "";
    for (const part of node.parts) {
      if (part.kind !== "literal" || typeof part.value !== "string") break;
      prefix += part.value;
    }
    return prefix;
  }
  const [first] = node.kind === "call" ? node.args : [];
  if (node.kind !== "call" || !first) return "";
  if (node.name === "jsonencode") {
    return first.kind === "object" ? "{" : first.kind === "tuple" ? "[" : "";
  }
  if (node.name === "format" && first.kind === "literal" && typeof first.value === "string") {
    return first.value.replace(/%[^]*$/, "");
  }
  return "";
}
