import { mark, marksWithin, unionMarks, unmarkRoot, type Root } from "../../core/marks";
import {
  isNumberValue,
  UNKNOWN,
  type Evaluated,
  type Marks,
  type NumberValue,
} from "../../core/values";
import { boundsOf, isShortInteger, NOT_NULL, shortInteger, unknownOf, type Bounds } from "./ranges";
import type { Context } from "./scope";
import { convert } from "./convert";
import { equal, isBelow } from "./equality";
import type { BinaryOperator, Node } from "./nodes";
import { INFINITE } from "./limits";
import { add, compareNumbers, divide, modulo, multiply, negate, subtract } from "./numbers";
import { BOOL, NUMBER, type Type } from "../../core/types";

const INFINITE_DETAIL =
  "Can't divide by zero. Terraform's result is infinity, which it cannot store and with which this executor does not calculate, also within try and can. Check the divisor in a conditional.";

type BinaryNode = Extract<Node, { kind: "binary" }>;
type UnaryNode = Extract<Node, { kind: "unary" }>;

export function evaluateBinary(node: BinaryNode, context: Context): Evaluated {
  const { operator, left, right } = node;
  switch (operator) {
    case "equal":
    case "notEqual":
      return compare(operator, context.evaluate(left), context.evaluate(right));
    case "logicalAnd":
    case "logicalOr":
      return combine(node, context);
    default: {
      const a = operand(context.evaluate(left), NUMBER, "left", context);
      const b = operand(context.evaluate(right), NUMBER, "right", context);
      const marks = unionMarks(a.marks, b.marks);
      if (!isNumberValue(a.value) || !isNumberValue(b.value)) {
        return mark(calculateUnknown(operator, a, b), marks);
      }
      return mark(
        operator === "divide" && b.value === 0
          ? divisionByZero(a.value, context)
          : calculate(operator, a.value, b.value, a.isShort && b.isShort),
        marks,
      );
    }
  }
}

function compare(operator: "equal" | "notEqual", a: Evaluated, b: Evaluated): Evaluated {
  const marks = unionMarks(marksWithin(a), marksWithin(b));
  const result = equal(a, b);
  if (result === UNKNOWN) return mark(unknownOf(BOOL, NOT_NULL), marks);
  return mark(result === (operator === "equal"), marks);
}

/** Evaluates `||` and `&&`. An unknown operand makes the result unknown, as in Terraform 1.11. */
function combine({ operator, left, right }: BinaryNode, context: Context): Evaluated {
  const a = operand(context.evaluate(left), BOOL, "left", context);
  const b = operand(context.evaluate(right), BOOL, "right", context);
  const marks = unionMarks(a.marks, b.marks);
  if (typeof a.value !== "boolean" || typeof b.value !== "boolean") {
    return mark(unknownOf(BOOL, NOT_NULL), marks);
  }
  return mark(operator === "logicalOr" ? a.value || b.value : a.value && b.value, marks);
}

/** An operand without its marks. */
interface Operand {
  readonly value: Root;
  readonly marks: Marks;
  /** Terraform calculates with it in 64 bits. */
  readonly isShort: boolean;
  readonly bounds: Bounds;
  /** An error was reported; the result may then be null. */
  readonly failed?: true;
}

function operand(value: Evaluated, type: Type, side: string, context: Context): Operand {
  const converted = convert(value, type);
  const root = unmarkRoot(converted.value);
  const [problem] = converted.problems;
  const bounds = boundsOf(converted.value);
  if (problem || root.value === null) {
    const reason = problem?.message ?? "argument must not be null";
    context.report("Invalid operand", `Unsuitable value for ${side} operand: ${reason}.`);
    return { value: UNKNOWN, marks: root.marks, isShort: false, bounds, failed: true };
  }
  return { ...root, isShort: isShortInteger(converted.value), bounds };
}

type Calculation = Exclude<BinaryOperator, "equal" | "notEqual" | "logicalAnd" | "logicalOr">;

const CALCULATIONS: Readonly<
  Record<Exclude<Calculation, "divide">, (a: NumberValue, b: NumberValue) => Evaluated>
> = {
  lessThan: (a, b) => compareNumbers(a, b) < 0,
  lessThanOrEqual: (a, b) => compareNumbers(a, b) <= 0,
  greaterThan: (a, b) => compareNumbers(a, b) > 0,
  greaterThanOrEqual: (a, b) => compareNumbers(a, b) >= 0,
  add,
  subtract,
  multiply,
  modulo,
};

function divisionByZero(dividend: NumberValue, context: Context): Evaluated {
  return dividend === 0
    ? context.report("Operation failed", "Can't divide zero by zero.")
    : context.report(INFINITE, INFINITE_DETAIL);
}

function calculate(
  operator: Calculation,
  a: NumberValue,
  b: NumberValue,
  areShort: boolean,
): Evaluated {
  const result =
    operator === "divide" ? divide(a, b, areShort ? 64 : undefined) : CALCULATIONS[operator](a, b);
  return areShort && typeof result === "number" ? shortInteger(result) : result;
}

/** Compares unknown numbers by their bounds. Like cty, it takes no bound as part of a range. */
function calculateUnknown(operator: Calculation, a: Operand, b: Operand): Evaluated {
  const isLess = isBelow(a.bounds.maximum, b.bounds.minimum);
  const isGreater = isBelow(b.bounds.maximum, a.bounds.minimum);
  switch (operator) {
    case "lessThan":
    case "lessThanOrEqual":
      return isLess ? true : isGreater ? false : unknownOf(BOOL, NOT_NULL);
    case "greaterThan":
    case "greaterThanOrEqual":
      return isGreater ? true : isLess ? false : unknownOf(BOOL, NOT_NULL);
    default:
      return unknownOf(NUMBER, NOT_NULL);
  }
}

export function evaluateUnary({ operator, operand: node }: UnaryNode, context: Context): Evaluated {
  const type = operator === "negate" ? NUMBER : BOOL;
  const { value, marks, isShort, failed } = operand(context.evaluate(node), type, "unary", context);
  if (isNumberValue(value)) {
    const negated = negate(value);
    return mark(isShort && typeof negated === "number" ? shortInteger(negated) : negated, marks);
  }
  if (typeof value === "boolean") return mark(!value, marks);
  return mark(failed ? unknownOf(type) : unknownOf(type, NOT_NULL), marks);
}
