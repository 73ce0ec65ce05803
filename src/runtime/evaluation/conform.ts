import { mapMembers } from "../../core/member-of";
import { isAlike, onceForEach } from "../../core/alike";
import { error, formatPath, type Diagnostic } from "../../core/diagnostics";
import type { Attribute, Attributes } from "../../core/schema/attribute";
import { foldObject, type Fold, type Place } from "../../core/schema/fold";
import { withDynamicType } from "../../core/schema/dynamic";
import { nestedAttributes } from "../../core/schema/terraform";
import { isSecret, unmark, unmarkRoot, type PathMarks } from "../../core/marks";
import { typeOf } from "../../core/typed-values";
import {
  hasExactNumber,
  isListValue,
  isObjectValue,
  Marked,
  UNKNOWN,
  type AttributePath,
  type Evaluated,
  type ObjectValue,
  type Value,
} from "../../core/values";
import {
  type Body,
  type Constraint,
  convert,
  isConvertible,
  type EvaluationScope,
  type ExpressionPosition,
} from "../../language";
import { didYouMean } from "../../core/suggest";
import { ANY, formatType, type Type } from "../../core/types";

/** A block or an object of the state in the form that providers take. */
export interface MarkedObject {
  /** Every attribute of the schema: null if it is not set, `UNKNOWN` if it is invalid. */
  readonly value: ObjectValue;
  /** The paths of values with marks, which providers are not given. */
  readonly marks: readonly PathMarks[];
}

/** An evaluated block. */
export interface Conformed extends MarkedObject {
  readonly diagnostics: readonly Diagnostic[];
}

/** The place of a block. */
export interface BlockPlace extends Omit<ExpressionPosition, "path"> {
  /** Allows ephemeral values everywhere, as in provider configuration, which is never stored. */
  readonly ephemeral?: boolean;
}

/**
 * Evaluates a block against a schema by Terraform's rules, with one exception: an argument that the
 * schema does not know is an error inside nested attributes too, where Terraform drops it. The
 * provider reports required arguments that are missing (`validateResource`).
 */
export function conformBody(
  body: Body,
  attributes: Attributes,
  scope: EvaluationScope,
  { address, constructPath, ephemeral = false }: BlockPlace,
): Conformed {
  const constant = constants(body).get(attributes);
  if (constant) return constant;
  const found: Collected = { marks: [], diagnostics: [], ephemeral };
  const members = new Map<string, Evaluated>();
  for (const [name, expression] of body) {
    const { value, diagnostics } = expression.evaluate(scope);
    members.set(name, value);
    found.diagnostics.push(...diagnostics);
  }
  const evaluated = found.diagnostics.length;
  const conformed = foldObject(attributes, Object.fromEntries(members), conforming(found));
  const value = isObjectValue(conformed) ? conformed : {};
  const result = {
    value,
    marks: found.marks,
    diagnostics: found.diagnostics.map((diagnostic, index) => ({
      ...diagnostic,
      ...(index >= evaluated && { address }),
      ...(constructPath !== undefined && { constructPath }),
    })),
  };
  if (found.diagnostics.length > 0) return result;
  if (isConstant(body)) constants(body).set(attributes, result);
  return shared(body, attributes, result);
}

/** The results of bodies that are valid in any scope, since they refer to nothing. */
const constants = onceForEach<Body, WeakMap<Attributes, Conformed>>(() => new WeakMap());

/** The last result of each body. */
const latest = onceForEach<Body, WeakMap<Attributes, Conformed>>(() => new WeakMap());

/** Returns the last result of a body if it is the same, so that stacks that are alike share it. */
function shared(body: Body, attributes: Attributes, result: Conformed): Conformed {
  const last = latest(body).get(attributes);
  if (last && isAlike(last, result)) return last;
  latest(body).set(attributes, result);
  return result;
}

const isConstant = onceForEach((body: Body) =>
  [...body.values()].every(({ isLiteral }) => isLiteral),
);

interface Collected {
  readonly marks: PathMarks[];
  readonly diagnostics: Diagnostic[];
  readonly ephemeral: boolean;
}

/** Lists and maps of primitives are converted as a whole; sets hold primitives only. */
function conforming(found: Collected): Fold<Evaluated, Value, Attribute> {
  return {
    absent: null,
    enter: (value, place) => {
      if (!(value instanceof Marked)) return value;
      take({ ...unmarkRoot(value).marks, path: place.path }, found, place);
      return value.value;
    },
    settle: (value, type, place) => {
      const absent = unmarkRoot(value).value;
      if (absent === null || absent === UNKNOWN) {
        const own = typeOf(value);
        if (type.kind === "any") return withDynamicType(absent, own);
        return isConvertible(own, argumentType(type))
          ? absent
          : refuse(`${formatType(type)} required`, place.path, found);
      }
      return nestedAttributes(type) ? undefined : converted(value, type, place, found);
    },
    primitive: () => undefined,
    elements: (value) => (isListValue(value) ? value : undefined),
    members: (value, type, { path }) => {
      if (!isObjectValue(value)) return undefined;
      if (type.kind === "object") refuseUnsupported(value, type.attributes, path, found);
      return value;
    },
    list: (elements) => elements,
    record: (members) => members,
    mismatch: (_, { kind }, { path }) =>
      refuse(kind === "object" ? "object required" : `${kind} of object required`, path, found),
  };
}

/** The type of an argument: an object may lack attributes, which the provider checks. */
function argumentType(type: Type<Attribute>): Constraint {
  if ("element" in type) return { kind: type.kind, element: argumentType(type.element) };
  if (type.kind !== "object") return type.kind === "tuple" ? ANY : type;
  const optional = (attribute: Attribute) => ({
    type: argumentType(attribute.type),
    optional: true,
  });
  return { kind: "object", attributes: mapMembers(type.attributes, optional) };
}

function converted(
  value: Evaluated,
  type: Type<Attribute>,
  place: Place<Attribute>,
  found: Collected,
): Value {
  const { value: conversion, problems } = convert(value, type, place.path);
  const plain = unmark(conversion);
  for (const mark of plain.marks) {
    take({ ...mark, path: [...place.path, ...mark.path] }, found, place);
  }
  for (const problem of problems) refuse(problem.message, problem.path, found);
  if (type.kind === "any") return withDynamicType(plain.value, typeOf(conversion));
  if (hasExactNumber(plain.value)) {
    const reason = "the number has more digits than a provider of this executor keeps";
    return refuse(reason, place.path, found);
  }
  return plain.value === 0 ? 0 : plain.value; // Providers get no negative zero.
}

function refuseUnsupported(
  members: { readonly [name: string]: Evaluated },
  attributes: Attributes,
  path: AttributePath,
  { diagnostics }: Collected,
): void {
  const names = Object.keys(attributes);
  for (const name of Object.keys(members)) {
    if (Object.hasOwn(attributes, name)) continue;
    diagnostics.push(
      error(
        "Unsupported argument",
        `An argument named ${JSON.stringify(name)} is not expected here.${didYouMean(name, names)}`,
        [...path, name],
      ),
    );
  }
}

function take(mark: PathMarks, found: Collected, place: Place<Attribute>): void {
  if (!isSecret(mark)) return;
  found.marks.push(mark);
  const isWriteOnly = place.isInside(({ writeOnly }) => writeOnly === true);
  if (!mark.ephemeral || isWriteOnly || found.ephemeral) return;
  found.diagnostics.push(
    error(
      "Invalid use of ephemeral value",
      `Ephemeral values are not valid for "${formatPath(mark.path)}", because it is not a write-only attribute and must be persisted to state.`,
      mark.path,
    ),
  );
}

function refuse(message: string, path: AttributePath, found: Collected): Value {
  found.diagnostics.push(
    error(
      "Incorrect attribute value type",
      `Inappropriate value for attribute "${formatPath(path)}": ${message}.`,
      path,
    ),
  );
  return UNKNOWN;
}
