import type { Printed } from "../../core/printed";
import type { Diagnostic } from "../../core/diagnostics";
import { error } from "../../core/diagnostics";
import { mark, NO_MARKS, unionMarks, unmarkRoot } from "../../core/marks";
import {
  isListValue,
  UNKNOWN,
  type AttributePath,
  type Evaluated,
  type EvaluatedObject,
  type Marks,
} from "../../core/values";
import { isUnknown, safePrefix, unknownOf } from "./ranges";
import { evaluateCall } from "./call";
import type { Context, EvaluationScope } from "./scope";
import { convert } from "./convert";
import { isTooDeep } from "./depth";
import { evaluateFor, evaluateSplat } from "./iteration";
import { formatLimit, LIMITS, REFUSED, TOO_LONG } from "./limits";
import type { Node } from "./nodes";
import { childrenOf, referencesOf } from "./nodes";
import { evaluateConditional } from "./conditional";
import { evaluateBinary, evaluateUnary } from "./operators";
import { evaluateReference, referenceProblem, takeSteps } from "./traversal";
import type { Reference } from "./reference";
import { STRING } from "../../core/types";

/** The position of an expression: a block of the configuration, and the path within it. */
export interface ExpressionPosition {
  readonly address: string;
  readonly constructPath?: string;
  readonly path: AttributePath;
}

/** A parsed value of the configuration. It can be evaluated any number of times. */
export class Expression {
  constructor(
    readonly node: Node,
    readonly where: ExpressionPosition,
    /** The source JSON; undefined when the source was HCL. */
    readonly json?: unknown,
  ) {}

  /** Lists all references in order of appearance, with repetitions. */
  references(): readonly Reference[] {
    return referencesOf(this.node);
  }

  /** True without any reference, operator or call. */
  get isLiteral(): boolean {
    return isLiteral(this.node);
  }

  /** Reports references that `scope` cannot resolve, or that its `problemOf` refuses. */
  checkReferences(scope: EvaluationScope): readonly Diagnostic[] {
    return checkReferences(this.node, this.where, scope);
  }

  /**
   * Evaluates the expression in `scope`. Each part with an error is reported, and is `UNKNOWN` in
   * the value.
   */
  evaluate(scope: EvaluationScope): { value: Evaluated; diagnostics: readonly Diagnostic[] } {
    const diagnostics: Diagnostic[] = [];
    const loops = { iterations: 0 };
    const run = {
      scope,
      symbols: new Map(),
      diagnostics,
      refusals: diagnostics,
      loops,
      isTemplate: false,
    };
    if (scope.problemOf) diagnostics.push(...this.checkReferences(scope));
    const value = evaluateAt(this.node, this.where, run);
    if (!isTooDeep(value)) return { value, diagnostics };
    const detail = `This executor processes values with up to ${formatLimit(LIMITS.valueDepth)} levels of lists, sets and objects.`;
    diagnostics.push(locatedAt(this.where, "Value nested too deeply", detail));
    return { value: UNKNOWN, diagnostics };
  }
}

/** Checks all references below a node, also those that are not evaluated. */
function checkReferences(
  node: Node,
  where: ExpressionPosition,
  scope: EvaluationScope,
): readonly Diagnostic[] {
  const below = (inner: Node, step: string | number) =>
    checkReferences(inner, { ...where, path: [...where.path, step] }, scope);
  switch (node.kind) {
    case "reference": {
      const problem = referenceProblem(node.reference, scope);
      return problem ? [locatedAt(where, problem.summary, problem.detail)] : [];
    }
    case "tuple":
      return node.items.flatMap(below);
    case "object":
      return node.members.flatMap(({ key, value }) => [
        ...checkReferences(key, where, scope),
        ...(key.kind === "literal" && typeof key.value === "string"
          ? below(value, key.value)
          : checkReferences(value, where, scope)),
      ]);
    default:
      return childrenOf(node).flatMap((child) => checkReferences(child, where, scope));
  }
}

function locatedAt(
  { address, constructPath, path }: ExpressionPosition,
  summary: string,
  detail: string | Printed,
): Diagnostic {
  return {
    ...error(summary, detail, path),
    address,
    ...(constructPath !== undefined && { constructPath }),
  };
}

function isLiteral(node: Node): boolean {
  if (node.kind === "literal") return true;
  if (node.kind === "tuple") return node.items.every(isLiteral);
  if (node.kind === "object") {
    return node.members.every(({ key, value }) => isLiteral(key) && isLiteral(value));
  }
  return false;
}

interface Run extends Pick<Context, "scope" | "symbols"> {
  readonly diagnostics: Diagnostic[];
  /** Errors that `try` and `can` do not catch. */
  readonly refusals: Diagnostic[];
  readonly isTemplate: boolean;
  /** Counts the iterations of all loops. */
  readonly loops: { iterations: number };
}

/** Evaluates a node; only lists and objects of the configuration extend the path of diagnostics. */
function evaluateAt(node: Node, where: ExpressionPosition, run: Run): Evaluated {
  const { scope, symbols, diagnostics, refusals, loops } = run;
  const within = (further?: ReadonlyMap<string, Evaluated>): Run =>
    further ? { ...run, symbols: new Map([...symbols, ...further]) } : run;
  const context: Context = {
    scope,
    symbols,
    isTemplate: run.isTemplate,
    evaluate: (inner, further) => evaluateAt(inner, where, within(further)),
    attempt: (inner, further) => {
      const problems: Diagnostic[] = [];
      const value = evaluateAt(inner, where, { ...within(further), diagnostics: problems });
      const failed = problems.length > 0;
      const refusal = problems.every(({ summary }) => REFUSED.has(summary))
        ? problems[0]
        : undefined;
      return { value, failed, refusal };
    },
    render: (inner, vars) => {
      const problems: Diagnostic[] = [];
      const found = { diagnostics: problems, refusals: problems };
      const value = evaluateAt(inner, where, { ...run, ...found, symbols: vars, isTemplate: true });
      return { value, problems };
    },
    report: (summary, detail, path = []) => {
      diagnostics.push(locatedAt({ ...where, path: [...where.path, ...path] }, summary, detail));
      return UNKNOWN;
    },
    iterate: (count) => {
      const before = loops.iterations;
      loops.iterations += count;
      if (loops.iterations <= LIMITS.iterations.value) return true;
      // One report is enough.
      if (before <= LIMITS.iterations.value) {
        const detail = `The loops of this expression have more than ${formatLimit(LIMITS.iterations)} iterations, which this executor does not support.`;
        refusals.push(locatedAt(where, "Too many iterations", detail));
      }
      return false;
    },
    refuse: (summary, detail) => {
      refusals.push(locatedAt(where, summary, detail));
      return UNKNOWN;
    },
  };
  const below = (inner: Node, step: string | number): Evaluated =>
    evaluateAt(inner, { ...where, path: [...where.path, step] }, run);
  switch (node.kind) {
    case "tuple":
      return node.items.map(below);
    case "object":
      return evaluateObject(node, context, below);
    default:
      return evaluateSimple(node, context);
  }
}

function evaluateSimple(
  node: Exclude<Node, { kind: "tuple" | "object" }>,
  context: Context,
): Evaluated {
  switch (node.kind) {
    case "literal":
      return node.value;
    case "invalid":
      return UNKNOWN;
    case "reference":
      return evaluateReference(node.reference, context);
    case "symbol":
      return context.symbols.get(node.name) ?? null;
    case "traversal":
      return takeSteps(context.evaluate(node.source), node.steps, context);
    case "template":
      return concatenate(
        node.parts.map((part) => context.evaluate(part)),
        context,
      );
    case "join": {
      const { value, marks } = unmarkRoot(context.evaluate(node.items));
      return mark(isListValue(value) ? concatenate(value, context) : UNKNOWN, marks);
    }
    case "binary":
      return evaluateBinary(node, context);
    case "unary":
      return evaluateUnary(node, context);
    case "conditional":
      return evaluateConditional(node, context);
    case "for":
      return evaluateFor(node, context);
    case "splat":
      return evaluateSplat(node, context);
    case "call":
      return evaluateCall(node, context);
  }
}

function concatenate(parts: readonly Evaluated[], context: Context): Evaluated {
  let text = "";
  let isKnown = true;
  let isValid = true;
  let marks: Marks = NO_MARKS;
  for (const part of parts) {
    const converted = convert(part, STRING);
    const root = unmarkRoot(converted.value);
    marks = unionMarks(marks, root.marks);
    if (root.value === null || (converted.problems.length > 0 && !isUnknown(part))) {
      isValid = false;
      context.report(
        "Invalid template interpolation value",
        root.value === null
          ? "The expression result is null. Cannot include a null value in a string template."
          : "Cannot include the given value in a string template: string required.",
      );
    }
    if (typeof root.value !== "string") isKnown = false;
    else if (isKnown) text += root.value;
    if (text.length > LIMITS.stringLength.value) {
      return mark(context.report("Invalid template", `In this template, ${TOO_LONG}.`), marks);
    }
  }
  if (isKnown) return mark(text.normalize("NFC"), marks);
  return mark(
    unknownOf(STRING, { notNull: true, ...(isValid && { prefix: safePrefix(text) }) }),
    marks,
  );
}

function evaluateObject(
  { members, unique = false }: Extract<Node, { kind: "object" }>,
  context: Context,
  below: (node: Node, step: string | number) => Evaluated,
): Evaluated {
  const entries: [string, Evaluated][] = [];
  let marks: Marks = NO_MARKS;
  let keysKnown = true;
  for (const { key: keyNode, value: valueNode } of members) {
    const converted = convert(context.evaluate(keyNode), STRING);
    const key = unmarkRoot(converted.value);
    marks = unionMarks(marks, key.marks);
    if (key.value === null) {
      context.report("Null value as key", "Can't use a null value as a key.");
    } else if (converted.problems.length > 0) {
      context.report("Incorrect key type", "Can't use this value as a key: string required.");
    }
    if (unique && entries.some(([name]) => name === key.value)) {
      context.report("Duplicate object attribute", "An attribute with this name was already set.");
    }
    if (typeof key.value === "string") entries.push([key.value, below(valueNode, key.value)]);
    else keysKnown = false;
  }
  const object: EvaluatedObject = Object.fromEntries(entries);
  return mark(keysKnown ? object : UNKNOWN, marks);
}

/** Lists the references of all expressions that are there. */
export function referencesIn(expressions: Iterable<Expression | undefined>): readonly Reference[] {
  return [...expressions].flatMap((expression) => expression?.references() ?? []);
}
