import type { Value } from "../../provider/values";

/** A Terraform type constraint. `any` takes every value as it is. */
export type Type =
  | { readonly kind: "any" | "string" | "number" | "bool" }
  | { readonly kind: "list" | "set" | "map"; readonly element: Type }
  | { readonly kind: "tuple"; readonly elements: readonly Type[] }
  | { readonly kind: "object"; readonly attributes: { readonly [name: string]: AttributeType } };

export interface AttributeType {
  readonly type: Type;
  readonly optional?: boolean;
  /** What an optional attribute is where it is absent or null; null without one. */
  readonly default?: Value;
}
