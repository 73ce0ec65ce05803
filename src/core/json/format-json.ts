import { formatNumber } from "./format-number";
import { htmlSafe } from "./html-safe-json";
import { isExactNumber, type ExactJsonNumber } from "./lossless-json";
import { compareStrings, TypedNull } from "../values";

/** JSON to write: a `Map` keeps its order, a plain object is sorted, as a map of Terraform. */
export type JsonTree =
  | null
  | TypedNull
  | boolean
  | number
  | string
  | ExactJsonNumber
  | readonly JsonTree[]
  | { readonly [key: string]: JsonTree }
  | ReadonlyMap<string, JsonTree>;

/** Returns an object that keeps the order of its members, without undefined ones. */
export function struct(
  members: readonly (readonly [string, JsonTree | undefined])[],
): ReadonlyMap<string, JsonTree> {
  return new Map(
    members.flatMap(([key, member]) => (member === undefined ? [] : [[key, member] as const])),
  );
}

/** Undefined for an empty list or object, which Terraform often leaves out. */
export function unlessEmpty<T extends readonly JsonTree[] | { readonly [key: string]: JsonTree }>(
  tree: T,
): T | undefined {
  return Object.keys(tree).length > 0 ? tree : undefined;
}

/**
 * Formats JSON like Go's encoder: `<`, `>`, `&` and the two line separators are escaped, numbers have
 * no exponent. With an `indent` on several lines, else on one. Equal values and types have the same
 * text, in whatever order their members are.
 */
export function formatJson(tree: JsonTree, indent = ""): string {
  return formatNode(tree, indent, indent === "" ? "" : "\n");
}

/** @param margin The text before the closing bracket of this node: a line break and its indent. */
function formatNode(node: JsonTree, indent: string, margin: string): string {
  if (node === null || node instanceof TypedNull) return "null";
  if (typeof node === "boolean") return String(node);
  if (typeof node === "string") return htmlSafe(JSON.stringify(node));
  if (typeof node === "number" && !Number.isFinite(node)) {
    throw new RangeError(`${node} is no JSON number`);
  }
  if (typeof node === "number" || isExactNumber(node)) return formatNumber(node);

  const inner = margin + indent;
  if (isArray(node)) {
    return enclose(
      "[",
      node.map((item) => formatNode(item, indent, inner)),
      "]",
    );
  }
  const colon = indent === "" ? ":" : ": ";
  return enclose(
    "{",
    entries(node).map(
      ([key, member]) => htmlSafe(JSON.stringify(key)) + colon + formatNode(member, indent, inner),
    ),
    "}",
  );

  function enclose(open: string, members: readonly string[], close: string): string {
    if (members.length === 0) return open + close;
    return open + inner + members.join(`,${inner}`) + margin + close;
  }
}

function entries(
  node: ReadonlyMap<string, JsonTree> | { readonly [key: string]: JsonTree },
): readonly (readonly [string, JsonTree])[] {
  if (node instanceof Map) return [...(node as ReadonlyMap<string, JsonTree>)];
  return Object.entries(node).sort(([a], [b]) => compareStrings(a, b));
}

function isArray(node: JsonTree): node is readonly JsonTree[] {
  return Array.isArray(node);
}
