import type { Primitive } from "../../core/values";
import type { Reference } from "./reference";

/** A step of a traversal: computed as in `a[count.index]`, or static as in `.name` and `[0]`. */
export type Step =
  | { readonly kind: "attribute"; readonly name: string }
  | { readonly kind: "index"; readonly key: Node };

export const BINARY_OPERATORS = [
  "add",
  "subtract",
  "multiply",
  "divide",
  "modulo",
  "equal",
  "notEqual",
  "lessThan",
  "lessThanOrEqual",
  "greaterThan",
  "greaterThanOrEqual",
  "logicalAnd",
  "logicalOr",
] as const;
export type BinaryOperator = (typeof BINARY_OPERATORS)[number];
export type UnaryOperator = "negate" | "logicalNot";

export interface ObjectMember {
  readonly key: Node;
  readonly value: Node;
}

export interface ForNode {
  readonly kind: "for";
  readonly collection: Node;
  readonly keyName?: string;
  readonly valueName: string;
  /** Set in an object `for`. */
  readonly key?: Node;
  readonly value: Node;
  readonly condition?: Node;
  /** True with `...` after the value: the values of one key are collected in a list. */
  readonly grouped: boolean;
}

/** A node of the expression tree. JSON and HCL give the same nodes. */
export type Node =
  | { readonly kind: "literal"; readonly value: Primitive }
  /** A part with a parse error, already reported; it evaluates to `UNKNOWN`. */
  | { readonly kind: "invalid" }
  | { readonly kind: "reference"; readonly reference: Reference; readonly text: string }
  /** A variable of an enclosing `for` expression. */
  | { readonly kind: "symbol"; readonly name: string }
  | { readonly kind: "traversal"; readonly source: Node; readonly steps: readonly Step[] }
  /** Parts joined to a string. A template of a single interpolation becomes the node of that. */
  | { readonly kind: "template"; readonly parts: readonly Node[] }
  /** A `%{for}` directive: joins the strings of a list. */
  | { readonly kind: "join"; readonly items: Node }
  | { readonly kind: "tuple"; readonly items: readonly Node[] }
  | {
      readonly kind: "object";
      readonly members: readonly ObjectMember[];
      /** True for an object of JSON, where no key may be repeated; in HCL the last one counts. */
      readonly unique?: boolean;
    }
  | {
      readonly kind: "binary";
      readonly operator: BinaryOperator;
      readonly left: Node;
      readonly right: Node;
    }
  | { readonly kind: "unary"; readonly operator: UnaryOperator; readonly operand: Node }
  | {
      readonly kind: "conditional";
      readonly condition: Node;
      readonly whenTrue: Node;
      readonly whenFalse: Node;
    }
  | ForNode
  /** In `each`, `symbol` refers to the element. */
  | {
      readonly kind: "splat";
      readonly source: Node;
      readonly symbol: string;
      readonly each: Node;
    }
  | {
      readonly kind: "call";
      readonly name: string;
      readonly args: readonly Node[];
      readonly expandFinal: boolean;
    };

/** The references in a tree, in order of appearance. */
export function referencesOf(node: Node): readonly Reference[] {
  return node.kind === "reference" ? [node.reference] : childrenOf(node).flatMap(referencesOf);
}

export function hasCall(node: Node): boolean {
  return node.kind === "call" || childrenOf(node).some(hasCall);
}

export function childrenOf(node: Node): readonly Node[] {
  switch (node.kind) {
    case "literal":
    case "invalid":
    case "reference":
    case "symbol":
      return [];
    case "traversal":
      return [node.source, ...node.steps.flatMap((s) => (s.kind === "index" ? [s.key] : []))];
    case "template":
      return node.parts;
    case "join":
      return [node.items];
    case "tuple":
      return node.items;
    case "object":
      return node.members.flatMap(({ key, value }) => [key, value]);
    case "binary":
      return [node.left, node.right];
    case "unary":
      return [node.operand];
    case "conditional":
      return [node.condition, node.whenTrue, node.whenFalse];
    case "for":
      return [node.collection, node.key, node.value, node.condition].filter(
        (child) => child !== undefined,
      );
    case "splat":
      return [node.source, node.each];
    case "call":
      return node.args;
  }
}
