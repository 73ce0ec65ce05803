import {
  canonicalSet,
  compareStrings,
  ExactNumber,
  isNullValue,
  TypedNull,
  TypedUnknown,
  UNKNOWN,
  type AttributePath,
  type Primitive,
  type Unknown,
  type Value,
} from "../../core/values";
import { mapMembers, memberOf } from "../../core/member-of";
import { ANY, typeAlone, type Type } from "../../core/types";

/**
 * The result of an expression: a `Value` whose subtrees may carry marks and types. An array is a
 * tuple unless it carries the type of its elements (`listOf`), and a record is an object unless it
 * does (`mapOf`). `unmark` gives the plain `Value` and the paths of its marks.
 */
export type Evaluated = Unmarked | Marked;
export type Unmarked = Root | TypedNull | TypedUnknown;
/** The root of a value without marks and the type of a null or an unknown one. */
export type Root =
  Exclude<Primitive, TypedNull> | Unknown | SetValue | readonly Evaluated[] | EvaluatedObject;
export interface EvaluatedObject {
  readonly [key: string]: Evaluated;
}

/** Sensitive values are not printed; ephemeral ones are also never stored in a plan or a state. */
export interface Marks {
  readonly sensitive: boolean;
  readonly ephemeral: boolean;
}

export interface PathMarks extends Marks {
  readonly path: AttributePath;
}

/** A subtree that carries marks. These never nest directly: `mark` merges them. */
export class Marked implements Marks {
  constructor(
    readonly value: Unmarked,
    readonly sensitive: boolean,
    readonly ephemeral: boolean,
    /** True for an integer with which Terraform calculates in 64 bits, instead of 512. */
    readonly short = false,
  ) {}
}

/** A set. Its elements are plain and canonical: a mark on an element is a mark on the set. */
export class SetValue {
  readonly elements: readonly Value[];

  constructor(
    elements: readonly Value[],
    readonly element: Type = ANY,
  ) {
    this.elements = canonicalSet(elements);
  }
}
export const NO_MARKS: Marks = { sensitive: false, ephemeral: false };

export function isList(value: Evaluated): value is readonly Evaluated[] {
  return Array.isArray(value);
}

export function isObject(value: Evaluated): value is EvaluatedObject {
  return (
    typeof value === "object" &&
    value !== null &&
    !Array.isArray(value) &&
    !(value instanceof ExactNumber) &&
    !(value instanceof Marked) &&
    !(value instanceof SetValue) &&
    !(value instanceof TypedNull) &&
    !(value instanceof TypedUnknown)
  );
}

const ELEMENT: unique symbol = Symbol("element type");

/** Makes a list, whose elements have the type already. */
export function listOf(elements: readonly Evaluated[], element: Type): readonly Evaluated[] {
  return withElementType([...elements], element);
}

/** Makes a map, whose members have the type already. */
export function mapOf(members: EvaluatedObject, element: Type): EvaluatedObject {
  return withElementType({ ...members }, element);
}

function withElementType<T extends object>(container: T, element: Type): T {
  return Object.defineProperty(container, ELEMENT, { value: typeAlone(element) });
}

/** Returns the type of the elements of a list, set or map; undefined for any other value. */
export function elementTypeOf(value: Evaluated): Type | undefined {
  if (value instanceof SetValue) return value.element;
  if (typeof value !== "object" || value === null) return undefined;
  return (value as { readonly [ELEMENT]?: Type })[ELEMENT];
}

/** Makes a list of the same type, or a tuple, of other elements. */
export function listLike(
  source: readonly Evaluated[],
  elements: readonly Evaluated[],
): readonly Evaluated[] {
  const element = elementTypeOf(source);
  return element ? listOf(elements, element) : elements;
}

/** Makes a map of the same type, or an object, of other members. */
export function mapLike(source: EvaluatedObject, members: EvaluatedObject): EvaluatedObject {
  const element = elementTypeOf(source);
  return element ? mapOf(members, element) : members;
}

/** Returns the keys in Terraform's order. */
export function sortedKeys(value: { readonly [key: string]: unknown }): readonly string[] {
  return Object.keys(value).sort(compareStrings);
}

export function mark(value: Evaluated, marks: Partial<Marks>): Evaluated {
  const sensitive = marks.sensitive ?? false;
  const ephemeral = marks.ephemeral ?? false;
  if (!sensitive && !ephemeral) return value;
  if (!(value instanceof Marked)) return new Marked(value, sensitive, ephemeral);
  const { value: root, short } = value;
  return new Marked(root, value.sensitive || sensitive, value.ephemeral || ephemeral, short);
}

export function unionMarks(...all: readonly Marks[]): Marks {
  return {
    sensitive: all.some(({ sensitive }) => sensitive),
    ephemeral: all.some(({ ephemeral }) => ephemeral),
  };
}

/** Removes the marks of the root only; inner ones stay. */
export function withoutMarks(value: Evaluated): Unmarked {
  return value instanceof Marked ? value.value : value;
}

/** Removes the marks of the root, and the type of a null or unknown one; inner ones stay. */
export function unmarkRoot(value: Evaluated): { value: Root; marks: Marks } {
  const marks = value instanceof Marked ? marksOf(value) : NO_MARKS;
  return { value: untyped(withoutMarks(value)), marks };
}

function marksOf({ sensitive, ephemeral }: Marked): Marks {
  return { sensitive, ephemeral };
}

function untyped(value: Unmarked): Root {
  if (value instanceof TypedUnknown) return UNKNOWN;
  return value instanceof TypedNull ? null : value;
}

/** Removes all marks and types, and lists the paths of the marks, outer ones first. */
export function unmark(value: Evaluated): { value: Value; marks: readonly PathMarks[] } {
  const marks: PathMarks[] = [];
  const strip = (current: Evaluated, path: AttributePath): Value => {
    if (current instanceof Marked) {
      const { sensitive, ephemeral } = current;
      if (sensitive || ephemeral) marks.push({ path, sensitive, ephemeral });
      return strip(current.value, path);
    }
    if (current instanceof SetValue) return current.elements;
    if (isList(current)) return current.map((item, index) => strip(item, [...path, index]));
    if (isObject(current)) {
      return mapMembers(current, (member, key) => strip(member, [...path, key]));
    }
    return current instanceof TypedUnknown ? UNKNOWN : isNullValue(current) ? null : current;
  };
  return { value: strip(value, []), marks };
}

/** Restores the marks that `unmark` removed. A path that does not exist marks its deepest existing parent. */
export function remark(value: Evaluated, marks: readonly PathMarks[]): Evaluated {
  return marks.reduce<Evaluated>((marked, { path, ...rest }) => markAt(marked, path, rest), value);
}

function markAt(value: Evaluated, path: AttributePath, marks: Marks): Evaluated {
  const [step, ...rest] = path;
  if (step === undefined) return mark(value, marks);
  if (value instanceof Marked) return mark(markAt(value.value, path, marks), value);
  if (isList(value) && typeof step === "number" && step < value.length) {
    return listLike(
      value,
      value.map((item, index) => (index === step ? markAt(item, rest, marks) : item)),
    );
  }
  if (isObject(value)) {
    const member = memberOf(value, String(step));
    if (member !== undefined) {
      return mapLike(value, { ...value, [String(step)]: markAt(member, rest, marks) });
    }
  }
  return mark(value, marks);
}

/** Unites all marks of the tree. */
export function marksWithin(value: Evaluated): Marks {
  return unionMarks(...unmark(value).marks);
}

/** Reports whether the tree contains no `UNKNOWN`. */
export function isWhollyKnown(value: Evaluated): boolean {
  if (value === UNKNOWN || value instanceof TypedUnknown) return false;
  if (value instanceof Marked) return isWhollyKnown(value.value);
  if (value instanceof SetValue) return value.elements.every(isWhollyKnown);
  if (isList(value)) return value.every(isWhollyKnown);
  if (isObject(value)) return Object.values(value).every(isWhollyKnown);
  return true;
}
