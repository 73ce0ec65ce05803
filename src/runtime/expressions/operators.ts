import { isNumberValue, UNKNOWN, type NumberValue } from "../../provider/values";
import type { Context } from "./scope";
import { convert } from "./convert";
import { equal, excludes } from "./equality";
import { mark, marksWithin, unionMarks, unmarkRoot, type Evaluated } from "./evaluated";
import type { BinaryOperator, Node } from "./nodes";
import { add, compareNumbers, divide, modulo, multiply, negate, subtract } from "./numbers";
import { BOOL, NUMBER, typeOf, unify, type Type } from "./types";

type BinaryNode = Extract<Node, { kind: "binary" }>;
type UnaryNode = Extract<Node, { kind: "unary" }>;
type ConditionalNode = Extract<Node, { kind: "conditional" }>;

export function evaluateBinary(node: BinaryNode, context: Context): Evaluated {
  const { operator, left, right } = node;
  switch (operator) {
    case "equal":
    case "notEqual":
      return compare(node, context.evaluate(left), context.evaluate(right));
    case "logicalAnd":
    case "logicalOr":
      return combine(node, context);
    default: {
      const a = operand(context.evaluate(left), NUMBER, "left", context);
      const b = operand(context.evaluate(right), NUMBER, "right", context);
      const marks = unionMarks(a.marks, b.marks);
      return isNumberValue(a.value) && isNumberValue(b.value)
        ? mark(calculate(operator, node, a.value, b.value, context), marks)
        : mark(UNKNOWN, marks);
    }
  }
}

/** Compares two operands; an unknown one may still be known to differ. */
function compare({ operator, left, right }: BinaryNode, a: Evaluated, b: Evaluated): Evaluated {
  const marks = unionMarks(marksWithin(a), marksWithin(b));
  const result = equal(a, b);
  if (result !== UNKNOWN) return mark(result === (operator === "equal"), marks);
  const x = unmarkRoot(a).value;
  const y = unmarkRoot(b).value;
  const differ = (x === UNKNOWN && excludes(left, y)) || (y === UNKNOWN && excludes(right, x));
  return mark(differ ? operator === "notEqual" : UNKNOWN, marks);
}

/** Evaluates `||` and `&&`. An unknown operand makes the result unknown, as in Terraform 1.11. */
function combine({ operator, left, right }: BinaryNode, context: Context): Evaluated {
  const a = operand(context.evaluate(left), BOOL, "left", context);
  const b = operand(context.evaluate(right), BOOL, "right", context);
  const marks = unionMarks(a.marks, b.marks);
  if (typeof a.value !== "boolean" || typeof b.value !== "boolean") return mark(UNKNOWN, marks);
  return mark(operator === "logicalOr" ? a.value || b.value : a.value && b.value, marks);
}

function operand(value: Evaluated, type: Type, side: string, context: Context) {
  const converted = convert(value, type);
  const root = unmarkRoot(converted.value);
  const [problem] = converted.problems;
  if (problem || root.value === null) {
    const reason = problem?.message ?? "argument must not be null";
    context.report("Invalid operand", `Unsuitable value for ${side} operand: ${reason}.`);
    return { value: UNKNOWN, marks: root.marks };
  }
  return root;
}

/** Functions whose results are integers of 64 bits in Terraform. */
const SHORT_INTEGERS: ReadonlySet<string> = new Set(["index", "length", "signum", "timecmp"]);

/** Reports whether Terraform calculates a node with 64 bits instead of 512. */
function isShort(node: Node): boolean {
  if (node.kind === "call") return SHORT_INTEGERS.has(node.name);
  if (node.kind === "reference") return node.reference.subject.kind === "count";
  if (node.kind === "unary") return isShort(node.operand);
  return node.kind === "binary" && isShort(node.left) && isShort(node.right);
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

function calculate(
  operator: Calculation,
  { left, right }: BinaryNode,
  a: NumberValue,
  b: NumberValue,
  context: Context,
): Evaluated {
  if (operator !== "divide") return CALCULATIONS[operator](a, b);
  if (b === 0) return context.report("Division by zero", "Can't divide by zero.");
  return divide(a, b, isShort(left) && isShort(right) ? 64 : undefined);
}

export function evaluateUnary({ operator, operand: node }: UnaryNode, context: Context): Evaluated {
  const { value, marks } = operand(
    context.evaluate(node),
    operator === "negate" ? NUMBER : BOOL,
    "unary",
    context,
  );
  if (isNumberValue(value)) return mark(negate(value), marks);
  if (typeof value === "boolean") return mark(!value, marks);
  return mark(UNKNOWN, marks);
}

/** Converts the result to the common type of both arms. Errors in the other arm are ignored. */
export function evaluateConditional(node: ConditionalNode, context: Context): Evaluated {
  const converted = convert(context.evaluate(node.condition), BOOL);
  const { value: condition, marks } = unmarkRoot(converted.value);
  if (converted.problems.length > 0) {
    return context.report(
      "Incorrect condition type",
      "The condition expression must be of type bool.",
    );
  }
  if (condition === null) {
    return context.report(
      "Null condition",
      "The condition value is null. Conditions must either be true or false.",
    );
  }
  if (condition === UNKNOWN) {
    const a = context.evaluate(node.whenTrue);
    const b = context.evaluate(node.whenFalse);
    const all = unionMarks(marks, unmarkRoot(a).marks, unmarkRoot(b).marks);
    return mark(equal(a, b) === true ? a : UNKNOWN, all);
  }
  const [taken, other] = condition
    ? [node.whenTrue, node.whenFalse]
    : [node.whenFalse, node.whenTrue];
  const value = context.evaluate(taken);
  const rejected = context.attempt(other).value;
  const type = unify([typeOf(value), typeOf(rejected)]);
  if (!type) {
    return context.report(
      "Inconsistent conditional result types",
      "The true and false result expressions must have consistent types.",
    );
  }
  return mark(convert(value, type).value, unionMarks(marks, unmarkRoot(rejected).marks));
}
