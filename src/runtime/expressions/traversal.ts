import type { AttributePath } from "../../provider/values";
import { memberOf, UNKNOWN } from "../../provider/values";
import type { Context } from "./context";
import { convert } from "./convert";
import type { Evaluated, Unmarked } from "./evaluated";
import { isList, isObject, mark, SetValue, unionMarks, unmarkRoot } from "./evaluated";
import type { Step } from "./nodes";
import { didYouMean } from "./suggest";
import { NUMBER, STRING } from "./types";

/** Follows a static path; the result carries the marks of all values on the way. */
export function takePath(value: Evaluated, path: AttributePath, context: Context): Evaluated {
  return path.reduce<Evaluated>(
    (current, step) =>
      typeof step === "string" ? attribute(current, step, context) : index(current, step, context),
    value,
  );
}

export function takeSteps(value: Evaluated, steps: readonly Step[], context: Context): Evaluated {
  return steps.reduce<Evaluated>(
    (current, step) =>
      step.kind === "attribute"
        ? attribute(current, step.name, context)
        : index(current, context.evaluate(step.key), context),
    value,
  );
}

function attribute(container: Evaluated, name: string, context: Context): Evaluated {
  const { value, marks } = unmarkRoot(container);
  if (value === UNKNOWN) return mark(UNKNOWN, marks);
  if (isObject(value)) {
    const member = memberOf(value, name);
    if (member !== undefined) return mark(member, marks);
    return context.report(
      "Unsupported attribute",
      `This object does not have an attribute named ${JSON.stringify(name)}.${didYouMean(name, Object.keys(value))}`,
    );
  }
  if (isSequence(value) && /^\d+$/.test(name)) return index(container, name, context);
  if (value === null) {
    return context.report(
      "Attempt to get attribute from null value",
      `This value is null, so it does not have an attribute named ${JSON.stringify(name)}.`,
    );
  }
  return context.report(
    "Unsupported attribute",
    isSequence(value)
      ? `Can't access attribute ${JSON.stringify(name)} on a list or set. Did you mean to access it for a specific element, or across all elements of the list?`
      : `Can't access attribute ${JSON.stringify(name)} on a primitive-typed value.`,
  );
}

function index(container: Evaluated, keyValue: Evaluated, context: Context): Evaluated {
  const { value, marks: outer } = unmarkRoot(container);
  const { value: key, marks: inner } = unmarkRoot(keyValue);
  const marks = unionMarks(outer, inner);
  if (value === null) {
    return context.report(
      "Attempt to index null value",
      "This value is null, so it does not have any indices.",
    );
  }
  if (key === null) {
    return context.report("Invalid index", "Can't use a null value as an indexing key.");
  }
  if (value === UNKNOWN || key === UNKNOWN) return mark(UNKNOWN, marks);
  if (value instanceof SetValue) {
    return context.report(
      "Invalid index",
      "Elements of a set are identified only by their value and don't have any separate index or key to select with, so it's only possible to perform operations across all elements of the set.",
    );
  }
  if (isList(value)) {
    const position = unmarkRoot(convert(key, NUMBER).value).value;
    if (typeof position !== "number") {
      return context.report(
        "Invalid index",
        "The given key does not identify an element in this collection value: a number is required.",
      );
    }
    const element = Number.isInteger(position) ? value[position] : undefined;
    return element === undefined
      ? context.report("Invalid index", outOfRange(position, value.length))
      : mark(element, marks);
  }
  if (isObject(value)) {
    const name = unmarkRoot(convert(key, STRING).value).value;
    const member = typeof name === "string" ? memberOf(value, name) : undefined;
    return member === undefined
      ? context.report(
          "Invalid index",
          `The given key does not identify an element in this collection value.${
            typeof name === "string" && !marks.sensitive && !marks.ephemeral
              ? didYouMean(name, Object.keys(value))
              : ""
          }`,
        )
      : mark(member, marks);
  }
  return context.report("Invalid index", "This value does not have any indices.");
}

function outOfRange(position: number, length: number): string {
  const lead = "The given key does not identify an element in this collection value: ";
  if (length === 0) return `${lead}the collection has no elements.`;
  if (position < 0) return `${lead}a negative number is not a valid index for a sequence.`;
  if (!Number.isInteger(position)) return `${lead}indices must be whole numbers.`;
  return `${lead}the given index is greater than or equal to the length of the collection.`;
}

function isSequence(value: Evaluated | Unmarked): boolean {
  const bare = unmarkRoot(value).value;
  return isList(bare) || bare instanceof SetValue;
}
