import type { ExactNumber } from "../../provider/json";
import type { Primitive } from "../../provider/values";

/** What a state holds may be a number that only its digits tell exactly. */
export type Scalar = Primitive | ExactNumber;

/** What happens to a value. A replaced resource is told by its action, not by its values. */
export type Effect = "none" | "create" | "update" | "delete";

/** Two values compared, at any depth: what the renderers print. */
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
  /** `context`: the neighbours of a change are printed, since its place matters. */
  | {
      readonly kind: "list";
      readonly elements: readonly Difference[];
      readonly context: boolean;
    }
  | { readonly kind: "set"; readonly elements: readonly Difference[] }
  | {
      readonly kind: "sensitive";
      readonly inner: Effect;
      readonly before: boolean;
      readonly after: boolean;
    }
  | { readonly kind: "unknown"; readonly before: Difference | undefined }
  | { readonly kind: "write-only" }
  | { readonly kind: "type-change"; readonly before: Difference; readonly after: Difference };

/** The effect on a whole, from what is known so far and the effect on one more part. */
export function combineEffects(whole: Effect, part: Effect): Effect {
  if (part === "none" || part === whole) return whole;
  return "update";
}
