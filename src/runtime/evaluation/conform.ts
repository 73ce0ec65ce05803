import { error, formatPath, type Diagnostic } from "../../provider/diagnostics";
import type {
  Attributes,
  CollectionKind,
  Kind,
  PrimitiveKind,
} from "../../provider/schema/attribute";
import { UNKNOWN, type AttributePath, type ObjectValue, type Value } from "../../provider/values";
import type { Body } from "../config/stack-config";
import { convert } from "../expressions/convert";
import {
  isList,
  isObject,
  Marked,
  SetValue,
  unmark,
  type Evaluated,
  type PathMarks,
} from "../expressions/evaluated";
import type { Where } from "../expressions/expression";
import type { Scope } from "../expressions/scope";
import { didYouMean } from "../expressions/suggest";
import type { Type } from "../expressions/types";

/** A block, evaluated and brought into the form that providers take. */
export interface Conformed {
  /** Every attribute of the schema, null where it is not set; `UNKNOWN` where something is wrong. */
  readonly value: ObjectValue;
  /** Where sensitive and ephemeral values went. */
  readonly marks: readonly PathMarks[];
  readonly diagnostics: readonly Diagnostic[];
}

export interface ConformOptions {
  /** Provider configuration is kept nowhere, so that ephemeral values may stand in it anywhere. */
  readonly ephemeral?: boolean;
}

/**
 * Evaluates a block against a schema by Terraform's rules, but for one: inside nested attributes an
 * argument that the schema does not know is refused, where Terraform drops it without a word. What
 * is required and missing is the provider's to find (`validateResource`).
 */
export function conformBody(
  body: Body,
  attributes: Attributes,
  scope: Scope,
  where: Omit<Where, "path">,
  options: ConformOptions = {},
): Conformed {
  const found: Found = { marks: [], diagnostics: [], options };
  const members = new Map<string, Evaluated>();
  for (const [name, expression] of body) {
    const { value, diagnostics } = expression.evaluate(scope);
    members.set(name, value);
    found.diagnostics.push(...diagnostics);
  }
  const evaluated = found.diagnostics.length;
  const value = conformObject(members, attributes, [], found, false);
  const { address, constructPath } = where;
  const located = found.diagnostics.map((diagnostic, index) =>
    index < evaluated
      ? diagnostic
      : { ...diagnostic, address, ...(constructPath !== undefined && { constructPath }) },
  );
  return { value, marks: found.marks, diagnostics: located };
}

interface Found {
  readonly marks: PathMarks[];
  readonly diagnostics: Diagnostic[];
  readonly options: ConformOptions;
}

function conformObject(
  members: ReadonlyMap<string, Evaluated>,
  attributes: Attributes,
  path: AttributePath,
  found: Found,
  writeOnly: boolean,
): ObjectValue {
  const names = Object.keys(attributes);
  for (const name of members.keys()) {
    if (Object.hasOwn(attributes, name)) continue;
    found.diagnostics.push(
      error(
        "Unsupported argument",
        `An argument named ${JSON.stringify(name)} is not expected here.${didYouMean(name, names)}`,
        [...path, name],
      ),
    );
  }
  const object: Record<string, Value> = {};
  for (const [name, attribute] of Object.entries(attributes)) {
    object[name] = conformValue(
      members.get(name) ?? null,
      attribute.type,
      [...path, name],
      found,
      writeOnly || attribute.writeOnly === true,
    );
  }
  return object;
}

function conformValue(
  value: Evaluated,
  kind: Kind,
  path: AttributePath,
  found: Found,
  writeOnly: boolean,
): Value {
  if (value instanceof Marked) {
    take({ path, sensitive: value.sensitive, ephemeral: value.ephemeral }, found, writeOnly);
    return conformValue(value.value, kind, path, found, writeOnly);
  }
  if (value === null || value === UNKNOWN) return value;
  if (kind.kind === "object") {
    if (!isObject(value)) return refuse("object required", path, found);
    return conformObject(membersOf(value), kind.attributes, path, found, writeOnly);
  }
  if ("element" in kind && kind.element.kind === "object") {
    return conformObjects(value, kind, path, found, writeOnly);
  }
  const converted = convert(value, typeOfKind(kind), path);
  const plain = unmark(converted.value);
  for (const mark of plain.marks) {
    take({ ...mark, path: [...path, ...mark.path] }, found, writeOnly);
  }
  for (const problem of converted.problems) refuse(problem.message, problem.path, found);
  return plain.value;
}

/** A list or a map of objects. Sets hold primitives only. */
function conformObjects(
  value: Evaluated,
  kind: CollectionKind,
  path: AttributePath,
  found: Found,
  writeOnly: boolean,
): Value {
  const element = (member: Evaluated, step: string | number) =>
    conformValue(member, kind.element, [...path, step], found, writeOnly);
  if (kind.kind === "map") {
    if (!isObject(value)) return refuse("map of object required", path, found);
    return Object.fromEntries(
      Object.entries(value).map(([key, member]) => [key, element(member, key)]),
    );
  }
  const items = value instanceof SetValue ? value.elements : value;
  if (!isList(items)) return refuse(`${kind.kind} of object required`, path, found);
  return items.map(element);
}

function membersOf(object: { readonly [key: string]: Evaluated }): ReadonlyMap<string, Evaluated> {
  return new Map(Object.entries(object));
}

function take(mark: PathMarks, found: Found, writeOnly: boolean): void {
  if (!mark.sensitive && !mark.ephemeral) return;
  found.marks.push(mark);
  if (!mark.ephemeral || writeOnly || found.options.ephemeral) return;
  found.diagnostics.push(
    error(
      "Invalid use of ephemeral value",
      `Ephemeral values are not valid for "${formatPath(mark.path)}", because it is not a write-only attribute and must be persisted to state.`,
      mark.path,
    ),
  );
}

function refuse(message: string, path: AttributePath, found: Found): Value {
  found.diagnostics.push(
    error(
      "Incorrect attribute value type",
      `Inappropriate value for attribute "${formatPath(path)}": ${message}.`,
      path,
    ),
  );
  return UNKNOWN;
}

function typeOfKind(kind: PrimitiveKind | CollectionKind): Type {
  if (!("element" in kind)) return { kind: kind.kind };
  return { kind: kind.kind, element: typeOfKind(kind.element as PrimitiveKind) };
}
