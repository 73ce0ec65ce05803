import type { Printed } from "../../core/printed";
import type { ExactJsonNumber } from "../../core/json/lossless-json";
import type { Primitive, TypedNull } from "../../core/values";

/** A state may hold a number that only its digits represent exactly. */
export type Scalar = Exclude<Primitive, TypedNull> | ExactJsonNumber;

/** The effect of a change on a value. A replacement shows in the action of its resource only. */
export type Effect = "none" | "create" | "update" | "delete";

/** The comparison of two values, at any depth, which renderers print. */
export interface Difference {
  readonly effect: Effect;
  readonly forcesReplacement: boolean;
  readonly content: Content;
}

export type Content =
  | {
      readonly kind: "primitive";
      readonly before: Scalar | undefined;
      readonly after: Scalar | undefined;
    }
  /** `declared`: its members are attributes of a schema. */
  | {
      readonly kind: "object";
      readonly members: ReadonlyMap<string, Difference>;
      readonly declared: boolean;
    }
  | { readonly kind: "map"; readonly elements: ReadonlyMap<string, Difference> }
  /** A list or set. `context`: the neighbours of a change are printed, because order matters. */
  | {
      readonly kind: "list";
      readonly elements: readonly Difference[];
      readonly context: boolean;
    }
  | {
      readonly kind: "sensitive";
      readonly inner: Effect;
      readonly before: boolean;
      readonly after: boolean;
    }
  | { readonly kind: "unknown"; readonly before: Difference | undefined }
  | { readonly kind: "write-only" }
  /** A list that is shown by the names of its entries: its lines, at the level of its elements. */
  | { readonly kind: "entries"; readonly lines: readonly Printed[] }
  | { readonly kind: "type-change"; readonly before: Difference; readonly after: Difference };

/** Combines the effect on a whole with the effect on one of its parts. */
export function combineEffects(whole: Effect, part: Effect): Effect {
  if (part === "none" || part === whole) return whole;
  return "update";
}
