import { mark, unionMarks, unmark, unmarkRoot } from "../../core/marks";
import { collectionTypeOf, isSet, typeOf } from "../../core/typed-values";
import {
  isListValue,
  isObjectValue,
  UNKNOWN,
  valueAt,
  type AttributePath,
  type Evaluated,
} from "../../core/values";
import { isSequence, unknownOf } from "./ranges";
import { memberOf } from "../../core/member-of";
import type { Context, ReferenceProblem, EvaluationScope } from "./scope";
import { convert } from "./convert";
import type { Step } from "./nodes";
import { didYouMean } from "../../core/suggest";
import { ANY, NUMBER, STRING, type Type } from "../../core/types";
import { formatSubject, type Reference, type Subject } from "./reference";

/** Follows a static path; the result carries the marks of all values on the way. */
function takePath(value: Evaluated, path: AttributePath, context: Context): Evaluated {
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
  if (value === null) {
    return context.report(
      "Attempt to get attribute from null value",
      `This value is null, so it does not have an attribute named ${JSON.stringify(name)}.`,
    );
  }
  if (isSequence(container) && /^\d+$/.test(name)) return index(container, name, context);
  if (value === UNKNOWN) {
    const type = attributeType(typeOf(container), name);
    if (type) return mark(unknownOf(type), marks);
  }
  if (isObjectValue(value)) {
    const member = memberOf(value, name);
    if (member !== undefined) return mark(member, marks);
    return context.report(
      collectionTypeOf(value) ? "Missing map element" : "Unsupported attribute",
      `This object does not have an attribute named ${JSON.stringify(name)}.${didYouMean(name, Object.keys(value))}`,
    );
  }
  return context.report(
    "Unsupported attribute",
    isSequence(container)
      ? `Can't access attribute ${JSON.stringify(name)} on a list or set. Did you mean to access it for a specific element, or across all elements of the list?`
      : `Can't access attribute ${JSON.stringify(name)} on a primitive-typed value.`,
  );
}

/** Returns the type of an attribute of an unknown value; undefined if it cannot have the attribute. */
function attributeType(type: Type, name: string): Type | undefined {
  if (type.kind === "object") return memberOf(type.attributes, name)?.type;
  if (type.kind === "map") return type.element;
  return type.kind === "any" ? ANY : undefined;
}

function index(container: Evaluated, keyValue: Evaluated, context: Context): Evaluated {
  const { value, marks: outer } = unmarkRoot(container);
  const { value: key, marks: inner } = unmarkRoot(keyValue);
  const marks = unionMarks(outer, inner);
  const invalid = (detail: string): Evaluated => context.report("Invalid index", detail);
  if (value === null) {
    return context.report(
      "Attempt to index null value",
      "This value is null, so it does not have any indices.",
    );
  }
  if (key === null) {
    return invalid("Can't use a null value as an indexing key.");
  }
  if (value === UNKNOWN || key === UNKNOWN) {
    const element = elementType(typeOf(container), keyValue);
    return element ? mark(unknownOf(element), marks) : invalid(`${NO_ELEMENT}.`);
  }
  if (isSet(value)) {
    return invalid(
      "Elements of a set are identified only by their value and don't have any separate index or key to select with, so it's only possible to perform operations across all elements of the set.",
    );
  }
  if (isListValue(value)) {
    const position = unmarkRoot(convert(key, NUMBER).value).value;
    if (typeof position !== "number") {
      return invalid(`${NO_ELEMENT}: a number is required.`);
    }
    const element = Number.isInteger(position) ? value[position] : undefined;
    return element === undefined
      ? invalid(outOfRange(position, value.length))
      : mark(element, marks);
  }
  if (isObjectValue(value)) {
    const name = unmarkRoot(convert(key, STRING).value).value;
    const member = typeof name === "string" ? memberOf(value, name) : undefined;
    return member === undefined
      ? invalid(
          `${NO_ELEMENT}.${
            typeof name === "string" && !marks.sensitive && !marks.ephemeral
              ? didYouMean(name, Object.keys(value))
              : ""
          }`,
        )
      : mark(member, marks);
  }
  return invalid("This value does not have any indices.");
}

/**
 * Returns the type of an element where the value or the key is unknown; undefined if the value cannot
 * have the element.
 */
function elementType(type: Type, key: Evaluated): Type | undefined {
  if (type.kind === "any" || typeOf(key).kind === "any") return ANY;
  const isNamed = type.kind === "map" || type.kind === "object";
  const { value, problems } = convert(key, isNamed ? STRING : NUMBER);
  if (problems.length > 0) return undefined;
  switch (type.kind) {
    case "object":
      return ANY;
    case "list":
    case "map":
      return type.element;
    case "tuple": {
      const position = unmarkRoot(value).value;
      return typeof position === "number" ? type.elements[position] : ANY;
    }
    default:
      return undefined;
  }
}

export const NO_ELEMENT = "The given key does not identify an element in this collection value";

/** Explains why a sequence has no element at a position, as Terraform does. */
export function outOfRange(position: number, length: number): string {
  if (!Number.isInteger(position)) {
    return `${NO_ELEMENT}: indexing a sequence requires a whole number, but the given index has a fractional part.`;
  }
  if (position < 0) {
    return `${NO_ELEMENT}: a negative number is not a valid index for a sequence.`;
  }
  // Terraform gives no reason for a position behind the first one that is missing.
  if (position > length) return `${NO_ELEMENT}.`;
  return length === 0
    ? `${NO_ELEMENT}: the collection has no elements.`
    : `${NO_ELEMENT}: the given index is greater than or equal to the length of the collection.`;
}

/** Evaluates a reference; reports one to an undeclared object. */
export function evaluateReference(reference: Reference, context: Context): Evaluated {
  const { subject, path } = reference;
  const found = lookUp(subject, context.scope);
  const problem = referenceProblem(reference, context.scope);
  if (found === undefined || problem) {
    if (problem && !context.scope.problemOf) context.refuse(problem.summary, problem.detail);
    return UNKNOWN;
  }
  const repeats = subject.kind === "resource" || subject.kind === "ephemeral";
  if (repeats && typeof path[0] === "string") {
    const instances = unmarkRoot(found).value;
    if (isListValue(instances)) {
      const name = formatSubject(subject);
      return context.report(
        "Missing resource instance key",
        `Because ${name} has "count" set, its attributes must be accessed on specific instances, as in ${name}[count.index].`,
      );
    }
  }
  const missing = missingOutput(reference, found);
  if (missing !== undefined) {
    return context.report(
      "Unsupported attribute",
      `This object does not have an attribute named ${JSON.stringify(missing)}. The state that ${formatSubject(subject)} reads has no such output. Apply the stack of that state if it declares the output, or remove the reference.`,
    );
  }
  return takePath(found, path, context);
}

/** Returns the name of the output that a reference to another stack's state names, if it is missing. */
function missingOutput(
  { subject, path, indexed }: Reference,
  found: Evaluated,
): string | undefined {
  if (subject.kind !== "resource" || subject.type !== "terraform_remote_state") return undefined;
  const [member, name] = indexed ? path.slice(1) : path;
  if (member !== "outputs" || typeof name !== "string") return undefined;
  const outputs = valueAt(unmark(found).value, path.slice(0, indexed ? 2 : 1));
  return isObjectValue(outputs) && !Object.hasOwn(outputs, name) ? name : undefined;
}

/** Returns the error of a reference that no value can make valid; `try` and `can` do not catch it. */
export function referenceProblem(
  reference: Reference,
  scope: EvaluationScope,
): ReferenceProblem | undefined {
  const { subject } = reference;
  if (lookUp(subject, scope) !== undefined) return scope.problemOf?.(reference);
  const [summary, detail] = missing(subject, scope.declared?.(subject.kind) ?? []);
  return { summary, detail };
}

function lookUp(subject: Subject, scope: EvaluationScope): Evaluated | undefined {
  switch (subject.kind) {
    case "resource":
      return scope.resource(subject.mode, subject.type, subject.name);
    case "ephemeral":
      return scope.ephemeral?.(subject.type, subject.name);
    case "variable":
      return scope.variable(subject.name);
    case "local":
      return scope.local(subject.name);
    case "path":
      return scope.path[subject.name];
    case "workspace":
      return scope.workspace;
    case "each":
      return scope.each?.[subject.name];
    case "count":
      return scope.countIndex;
    case "self":
      return scope.self;
  }
}

function missing(subject: Subject, declared: readonly string[]): [string, string] {
  const suggestion = didYouMean(formatSubject(subject), declared);
  switch (subject.kind) {
    case "resource": {
      const kind = subject.mode === "data" ? "data resource" : "managed resource";
      return [
        "Reference to undeclared resource",
        `A ${kind} "${subject.type}" "${subject.name}" has not been declared in this stack.${suggestion}`,
      ];
    }
    case "ephemeral":
      return [
        "Reference to undeclared resource",
        `An ephemeral resource "${subject.type}" "${subject.name}" has not been declared in this stack.${suggestion}`,
      ];
    case "variable":
      return [
        "Reference to undeclared input variable",
        `An input variable with the name "${subject.name}" has not been declared.${suggestion}`,
      ];
    case "local":
      return [
        "Reference to undeclared local value",
        `A local value with the name "${subject.name}" has not been declared.${suggestion}`,
      ];
    case "each":
      return [
        `Reference to "each" in context without for_each`,
        `The "each" object can be used only in "resource" and "data" blocks, and only when the "for_each" argument is set.`,
      ];
    case "count":
      return [
        `Reference to "count" in non-counted context`,
        `The "count" object can only be used in "resource" and "data" blocks, and only when the "count" argument is set.`,
      ];
    case "self":
      return [
        `Invalid "self" reference`,
        `The "self" object is not available in this context. It can be used in provisioners and postconditions only.`,
      ];
    case "path":
    case "workspace":
      return ["Invalid reference", `${formatSubject(subject)} is not available in this context.`];
  }
}
