import type { z } from "zod";
import type { KnownValue, ObjectValue, Value } from "../values";
import type { Review } from "./review";

/**
 * The schema language: what an attribute holds (`Kind`) and how Terraform treats it (the facets).
 * One definition gives the TypeScript type (`StateOf`, `ConfigOf`), Terraform's schema, the
 * validation, the constructs' props and the documentation.
 *
 * A `check` is a zod schema; it runs on values that are set and known.
 */
export type PrimitiveKind =
  | { readonly kind: "string"; readonly check?: z.ZodType<string> }
  | { readonly kind: "number"; readonly check?: z.ZodType<number> }
  | { readonly kind: "bool" };

export interface ObjectKind<A extends Attributes = Attributes> {
  readonly kind: "object";
  readonly attributes: A;
}

/** Sets hold primitives only: write-only attributes cannot stand inside sets. */
export interface CollectionKind<E extends PrimitiveKind | ObjectKind = PrimitiveKind | ObjectKind> {
  readonly kind: "list" | "set" | "map";
  readonly element: E;
  readonly check?: z.ZodType;
  /** Of each key of a map. */
  readonly keys?: z.ZodType<string>;
}

export type Kind = PrimitiveKind | ObjectKind | CollectionKind;

/**
 * Who gives the value: the configuration (`required`, `optional`), the provider (`computed`), or the
 * configuration and, where it is silent, the provider (`optional_computed`).
 */
export type Mode = "required" | "optional" | "optional_computed" | "computed";

export interface Facets {
  /** Hidden in plans. The value still stands in state: secrets are `writeOnly`. */
  readonly sensitive?: true;
  /** Sent to the console, kept nowhere: null in every plan and state. */
  readonly writeOnly?: true;
  /** A change destroys the resource and creates it anew. */
  readonly requiresReplace?: true;
  /** Stands where the configuration has null; from the configuration alone, at any depth. */
  readonly default?: KnownValue;
  /** Keeps its value through updates, so that it does not become unknown in their plans. */
  readonly stable?: true;
  /**
   * Whether two texts mean the same, so that only their spelling differs, as of JSON: then the one
   * in state stays. At any depth, since a list's position says nothing about its meaning.
   */
  readonly equivalent?: (a: string, b: string) => boolean;
  /** What its changes mean to whoever reviews a plan. */
  readonly review?: Review;
  /** Computes the planned value; `UNKNOWN` where it cannot be told before apply. Pure. */
  readonly plan?: (context: AttributePlanContext) => Value;
}

export interface AttributePlanContext {
  /** The object that holds the attribute, as configured: here write-only values can be seen. */
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
export const object = <A extends Attributes>(attributes: A) =>
  ({ kind: "object", attributes }) as const;
export const list = <E extends PrimitiveKind | ObjectKind>(element: E, check?: z.ZodType) =>
  ({ kind: "list", element, ...(check && { check }) }) as const;
export const set = <E extends PrimitiveKind>(element: E, check?: z.ZodType) =>
  ({ kind: "set", element, ...(check && { check }) }) as const;
export const map = <E extends PrimitiveKind>(element: E, keys?: z.ZodType<string>) =>
  ({ kind: "map", element, ...(keys && { keys }) }) as const;

function attribute<K extends Kind, M extends Mode, F extends Facets>(
  mode: M,
  type: K,
  description: string,
  facets: F,
): Attribute<K, M> & F {
  return { type, mode, description, ...facets };
}

// The facets are inferred as literal types, so that `ConfigOf` and `StateOf` can read them.
export const required = <K extends Kind, const F extends Facets = Facets>(
  type: K,
  description: string,
  facets?: F,
) => attribute("required", type, description, (facets ?? {}) as F);

export const optional = <K extends Kind, const F extends Facets = Facets>(
  type: K,
  description: string,
  facets?: F,
) => attribute("optional", type, description, (facets ?? {}) as F);

export const optionalComputed = <K extends Kind, const F extends Facets = Facets>(
  type: K,
  description: string,
  facets?: F,
) => attribute("optional_computed", type, description, (facets ?? {}) as F);

export const computed = <K extends Kind, const F extends Facets = Facets>(
  type: K,
  description: string,
  facets?: F,
) => attribute("computed", type, description, (facets ?? {}) as F);
