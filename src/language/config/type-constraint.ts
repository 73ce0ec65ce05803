import { memberOf } from "../../core/member-of";
import { unmark } from "../../core/marks";
import type { Value } from "../../core/values";
import { MISSING_VARIABLE, nodeFromSyntax } from "../expressions/build-nodes";
import { convert } from "../expressions/convert";
import { Expression } from "../expressions/expression";
import { hasCall } from "../expressions/nodes";
import { EMPTY_SCOPE } from "../expressions/scope";
import { parseSyntax, type SyntaxNode } from "../expressions/syntax-tree";
import type { Constraint, ConstraintAttribute } from "../expressions/constraint";
import { ANY, type PrimitiveType } from "../../core/types";
import { IDENTIFIER } from "./names";

type Parsed =
  | { readonly type: Constraint }
  /** `summary`: default "Invalid type specification". */
  | { readonly problem: string; readonly summary?: string };

/** An error in a type constraint; `parseTypeConstraint` catches it. */
class Fault extends Error {
  constructor(
    message: string,
    readonly summary?: string,
  ) {
    super(message);
  }
}

/** Types that need no parser, which takes 100 ms to load. */
const PLAIN = /^(?:(list|set|map)\()?(string|number|bool|any)(\))?$/;

/**
 * Parses a type constraint: `string`, `list(object({a=optional(string, "x")}))`. It has the syntax
 * of an HCL expression, with comments and line breaks. `list` and `map` alone are of any element.
 */
export async function parseTypeConstraint(text: string): Promise<Parsed> {
  const plain = plainType(text);
  if (plain) return { type: plain };
  const parsed = await parseSyntax(text, "code");
  if ("problem" in parsed) return { problem: parsed.problem.detail };
  const { tree } = parsed;
  const word = keywordOf(tree);
  if (word === "list" || word === "map") return { type: { kind: word, element: ANY } };
  try {
    return { type: typeOf(tree, text) };
  } catch (fault) {
    if (!(fault instanceof Fault)) throw fault;
    const { message: problem, summary } = fault;
    return { problem, ...(summary !== undefined && { summary }) };
  }
}

function plainType(text: string): Constraint | undefined {
  const [, kind, word, end] = PLAIN.exec(text) ?? [];
  if ((kind === undefined) !== (end === undefined)) return undefined;
  const type = primitive(word);
  return kind === "list" || kind === "set" || kind === "map"
    ? type && { kind, element: type }
    : type;
}

function primitive(word: string | undefined): PrimitiveType | undefined {
  return word === "string" || word === "number" || word === "bool" || word === "any"
    ? { kind: word }
    : undefined;
}

/** The word that a node consists of; undefined for any other node. */
function keywordOf({ type, meta }: SyntaxNode): string | undefined {
  const { value } = meta;
  if (typeof value !== "string") return undefined;
  // A traversal is compared as it is written, since a word has no steps.
  return (type === "scopeTraversal" || type === "literalValue") && IDENTIFIER.test(value)
    ? value
    : undefined;
}

const ARGUMENTS: Readonly<Record<string, string>> = {
  list: "The list type constructor requires one argument specifying the element type.",
  set: "The set type constructor requires one argument specifying the element type.",
  map: "The map type constructor requires one argument specifying the element type.",
  object:
    "The object type constructor requires one argument specifying the attribute types and values as a map.",
  tuple: "The tuple type constructor requires one argument specifying the element types as a list.",
};

function typeOf(node: SyntaxNode, source: string): Constraint {
  const word = keywordOf(node);
  const simple = primitive(word);
  if (simple) return simple;
  if (word !== undefined) {
    throw new Fault(
      memberOf(ARGUMENTS, word) ?? `The keyword "${word}" is not a valid type specification.`,
    );
  }
  const name = callOf(node);
  if (name === undefined) {
    throw new Fault(
      "A type specification is either a primitive type keyword (bool, number, string) or a complex type constructor call, like list(string).",
    );
  }
  if (primitive(name)) throw new Fault(`The type keyword "${name}" does not expect arguments.`);
  if (name === "optional") {
    throw new Fault('Keyword "optional" is valid only as a modifier for object type attributes.');
  }
  const [argument, ...more] = node.children;
  if (!argument || more.length > 0) {
    throw new Fault(
      memberOf(ARGUMENTS, name) ?? `Keyword "${name}" is not a valid type constructor.`,
    );
  }
  switch (name) {
    case "list":
    case "set":
    case "map":
      return { kind: name, element: typeOf(argument, source) };
    case "tuple":
      if (argument.type !== "tuple") {
        throw new Fault("Tuple type constructor requires a list of element types.");
      }
      return { kind: "tuple", elements: argument.children.map((one) => typeOf(one, source)) };
    case "object":
      return { kind: "object", attributes: attributesOf(argument, source) };
    default:
      throw new Fault(`Keyword "${name}" is not a valid type constructor.`);
  }
}

/** The name of the function that a node calls. */
function callOf({ type, meta }: SyntaxNode): string | undefined {
  return type === "function" && typeof meta.name === "string" ? meta.name : undefined;
}

/** Reads the attributes of an object, whose keys and values are the children in turn. */
function attributesOf(
  { type, children }: SyntaxNode,
  source: string,
): Readonly<Record<string, ConstraintAttribute>> {
  if (type !== "object") {
    throw new Fault(
      "Object type constructor requires a map whose keys are attribute names and whose values are the corresponding attribute types.",
    );
  }
  const attributes = new Map<string, ConstraintAttribute>();
  for (let index = 0; index + 1 < children.length; index += 2) {
    const [key, value] = [children[index], children[index + 1]];
    if (!key || !value) continue;
    const name = sourceText(key, source);
    if (key.children.length > 0 || !IDENTIFIER.test(name)) {
      throw new Fault("Object constructor map keys must be attribute names.");
    }
    if (attributes.has(name)) throw new Fault("Object constructor map keys must be unique.");
    attributes.set(name, attributeOf(value, source));
  }
  return Object.fromEntries(attributes);
}

function attributeOf(node: SyntaxNode, source: string): ConstraintAttribute {
  if (callOf(node) !== "optional") return { type: typeOf(node, source) };
  const [constraint, fallback, ...more] = node.children;
  if (!constraint) {
    throw new Fault("Optional attribute modifier requires the attribute type as its argument.");
  }
  if (more.length > 0) {
    throw new Fault(
      "Optional attribute modifier expects at most two arguments: the attribute type, and a default value.",
    );
  }
  const type = typeOf(constraint, source);
  return fallback
    ? { type, optional: true, default: defaultOf(fallback, type, source) }
    : { type, optional: true };
}

/** Evaluates a default, which refers to nothing and calls no function. */
function defaultOf(syntax: SyntaxNode, type: Constraint, source: string): Value {
  const { node, problems } = nodeFromSyntax(syntax, source, { names: [] });
  if (hasCall(node)) {
    throw new Fault("Functions may not be called here.", "Function calls not allowed");
  }
  if (problems.some(({ summary }) => summary === MISSING_VARIABLE)) {
    throw new Fault("Variables may not be used here.", "Variables not allowed");
  }
  const evaluated = new Expression(node, { address: "type", path: [] }).evaluate(EMPTY_SCOPE);
  const [problem] = [...problems, ...evaluated.diagnostics];
  if (problem) throw new Fault(problem.detail, problem.summary);
  const converted = convert(evaluated.value, type);
  const [mismatch] = converted.problems;
  if (mismatch) {
    throw new Fault(
      `This default value is not compatible with the attribute's type constraint: ${mismatch.message}.`,
      "Invalid default value for optional attribute",
    );
  }
  return unmark(converted.value).value;
}

/** The text of a node, whose positions are bytes. */
function sourceText({ range }: SyntaxNode, source: string): string {
  return Buffer.from(source).subarray(range.start.byte, range.end.byte).toString();
}
