import {
  canonicalSet,
  isListValue,
  isObjectValue,
  type AttributePath,
  type Value,
} from "../values";
import { memberOf, setMember } from "../member-of";
import { ANY, type PrimitiveType, type Type } from "../types";

/** The location of a value in the object that is folded. */
export class Place<A> {
  constructor(
    /** The innermost attribute that holds the value; undefined for the object itself. */
    readonly attribute?: A,
    /** The value is an element of the attribute's collection, not its whole value. */
    readonly isElement = false,
    private readonly parent?: Place<A>,
    private readonly step: string | number = "",
  ) {}

  member(name: string, attribute: A): Place<A> {
    return new Place(attribute, false, this, name);
  }

  element(step: string | number): Place<A> {
    return new Place(this.attribute, true, this, step);
  }

  /** Computed on demand, since few values need it. */
  get path(): AttributePath {
    return this.parent ? [...this.parent.path, this.step] : [];
  }

  /** Returns true if an attribute that holds the value passes a test. */
  isInside(test: (attribute: A) => boolean): boolean {
    return (
      (this.attribute !== undefined && test(this.attribute)) ||
      (this.parent?.isInside(test) ?? false)
    );
  }
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
  /** Returns the elements of a list, set or tuple; undefined if the value has another type. */
  readonly elements: (value: In) => readonly In[] | undefined;
  /** Returns the members of a map or object; undefined if the value has another type. */
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
  place = new Place<A>(),
): Out {
  const value = fold.enter ? fold.enter(given, place) : given;
  const settled = fold.settle(value, type, place);
  if (settled !== undefined) return settled;
  switch (type.kind) {
    case "list":
    case "set":
    case "tuple": {
      const elements = fold.elements(value);
      if (!elements) break;
      const folded = elements.map((one, index) => {
        const inner = type.kind === "tuple" ? (type.elements[index] ?? ANY) : type.element;
        return foldValue(inner, one, fold, place.element(index));
      });
      return fold.list(folded, type, value, place);
    }
    case "map": {
      const members = fold.members(value, type, place);
      if (!members) break;
      const folded: Record<string, Out> = {};
      for (const key of Object.keys(members)) {
        const member = memberOf(members, key) ?? fold.absent;
        setMember(folded, key, foldValue(type.element, member, fold, place.element(key)));
      }
      return fold.record(folded, type, value, place);
    }
    case "object": {
      const members = fold.members(value, type, place);
      if (!members) break;
      const folded: Record<string, Out> = {};
      for (const [name, attribute] of Object.entries(type.attributes)) {
        const member = memberOf(members, name) ?? fold.absent;
        const inner = place.member(name, attribute);
        setMember(folded, name, foldValue(attribute.type, member, fold, inner));
      }
      return fold.record(folded, type, value, place);
    }
    default: {
      const primitive = fold.primitive(value, type, place);
      if (primitive !== undefined) return primitive;
    }
  }
  return fold.mismatch(value, type, place);
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

/**
 * Visits an object and every value in it, a container before its content. Content is skipped if
 * `visit` returns false.
 */
export function visitObject<A extends { readonly type: Type<A> }>(
  attributes: { readonly [name: string]: A },
  object: Value,
  visit: (value: Value, place: Place<A>, type: Type<A>) => boolean,
): void {
  const visited = () => true as const;
  foldObject<Value, true, A>(attributes, object, {
    ...readsValues,
    settle: (value, type, place) => (visit(value, place, type) ? undefined : true),
    primitive: visited,
    list: visited,
    record: visited,
    mismatch: visited,
  });
}
