import { mapMembers, memberOf } from "./member-of";
import { isSet, like } from "./typed-values";
import {
  isListValue,
  isObjectValue,
  Marked,
  TypedNull,
  TypedUnknown,
  UNKNOWN,
  valueAt,
  type AttributePath,
  type Evaluated,
  type Marks,
  type ObjectValue,
  type Primitive,
  type Unknown,
  type Unmarked,
  type Value,
} from "./values";

export interface PathMarks extends Marks {
  readonly path: AttributePath;
}

/** A value without parts. */
type Leaf = Primitive | Unknown | TypedUnknown;

/** The root of a value without marks and the type of a null or an unknown one. */
export type Root = Exclude<Unmarked, TypedNull | TypedUnknown>;

export const NO_MARKS: Marks = { sensitive: false, ephemeral: false, hidden: false };

export function mark(value: Evaluated, marks: Partial<Marks>): Evaluated {
  const { sensitive = false, ephemeral = false, hidden = false } = marks;
  if (!sensitive && !ephemeral && !hidden) return value;
  if (!(value instanceof Marked)) return new Marked(value, { sensitive, ephemeral, hidden });
  const all = unionMarks(value, { sensitive, ephemeral, hidden });
  return new Marked(value.value, all, value.short);
}

export function unionMarks(...all: readonly Marks[]): Marks {
  return {
    sensitive: all.some(({ sensitive }) => sensitive),
    ephemeral: all.some(({ ephemeral }) => ephemeral),
    hidden: all.some(({ hidden }) => hidden),
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

function marksOf({ sensitive, ephemeral, hidden }: Marked): Marks {
  return { sensitive, ephemeral, hidden };
}

/** Reports whether a value must not be printed. */
export function isSecret({ sensitive, ephemeral, hidden }: Marks): boolean {
  return sensitive || ephemeral || hidden;
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
    if (typeof part !== "object" || part === null) return part;
    if (isListValue(part)) {
      const elements = part.map((one, index) => within(index, one));
      return rebuild(part, elements);
    }
    if (isObjectValue(part)) {
      const members = mapMembers(part, (one, key) => within(key, one));
      return rebuild(part, members);
    }
    if (!(part instanceof Marked)) return change(part);
    if (isSecret(part)) marks.push({ path: [...path], ...marksOf(part) });
    return strip(part.value);
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
  if (isListValue(value) && !isSet(value) && typeof step === "number" && step < value.length) {
    return like(
      value,
      value.map((item, index) => (index === step ? markAt(item, rest, marks) : item)),
    );
  }
  if (isObjectValue(value)) {
    const member = memberOf(value, String(step));
    if (member !== undefined) {
      return like(value, { ...value, [String(step)]: markAt(member, rest, marks) });
    }
  }
  return mark(value, marks);
}

/** The texts in the parts of a value that have a mark, but for those that are a part of any text. */
export function markedTexts(value: Evaluated): readonly string[] {
  const { value: plain, marks } = unmark(value);
  return marks
    .flatMap(({ path }) => textsIn(valueAt(plain, path)))
    .filter((text) => text.length >= LEAST_CHARACTERS);
}

const LEAST_CHARACTERS = 4;

function textsIn(value: Value): readonly string[] {
  if (typeof value === "string") return [value];
  if (isListValue(value)) return value.flatMap(textsIn);
  return isObjectValue(value) ? Object.values(value).flatMap(textsIn) : [];
}

/** Unites all marks of the tree. */
export function marksWithin(value: Evaluated): Marks {
  return unionMarks(...unmark(value).marks);
}
