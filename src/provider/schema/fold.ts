import {
  canonicalSet,
  isListValue,
  isObjectValue,
  type AttributePath,
  type Value,
} from "../values";

/**
 * A type constraint: the kinds of a schema's attributes, and those that a type has beyond a schema
 * (`any`, tuples). `A` describes an attribute of an object.
 */
export type Type<A> =
  | PrimitiveType
  | { readonly kind: "list" | "set" | "map"; readonly element: Type<A> }
  | { readonly kind: "tuple"; readonly elements: readonly Type<A>[] }
  | { readonly kind: "object"; readonly attributes: { readonly [name: string]: A } };

export interface PrimitiveType {
  readonly kind: "any" | "string" | "number" | "bool";
}

/** The location of a value in the object that is folded. */
export interface Place<A> {
  readonly path: AttributePath;
  /** The attributes that hold the value, the outermost first; empty for the object itself. */
  readonly attributes: readonly A[];
  /** The value is an element of the innermost attribute's collection, not its whole value. */
  readonly isElement: boolean;
}

/** One coercion from values of a source (`In`) by their types to a result (`Out`). */
export interface Fold<In, Out, A> {
  /** The value of an attribute that an object lacks. */
  readonly absent: In;
  /** Replaces a value before it is read. */
  readonly enter?: (value: In, place: Place<A>) => In;
  /** Ends the descent at a value, such as null or an unknown; undefined continues by its type. */
  readonly settle: (value: In, type: Type<A>, place: Place<A>) => Out | undefined;
  /** Reads a primitive; undefined if the value has another type. */
  readonly primitive: (value: In, type: PrimitiveType, place: Place<A>) => Out | undefined;
  /** Gives the elements of a list, set or tuple; undefined if the value has another type. */
  readonly elements: (value: In) => readonly In[] | undefined;
  /** Gives the members of a map or object; undefined if the value has another type. */
  readonly members: (
    value: In,
    type: Type<A>,
    place: Place<A>,
  ) => { readonly [name: string]: In } | undefined;
  readonly list: (elements: readonly Out[], type: Type<A>, value: In, place: Place<A>) => Out;
  /** The result of a map, or of an object with every attribute of its type. */
  readonly record: (
    members: { readonly [name: string]: Out },
    type: Type<A>,
    value: In,
    place: Place<A>,
  ) => Out;
  /** The result for a value of another type. */
  readonly mismatch: (value: In, type: Type<A>, place: Place<A>) => Out;
}

/** Folds the members of an object by its attributes. */
export function foldObject<In, Out, A extends { readonly type: Type<A> }>(
  attributes: { readonly [name: string]: A },
  value: In,
  fold: Fold<In, Out, A>,
): Out {
  return foldValue({ kind: "object", attributes }, value, fold);
}

/** Folds a value by its type, depth first. Every conversion by a schema is one of these. */
export function foldValue<In, Out, A extends { readonly type: Type<A> }>(
  type: Type<A>,
  given: In,
  fold: Fold<In, Out, A>,
  place: Place<A> = { path: [], attributes: [], isElement: false },
): Out {
  const value = fold.enter ? fold.enter(given, place) : given;
  const settled = fold.settle(value, type, place);
  if (settled !== undefined) return settled;
  const { attributes } = place;
  const element = (inner: Type<A>, one: In, step: string | number) =>
    foldValue(inner, one, fold, { path: [...place.path, step], attributes, isElement: true });
  switch (type.kind) {
    case "list":
    case "set":
    case "tuple": {
      const elements = fold.elements(value);
      if (!elements) break;
      const folded = elements.map((one, index) =>
        element(type.kind === "tuple" ? (type.elements[index] ?? ANY) : type.element, one, index),
      );
      return fold.list(folded, type, value, place);
    }
    case "map": {
      const members = fold.members(value, type, place);
      if (!members) break;
      return fold.record(
        mapMembers(members, (one, key) => element(type.element, one, key)),
        type,
        value,
        place,
      );
    }
    case "object": {
      const members = fold.members(value, type, place);
      if (!members) break;
      const folded = mapMembers(type.attributes, (attribute, name) =>
        foldValue(
          attribute.type,
          Object.hasOwn(members, name) ? (members[name] ?? fold.absent) : fold.absent,
          fold,
          { path: [...place.path, name], attributes: [...attributes, attribute], isElement: false },
        ),
      );
      return fold.record(folded, type, value, place);
    }
    default: {
      const primitive = fold.primitive(value, type, place);
      if (primitive !== undefined) return primitive;
    }
  }
  return fold.mismatch(value, type, place);
}

const ANY: PrimitiveType = { kind: "any" };

function mapMembers<V, R>(
  members: { readonly [name: string]: V },
  change: (member: V, name: string) => R,
): { readonly [name: string]: R } {
  return Object.fromEntries(
    Object.entries(members).map(([name, member]) => [name, change(member, name)]),
  );
}

/** The parts of a fold that read the provider's values. */
export const readsValues = {
  absent: null as Value,
  elements: (value: Value) => (isListValue(value) ? value : undefined),
  members: (value: Value) => (isObjectValue(value) ? value : undefined),
};

/** The parts of a fold that build the provider's values; sets become canonical. */
export const buildsValues = {
  list: (elements: readonly Value[], { kind }: { readonly kind: string }): Value =>
    kind === "set" ? canonicalSet(elements) : elements,
  record: (members: { readonly [name: string]: Value }): Value => members,
};

/** A fold that collects what `own` finds at each value, a container's before its content's. */
export function collects<Found, A>(
  own: (value: Value, place: Place<A>, type: Type<A>) => readonly Found[],
): Omit<Fold<Value, readonly Found[], A>, "settle"> {
  const at = (value: Value, type: Type<A>, place: Place<A>) => own(value, place, type);
  return {
    ...readsValues,
    primitive: at,
    mismatch: at,
    list: (elements, type, value, place) => [...own(value, place, type), ...elements.flat()],
    record: (members, type, value, place) => [
      ...own(value, place, type),
      ...Object.values(members).flat(),
    ],
  };
}
