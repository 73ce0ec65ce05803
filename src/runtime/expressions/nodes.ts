import type { Primitive } from "../../provider/values";
import type { Reference } from "./reference";

/** One step of a traversal whose key is computed: `a[count.index]`, or static: `.name`, `[0]`. */
export type Step =
  | { readonly kind: "attribute"; readonly name: string }
  | { readonly kind: "index"; readonly key: Node };

export type BinaryOperator =
  | "add"
  | "subtract"
  | "multiply"
  | "divide"
  | "modulo"
  | "equal"
  | "notEqual"
  | "lessThan"
  | "lessThanOrEqual"
  | "greaterThan"
  | "greaterThanOrEqual"
  | "logicalAnd"
  | "logicalOr";
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
  /** `...` behind the value: values of one key are gathered in a list. */
  readonly grouped: boolean;
}

/** The tree that evaluation walks. JSON containers and HCL ones are the same nodes. */
export type Node =
  | { readonly kind: "literal"; readonly value: Primitive }
  /** What could not be parsed, and has been reported: it evaluates to `UNKNOWN`. */
  | { readonly kind: "invalid" }
  | { readonly kind: "reference"; readonly reference: Reference; readonly text: string }
  /** A variable of a `for` around it. */
  | { readonly kind: "symbol"; readonly name: string }
  | { readonly kind: "traversal"; readonly source: Node; readonly steps: readonly Step[] }
  /** Parts joined to a string. A template that is one interpolation alone is that node itself. */
  | { readonly kind: "template"; readonly parts: readonly Node[] }
  /** `%{for}`: the strings of a list, joined. */
  | { readonly kind: "join"; readonly items: Node }
  | { readonly kind: "tuple"; readonly items: readonly Node[] }
  | { readonly kind: "object"; readonly members: readonly ObjectMember[] }
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
  /** `symbol` stands for the element in `each`. */
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
