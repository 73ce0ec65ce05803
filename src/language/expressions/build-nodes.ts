import { z } from "zod";
import { Heredoc, plainStep, type TraversalStep } from "./template";
import { BINARY_OPERATORS, type Node, type Step } from "./nodes";
import { stripText, unescape, type TextUnit } from "./literal-text";
import { parseNumber } from "./numbers";
import { readReference } from "./reference";
import { byteRange, type SyntaxNode } from "./syntax-tree";

/** A part of an expression that cannot be evaluated, and why. */
export interface ParseProblem {
  readonly summary: string;
  readonly detail: string;
}

interface Surroundings {
  readonly source: Buffer;
  readonly problems: ParseProblem[];
  /** Variables of the enclosing `for` expressions, or those given to a template. */
  readonly names: ReadonlySet<string>;
  /** True in a template that may refer to `names` only. */
  readonly isClosed: boolean;
  readonly text: TextUnit;
  /** The symbol of the innermost splat's element. */
  readonly element: string | undefined;
  /** The innermost heredoc, unless a quoted string is in it. */
  readonly heredoc: Heredoc | undefined;
}

/**
 * Builds the evaluator's tree from the parser's.
 *
 * @param options `isTemplate`: the source is a quoted template. `names`: the only names that may be
 * referred to.
 */
export function nodeFromSyntax(
  tree: SyntaxNode,
  source: string,
  { isTemplate = false, names }: { isTemplate?: boolean; names?: Iterable<string> } = {},
): { node: Node; problems: readonly ParseProblem[] } {
  const problems: ParseProblem[] = [];
  const around: Surroundings = {
    source: Buffer.from(source),
    problems,
    names: new Set(names),
    isClosed: names !== undefined,
    text: "whole",
    element: undefined,
    heredoc: undefined,
  };
  const isOuter = isTemplate && tree.type === "template";
  const node = isOuter ? template(tree, around, "lines") : build(tree, around);
  return { node, problems };
}

/** The summary of the problem that a name is not one of those that may be referred to. */
export const MISSING_VARIABLE = "Missing template variable";

/** Each function of the language has a second name: `core::upper`. */
function functionName(name: string): string {
  return name.replace(/^core::(?=\w+$)/, "");
}

function build(syntax: SyntaxNode, around: Surroundings): Node {
  const { children, meta } = syntax;
  const child = (index: number, inner: Surroundings = around): Node => {
    const found = children[index];
    return found ? build(found, inner) : unsupported(syntax, around);
  };
  switch (syntax.type) {
    case "literalValue":
      return literal(syntax, around);
    case "templateWrap":
      return child(0);
    case "template":
      return template(syntax, around);
    case "templateJoin":
      return { kind: "join", items: child(0) };
    case "scopeTraversal":
      return scopeTraversal(syntax, around);
    case "relativeTraversal": {
      const steps = segmentsOf(syntax, around);
      return steps ? traverse(child(0), steps) : { kind: "invalid" };
    }
    case "index":
      return { kind: "traversal", source: child(0), steps: [{ kind: "index", key: child(1) }] };
    case "splat": {
      const symbol = `${around.element ?? ""}*`;
      const each = child(1, { ...around, element: symbol });
      return { kind: "splat", source: child(0), symbol, each };
    }
    case "function": {
      const name = functionName(text(meta.name));
      // The second argument of `convert`, which is refused, is a type.
      const values = name === "convert" ? children.slice(0, 1) : children;
      return {
        kind: "call",
        name,
        args: values.map((_, index) => child(index)),
        expandFinal: meta.expandedFinalArgument === true,
      };
    }
    case "conditional":
      return {
        kind: "conditional",
        condition: child(0),
        whenTrue: child(1),
        whenFalse: child(2),
      };
    case "binaryOp": {
      const operator = binaryOperator.safeParse(meta.operator);
      if (!operator.success) return unsupported(syntax, around);
      return { kind: "binary", operator: operator.data, left: child(0), right: child(1) };
    }
    case "unaryOp":
      return meta.operator === "negate" || meta.operator === "logicalNot"
        ? { kind: "unary", operator: meta.operator, operand: child(0) }
        : unsupported(syntax, around);
    case "tuple":
      return { kind: "tuple", items: children.map((_, index) => child(index)) };
    case "object":
      return object(syntax, around);
    case "for":
      return forExpression(syntax, around);
    case "":
      if (children.length === 1) return child(0);
      if (children.length === 0 && around.element) {
        return { kind: "symbol", name: around.element };
      }
      return unsupported(syntax, around);
    default:
      return unsupported(syntax, around);
  }
}

function template(syntax: SyntaxNode, around: Surroundings, outer?: TextUnit): Node {
  const opening = text(syntax.meta.value);
  const inner: Surroundings = {
    ...around,
    heredoc: heredocOf(opening, syntax, around),
    text: outer ?? (opening.startsWith('"') ? "whole" : around.text),
  };
  const parts = syntax.children.map((part) => build(part, inner));
  const [only] = parts;
  if (!only) return { kind: "literal", value: "" };
  return parts.length === 1 && only.kind === "literal" ? only : { kind: "template", parts };
}

function heredocOf(
  opening: string,
  { range }: SyntaxNode,
  { heredoc, source }: Surroundings,
): Heredoc | undefined {
  if (opening.startsWith('"')) return undefined;
  if (!opening.startsWith("<<")) return heredoc;
  return new Heredoc(opening, source.lastIndexOf(opening, range.start.byte));
}

function literal(syntax: SyntaxNode, around: Surroundings): Node {
  const raw = text(syntax.meta.value);
  switch (syntax.meta.type) {
    case "number":
      return { kind: "literal", value: parseNumber(raw) ?? null };
    case "bool":
      return { kind: "literal", value: raw === "true" };
    case "dynamic":
      return { kind: "literal", value: null };
    case "string":
      return { kind: "literal", value: stringLiteral(syntax, around) };
    default:
      return unsupported(syntax, around);
  }
}

function stringLiteral(syntax: SyntaxNode, around: Surroundings): string {
  const { range, meta } = syntax;
  return around.heredoc
    ? unescape(around.heredoc.textBetween(range.start.byte, range.end.byte), true)
    : stripText(unescape(text(meta.value), false), syntax, around);
}

const segments = z.array(
  z.object({
    type: z.string(),
    /** Absent from an index that is neither a number nor a string. */
    segment: z.string().optional(),
    range: byteRange,
  }),
);

/** Returns the static steps of a traversal. A null index is reported, and given as undefined. */
function segmentsOf(
  syntax: SyntaxNode,
  around: Surroundings,
): readonly TraversalStep[] | undefined {
  const steps = segments
    .parse(syntax.meta.traversal)
    .map(({ type, segment, range }): TraversalStep | undefined => {
      if (segment === undefined) {
        const key = sourceOf({ range }, around).replace(/^\[\s*|\s*\]$/g, "");
        return key === "null" ? undefined : { key };
      }
      if (type !== "indexTraversal") return segment;
      return segment.startsWith('"') ? { key: segment.slice(1, -1) } : Number(segment);
    });
  if (steps.every((step) => step !== undefined)) return steps;
  around.problems.push({
    summary: "Invalid index",
    detail: "Can't use a null value as an indexing key.",
  });
  return undefined;
}

function scopeTraversal(syntax: SyntaxNode, around: Surroundings): Node {
  const steps = segmentsOf(syntax, around);
  if (!steps) return { kind: "invalid" };
  const [root] = steps;
  if (typeof root === "string" && around.names.has(root)) {
    return traverse({ kind: "symbol", name: root }, steps.slice(1));
  }
  if (around.isClosed) {
    const detail = `vars map does not contain key ${JSON.stringify(plainStep(root ?? ""))}`;
    around.problems.push({ summary: MISSING_VARIABLE, detail });
    return { kind: "invalid" };
  }
  const read = readReference(steps);
  if ("reference" in read) {
    return { kind: "reference", reference: read.reference, text: text(syntax.meta.value) };
  }
  around.problems.push(read.problem);
  return { kind: "invalid" };
}

function traverse(source: Node, path: readonly TraversalStep[]): Node {
  if (path.length === 0) return source;
  const steps = path.map((step): Step =>
    typeof step === "string"
      ? { kind: "attribute", name: step }
      : { kind: "index", key: { kind: "literal", value: plainStep(step) } },
  );
  return { kind: "traversal", source, steps };
}

/** Children alternate between keys and values; a key without children is a bare word. */
function object(syntax: SyntaxNode, around: Surroundings): Node {
  const members = [];
  for (let index = 0; index + 1 < syntax.children.length; index += 2) {
    const [key, value] = [syntax.children[index], syntax.children[index + 1]];
    if (!key || !value) return unsupported(syntax, around);
    members.push({
      key:
        key.children.length === 0
          ? ({ kind: "literal", value: sourceOf(key, around) } as const)
          : build(key, { ...around, element: undefined }),
      value: build(value, around),
    });
  }
  return { kind: "object", members };
}

function forExpression(syntax: SyntaxNode, around: Surroundings): Node {
  const { children, meta } = syntax;
  const keyName = text(meta.keyVar);
  const valueName = text(meta.valVar);
  const inner = { ...around, names: new Set([...around.names, keyName, valueName]) };
  const rest = children.slice(1);
  const key = text(meta.keyExpression) === "" ? undefined : rest.shift();
  const value = rest.shift();
  const condition = text(meta.conditionalExpression) === "" ? undefined : rest.shift();
  const [collection] = children;
  if (!collection || !value || rest.length > 0) return unsupported(syntax, around);
  return {
    kind: "for",
    collection: build(collection, around),
    ...(keyName !== "" && { keyName }),
    valueName,
    ...(key && { key: build(key, inner) }),
    value: build(value, inner),
    ...(condition && { condition: build(condition, inner) }),
    grouped: meta.groupedValue === true,
  };
}

function unsupported(syntax: SyntaxNode, around: Surroundings, what?: string): Node {
  around.problems.push({
    summary: "Unsupported expression",
    detail: `This executor does not read ${what ?? `expressions of the form "${syntax.type}"`}. Terraform can run the stack.`,
  });
  return { kind: "invalid" };
}

function sourceOf({ range }: Pick<SyntaxNode, "range">, { source }: Surroundings): string {
  return source.subarray(range.start.byte, range.end.byte).toString();
}

function text(value: unknown): string {
  return typeof value === "string" ? value : "";
}

const binaryOperator = z.enum(BINARY_OPERATORS);
