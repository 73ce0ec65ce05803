import type { z } from "zod";
import type { Noted } from "../notes";
import type { CollectionType, ObjectType } from "../types";
import type { KnownValue, ObjectValue, Value } from "../values";

/**
 * The schema language: the type of an attribute (`Kind`), which is a `Type` with checks, and its
 * treatment by Terraform (facets).
 * One definition gives the TypeScript type (`StateOf`, `ConfigOf`), Terraform's schema, the
 * validation, the constructs' props and the documentation.
 *
 * A `check` is a zod schema; it runs on values that are set and known.
 */
export type PrimitiveKind =
  | { readonly kind: "string"; readonly check?: z.ZodType<string> }
  | { readonly kind: "number"; readonly check?: z.ZodType<number> }
  | { readonly kind: "bool" };

export interface ObjectKind<A extends Attributes = Attributes> extends ObjectType<Attribute> {
  readonly attributes: A;
}

/** Sets hold primitives only, since write-only attributes are not allowed in sets. */
export interface ElementsKind<
  E extends PrimitiveKind | ObjectKind = PrimitiveKind | ObjectKind,
> extends CollectionType<Attribute> {
  readonly element: E;
  readonly check?: z.ZodType;
  /** The check of each key of a map. */
  readonly keys?: z.ZodType<string>;
}

/** A value of any type, which carries it: see `withDynamicType`. */
export interface AnyKind {
  readonly kind: "any";
}

export type Kind = PrimitiveKind | AnyKind | ObjectKind | ElementsKind;

/**
 * The source of the value: the configuration (`required`, `optional`), the provider (`computed`),
 * or the provider if the configuration has none (`optional_computed`).
 */
export type Mode = "required" | "optional" | "optional_computed" | "computed";

/** Its notes are those of other rooms: `src/provider/review-hints.ts` has what they mean for reviews. */
export interface Facets extends Noted {
  /** Hidden in plans, but stored in the state. Secrets are `writeOnly`. */
  readonly sensitive?: true;
  /** Sent to the console, but null in every plan and state. */
  readonly writeOnly?: true;
  /** A change replaces the resource; with a function, only between objects for which it is true. */
  readonly requiresReplace?: true | ((prior: ObjectValue, planned: ObjectValue) => boolean);
  /** Replaces null in the configuration, at any depth. */
  readonly default?: KnownValue;
  /** The attribute of the same object that is given in place of this one: then it has no default. */
  readonly inPlaceOf?: string;
  /** Keeps its value in updates, so that it is known in their plans. */
  readonly stable?: true;
  /** A read sets it where a state has none, which is no drift. */
  readonly noted?: true;
  /** Returns true for two spellings of the same value, such as JSON: the state keeps its own. */
  readonly equivalent?: (a: string, b: string) => boolean;
  /** An unknown value is not null: comparisons with null are known in a plan. */
  readonly notNull?: true;
  /** For write-only values of any type: the members of its objects that are no secrets. */
  readonly plainMembers?: (object: ObjectValue) => readonly string[];
  /** Computes the planned value; `UNKNOWN` if only the apply can. Pure. */
  readonly plan?: (context: AttributePlanContext) => Value;
}

export interface AttributePlanContext {
  /** The configured object that holds the attribute, with its write-only values. */
  readonly config: ObjectValue;
  /** The same object in the prior state; null on create, and always inside lists. */
  readonly prior: ObjectValue | null;
}

export interface Attribute<K extends Kind = Kind, M extends Mode = Mode> extends Facets {
  readonly type: K;
  readonly mode: M;
  readonly description: string;
}

export interface Attributes {
  readonly [name: string]: Attribute;
}

export const string = (check?: z.ZodType<string>) =>
  ({ kind: "string", ...(check && { check }) }) as const;
export const number = (check?: z.ZodType<number>) =>
  ({ kind: "number", ...(check && { check }) }) as const;
export const bool = () => ({ kind: "bool" }) as const;
export const anything = () => ({ kind: "any" }) as const;
export const object = <A extends Attributes>(attributes: A) =>
  ({ kind: "object", attributes }) as const;
export const list = <E extends PrimitiveKind | ObjectKind>(element: E, check?: z.ZodType) =>
  ({ kind: "list", element, ...(check && { check }) }) as const;
export const set = <E extends PrimitiveKind>(element: E, check?: z.ZodType) =>
  ({ kind: "set", element, ...(check && { check }) }) as const;
export const map = <E extends PrimitiveKind>(element: E, keys?: z.ZodType<string>) =>
  ({ kind: "map", element, ...(keys && { keys }) }) as const;

// The facets are inferred as literal types, so that `ConfigOf` and `StateOf` can read them.
const attributeOf =
  <M extends Mode>(mode: M) =>
  <K extends Kind, const F extends Facets = Facets>(
    type: K,
    description: string,
    facets?: F,
  ): Attribute<K, M> & F => ({ type, mode, description, ...((facets ?? {}) as F) });

export const required = attributeOf("required");
export const optional = attributeOf("optional");
export const optionalComputed = attributeOf("optional_computed");
export const computed = attributeOf("computed");
