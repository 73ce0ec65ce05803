import { isSecret, mark, marksWithin, unionMarks, unmarkRoot } from "../../core/marks";
import { nullOf, typeOf } from "../../core/typed-values";
import { UNKNOWN, type Evaluated, type Range } from "../../core/values";
import { boundsOf, isNotNull, isNull, isUnknown, unknownOf } from "./ranges";
import { convert } from "./convert";
import type { Node } from "./nodes";
import { largest, smallest } from "./numbers";
import type { Context } from "./scope";
import { ANY, BOOL, formatType, sameType, type Type } from "../../core/types";
import { unify } from "./unify";

type ConditionalNode = Extract<Node, { kind: "conditional" }>;

/** The names of attributes are part of a sensitive value. */
function describeType(value: Evaluated): string {
  return isSecret(marksWithin(value)) ? "sensitive" : formatType(typeOf(value));
}

/** Converts the result to the common type of both arms. Errors in the other arm are ignored. */
export function evaluateConditional(node: ConditionalNode, context: Context): Evaluated {
  const given = context.evaluate(node.condition);
  const converted = convert(given, BOOL);
  const isKnown = !isUnknown(given);
  const { value: condition, marks } = unmarkRoot(isKnown ? converted.value : given);
  if (isKnown && converted.problems.length > 0) {
    return context.report(
      "Incorrect condition type",
      "The condition expression must be of type bool.",
    );
  }
  const whenTrue =
    condition === true ? context.evaluate(node.whenTrue) : context.attempt(node.whenTrue).value;
  const whenFalse =
    condition === false ? context.evaluate(node.whenFalse) : context.attempt(node.whenFalse).value;
  const type = commonType(whenTrue, whenFalse);
  if (!type) {
    return context.report(
      "Inconsistent conditional result types",
      `The true and false result expressions must have consistent types. The 'true' value is ${describeType(whenTrue)}, but the 'false' value is ${describeType(whenFalse)}.`,
    );
  }
  if (condition === null) {
    context.report(
      "Null condition",
      "The condition value is null. Conditions must either be true or false.",
    );
    return unknownOf(type);
  }
  if (condition === UNKNOWN) {
    const all = unionMarks(marks, unmarkRoot(whenTrue).marks, unmarkRoot(whenFalse).marks);
    return mark(eitherOf(whenTrue, whenFalse, type), all);
  }
  const taken = condition ? whenTrue : whenFalse;
  const other = condition ? whenFalse : whenTrue;
  const { value, problems } = convert(taken, type);
  const problem = problems[0]?.message ?? mixedProblem(taken, type);
  if (problem !== undefined) {
    return context.report(
      "Inconsistent conditional result types",
      `The ${condition === true} result value has the wrong type: ${problem}.`,
    );
  }
  return mark(value, unionMarks(marks, unmarkRoot(other).marks));
}

/** Next to a list of any type, such as `tolist([])`, the elements of a tuple must have one type. */
function mixedProblem(taken: Evaluated, type: Type): string | undefined {
  const from = typeOf(taken);
  if (type.kind !== "list" || type.element.kind !== "any" || from.kind !== "tuple")
    return undefined;
  const [first, ...others] = from.elements.filter(({ kind }) => kind !== "any");
  if (!first || others.every((one) => sameType(one, first))) return undefined;
  return "element types must all match for conversion to list";
}

/** Returns the type of the result. A plain null has that of the other arm. */
function commonType(a: Evaluated, b: Evaluated): Type | undefined {
  const [x, y] = [typeOf(a), typeOf(b)];
  if (x.kind === "any") return a === null ? y : ANY;
  if (y.kind === "any") return b === null ? x : ANY;
  return unify([x, y]);
}

/** Returns what is known of the result while the condition is unknown. */
function eitherOf(a: Evaluated, b: Evaluated, type: Type): Evaluated {
  if (isNull(a) && isNull(b)) return nullOf(type);
  const notNull = isNotNull(a) && isNotNull(b);
  const [x, y] = [typeOf(a), typeOf(b)];
  if (!sameType(x, y) || (x.kind !== "number" && !("element" in x))) {
    return unknownOf(type, { notNull });
  }
  const [first, second] = [boundsOf(a), boundsOf(b)];
  const range: Range = {
    notNull,
    ...(first.minimum !== undefined &&
      second.minimum !== undefined && { minimum: smallest([first.minimum, second.minimum]) }),
    ...(first.maximum !== undefined &&
      second.maximum !== undefined && { maximum: largest([first.maximum, second.maximum]) }),
  };
  return unknownOf(type, range);
}
