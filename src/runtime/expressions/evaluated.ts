import {
  canonicalSet,
  compareStrings,
  ExactNumber,
  TypedNull,
  TypedUnknown,
  UNKNOWN,
  type AttributePath,
  type ObjectValue,
  type Primitive,
  type Unknown,
  type Value,
} from "../../core/values";
import { mapMembers, memberOf } from "../../core/member-of";
import { ANY, typeAlone, type CollectionType, type Type } from "../../core/types";

/**
 * The result of an expression: a `Value` whose subtrees may carry marks and types. An array is a
 * tuple unless it carries another type (`listOf`, `setOf`), and a record is an object unless it does
 * (`mapOf`). `unmark` gives the plain `Value` and the paths of its marks.
 */
export type Evaluated = Unmarked | Marked;
export type Unmarked = Root | TypedNull | TypedUnknown;
/** The root of a value without marks and the type of a null or an unknown one. */
export type Root = Exclude<Primitive, TypedNull> | Unknown | readonly Evaluated[] | EvaluatedObject;
export interface EvaluatedObject {
  readonly [key: string]: Evaluated;
}

/** A value without parts. */
type Leaf = Primitive | Unknown | TypedUnknown;

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
    !(value instanceof TypedNull) &&
    !(value instanceof TypedUnknown)
  );
}

const TYPE: unique symbol = Symbol("type");

/** Makes a list, whose elements have the type already. */
export function listOf<V extends Evaluated>(elements: readonly V[], element: Type): readonly V[] {
  return carrying([...elements], { kind: "list", element: typeAlone(element) });
}

/** Makes a set, whose elements have the type already. A mark on an element is a mark on the set. */
export function setOf(elements: readonly Value[], element: Type = ANY): readonly Value[] {
  return carrying(canonicalSet(elements), { kind: "set", element: typeAlone(element) });
}

/** Makes a map, whose members have the type already. */
export function mapOf<V extends Evaluated>(
  members: { readonly [key: string]: V },
  element: Type,
): { readonly [key: string]: V } {
  return carrying({ ...members }, { kind: "map", element: typeAlone(element) });
}

function carrying<T extends object>(container: T, type: CollectionType): T {
  return Object.defineProperty(container, TYPE, { value: type });
}

/** Returns the type that a list, set or map carries; undefined for any other value. */
export function collectionTypeOf(value: Evaluated): CollectionType | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  return (value as { readonly [TYPE]?: CollectionType })[TYPE];
}

export function isSet(value: Evaluated): value is readonly Value[] {
  return collectionTypeOf(value)?.kind === "set";
}

/** Makes a collection of the same type, or a tuple or an object, of new content. */
export function like<T extends readonly Evaluated[] | EvaluatedObject>(
  source: Evaluated,
  content: T,
): T {
  const type = collectionTypeOf(source);
  return type ? carrying(content, type) : content;
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

function untyped(value: Leaf): Exclude<Leaf, TypedNull | TypedUnknown>;
function untyped(value: Unmarked): Root;
function untyped(value: Unmarked): Root {
  if (value instanceof TypedUnknown) return UNKNOWN;
  return value instanceof TypedNull ? null : value;
}

/** Removes all marks and types, and lists the paths of the marks, outer ones first. */
export function unmark(value: Evaluated): { value: Value; marks: readonly PathMarks[] } {
  return withoutInnerMarks(value, (_, content) => content, untyped);
}

/** Removes all marks, as `unmark`, and keeps the types. */
export function unmarkTyped(value: Evaluated): { value: Value; marks: readonly PathMarks[] } {
  return withoutInnerMarks(value, like, (leaf) => leaf);
}

function withoutInnerMarks(
  value: Evaluated,
  rebuild: <T extends readonly Value[] | ObjectValue>(source: Evaluated, content: T) => T,
  change: (leaf: Leaf) => Leaf,
): { value: Value; marks: readonly PathMarks[] } {
  const marks: PathMarks[] = [];
  const path: (string | number)[] = [];
  const within = (step: string | number, part: Evaluated): Value => {
    path.push(step);
    const stripped = strip(part);
    path.pop();
    return stripped;
  };
  const strip = (part: Evaluated): Value => {
    if (part instanceof Marked) {
      const { sensitive, ephemeral } = part;
      if (sensitive || ephemeral) marks.push({ path: [...path], sensitive, ephemeral });
      return strip(part.value);
    }
    if (isList(part)) {
      return rebuild(
        part,
        part.map((one, index) => within(index, one)),
      );
    }
    return isObject(part)
      ? rebuild(
          part,
          mapMembers(part, (one, key) => within(key, one)),
        )
      : change(part);
  };
  return { value: strip(value), marks };
}

/** Restores the marks that `unmark` removed. A path that does not exist marks its deepest existing parent. */
export function remark(value: Evaluated, marks: readonly PathMarks[]): Evaluated {
  return marks.reduce<Evaluated>((marked, { path, ...rest }) => markAt(marked, path, rest), value);
}

function markAt(value: Evaluated, path: AttributePath, marks: Marks): Evaluated {
  const [step, ...rest] = path;
  if (step === undefined) return mark(value, marks);
  if (value instanceof Marked) return mark(markAt(value.value, path, marks), value);
  if (isList(value) && !isSet(value) && typeof step === "number" && step < value.length) {
    return like(
      value,
      value.map((item, index) => (index === step ? markAt(item, rest, marks) : item)),
    );
  }
  if (isObject(value)) {
    const member = memberOf(value, String(step));
    if (member !== undefined) {
      return like(value, { ...value, [String(step)]: markAt(member, rest, marks) });
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
  if (isList(value)) return value.every(isWhollyKnown);
  if (isObject(value)) return Object.values(value).every(isWhollyKnown);
  return true;
}
