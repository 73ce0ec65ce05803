import { memberOf } from "../../core/member-of";
import { mark, NO_MARKS, unionMarks, unmarkRoot } from "../../core/marks";
import { collectionTypeOf, isSet, kindOf, listOf, typeOf } from "../../core/typed-values";
import {
  isListValue,
  isObjectValue,
  sortedKeys,
  UNKNOWN,
  type Evaluated,
  type Marks,
  type Unknown,
  type Unmarked,
} from "../../core/values";
import {
  elementsOf,
  isNotNull,
  isSequence,
  isUnknown,
  NOT_NULL,
  shortInteger,
  unknownOf,
} from "./ranges";
import type { Context } from "./scope";
import { convert } from "./convert";
import type { ForNode, Node } from "./nodes";
import { BOOL, STRING, type Type } from "../../core/types";

type Entry = readonly [key: Evaluated, value: Evaluated];

export function evaluateFor(node: ForNode, context: Context): Evaluated {
  const collection = context.evaluate(node.collection);
  // A value without a type loses its marks, as in Terraform.
  if (isUnknown(collection) && typeOf(collection).kind === "any") return UNKNOWN;
  const { marks: outer } = unmarkRoot(collection);
  const entries = entriesOf(collection, context);
  const condition = checkCondition(node, context);
  if (entries === UNKNOWN || condition === undefined) {
    return mark(UNKNOWN, unionMarks(outer, condition ?? NO_MARKS));
  }
  if (!context.iterate(entries.length)) return mark(UNKNOWN, outer);

  const rounds: Round[] = [];
  let isKnown = true;
  for (const [key, value] of entries) {
    // An inner loop may have exceeded the bound.
    if (!context.iterate(0)) return mark(UNKNOWN, outer);
    const symbols = new Map<string, Evaluated>([[node.valueName, value]]);
    if (node.keyName !== undefined) symbols.set(node.keyName, key);
    const round = evaluateRound(node, symbols, context, isKnown);
    isKnown &&= round.taken !== UNKNOWN;
    rounds.push(round);
  }
  const marks = unionMarks(outer, ...rounds.map((round) => round.marks));
  const taken = rounds.filter((round) => round.taken === true);
  const result = resultOf(node, taken, context);
  return mark(isKnown ? result : UNKNOWN, marks);
}

/**
 * Evaluates the condition for elements that are not known, as Terraform does before any element.
 * Returns its marks; undefined if it is invalid for all elements.
 */
function checkCondition(node: ForNode, context: Context): Marks | undefined {
  if (!node.condition) return NO_MARKS;
  const names = node.keyName === undefined ? [node.valueName] : [node.keyName, node.valueName];
  const symbols = new Map<string, Evaluated>(names.map((name) => [name, UNKNOWN]));
  if (context.attempt(node.condition, symbols).failed) {
    context.evaluate(node.condition, symbols);
    return undefined;
  }
  const { marks, problem } = scalar(context.evaluate(node.condition, symbols), "bool");
  if (problem === undefined) return marks;
  const summary = problem === "is null" ? "Condition is null" : "Invalid 'for' condition";
  context.report(summary, `The condition of a 'for' expression ${problem}.`);
  return undefined;
}

function resultOf(node: ForNode, rounds: readonly Round[], context: Context): Evaluated {
  if (!node.key) return rounds.map(({ value }) => value);
  return node.grouped ? group(rounds) : index(rounds, context);
}

/** The result for one element; `key` is set in an object `for`. */
interface Round {
  /** Unknown if the condition or the key is. */
  readonly taken: boolean | Unknown;
  readonly key?: string;
  readonly value: Evaluated;
  readonly marks: Marks;
}

/** @param isKnown False after an unknown condition or key: Terraform reports no errors then. */
function evaluateRound(
  node: ForNode,
  symbols: ReadonlyMap<string, Evaluated>,
  context: Context,
  isKnown: boolean,
): Round {
  const scalarOf = (part: Node, kind: "bool" | "string", summary: string, role: string) => {
    const found = scalar(context.evaluate(part, symbols), kind);
    if (found.problem && isKnown) {
      context.report(summary, `The ${role} of a 'for' expression ${found.problem}.`);
    }
    return found;
  };
  const condition =
    node.condition && scalarOf(node.condition, "bool", "Invalid 'for' condition", "condition");
  if (condition?.value === false) return { taken: false, value: null, marks: condition.marks };
  if (condition?.value === UNKNOWN) return { taken: UNKNOWN, value: null, marks: condition.marks };
  const key = node.key && scalarOf(node.key, "string", "Invalid object key", "key");
  const marks = unionMarks(condition?.marks ?? NO_MARKS, key?.marks ?? NO_MARKS);
  if (key?.value === UNKNOWN) return { taken: UNKNOWN, value: null, marks };
  const value = context.evaluate(node.value, symbols);
  return { taken: true, ...(typeof key?.value === "string" && { key: key.value }), value, marks };
}

interface Scalar {
  readonly value: Unmarked;
  readonly marks: Marks;
  readonly problem?: string;
}

function scalar(value: Evaluated, kind: "bool" | "string"): Scalar {
  const converted = convert(value, kind === "bool" ? BOOL : STRING);
  const root = unmarkRoot(converted.value);
  if (root.value !== null && converted.problems.length === 0) return root;
  const problem = root.value === null ? "is null" : `is not a ${kind}`;
  return { value: UNKNOWN, marks: root.marks, problem };
}

function index(rounds: readonly Round[], context: Context): Evaluated {
  const seen = new Set<string>();
  for (const { key = "", marks } of rounds) {
    if (seen.has(key)) {
      const name =
        marks.sensitive || marks.ephemeral ? "the same key" : `the key ${JSON.stringify(key)}`;
      return context.report(
        "Duplicate object key",
        `Two different items produced ${name} in this 'for' expression. If duplicates are expected, use the ellipsis (...) after the value expression to enable grouping by key.`,
      );
    }
    seen.add(key);
  }
  return Object.fromEntries(rounds.map(({ key = "", value }) => [key, value]));
}

function group(rounds: readonly Round[]): Evaluated {
  const groups = new Map<string, Evaluated[]>();
  for (const { key = "", value } of rounds) {
    groups.set(key, [...(groups.get(key) ?? []), value]);
  }
  return Object.fromEntries(groups);
}

function entriesOf(collection: Evaluated, context: Context): readonly Entry[] | Unknown {
  const { value } = unmarkRoot(collection);
  if (value === null) {
    return context.report(
      "Iteration over null value",
      "A null value cannot be used as the collection in a 'for' expression.",
    );
  }
  if (isSet(value)) return value.map((one) => [one, one]);
  if (isListValue(value))
    return value.map((element, position) => [shortInteger(position), element]);
  if (isObjectValue(value))
    return sortedKeys(value).map((key) => [key, memberOf(value, key) ?? null]);
  const kind = kindOf(collection);
  return kind === "string" || kind === "number" || kind === "bool"
    ? context.report(
        "Iteration over non-iterable value",
        "A value of a primitive type cannot be used as the collection in a 'for' expression.",
      )
    : UNKNOWN;
}

/** Evaluates a splat. Null gives an empty tuple; a single value gives a tuple of its one result. */
export function evaluateSplat(
  { source, symbol, each }: Extract<Node, { kind: "splat" }>,
  context: Context,
): Evaluated {
  const collection = context.evaluate(source);
  const { value, marks } = unmarkRoot(collection);
  if (value === null && isSequence(collection)) {
    return context.report(
      "Splat of null value",
      "Splat expressions (with the * symbol) cannot be applied to null sequences.",
    );
  }
  const evaluate = (item: Evaluated) => context.evaluate(each, new Map([[symbol, item]]));
  if (value === UNKNOWN && (isSequence(collection) || !isNotNull(collection)))
    return mark(splatOfUnknown(typeOf(collection), evaluate), marks);
  const items: readonly Evaluated[] = value === UNKNOWN ? [collection] : splatItems(value);
  if (!context.iterate(items.length)) return mark(UNKNOWN, marks);
  const results = items.map(evaluate);
  const element = collectionTypeOf(value)?.element;
  if (!element || isObjectValue(value)) return mark(results, marks);
  const [first = evaluate(unknownOf(element))] = results;
  return mark(listOf(results, typeOf(first)), marks);
}

/** Returns the type of a splat whose items are unknown. */
function splatOfUnknown(type: Type, evaluate: (item: Evaluated) => Evaluated): Evaluated {
  const resultOf = (element: Type): Type => typeOf(evaluate(unknownOf(element)));
  switch (type.kind) {
    case "any":
      return UNKNOWN;
    case "list":
    case "set":
      return unknownOf({ kind: "list", element: resultOf(type.element) }, NOT_NULL);
    case "tuple":
      return unknownOf({ kind: "tuple", elements: type.elements.map(resultOf) }, NOT_NULL);
    default:
      // The value may still be null, which gives an empty tuple.
      resultOf(type);
      return UNKNOWN;
  }
}

function splatItems(value: Exclude<Unmarked, Unknown>): readonly Evaluated[] {
  return value === null ? [] : (elementsOf(value) ?? [value]);
}
