import type { Attribute, Attributes, Kind, Mode } from "./attribute";
import type { KnownValue, ObjectValue, Unknown } from "../values";

/** The TypeScript type of a kind's values. */
export type ValueOf<K extends Kind> = K extends { kind: "string" }
  ? string
  : K extends { kind: "number" }
    ? number
    : K extends { kind: "bool" }
      ? boolean
      : K extends { kind: "any" }
        ? KnownValue
        : K extends { kind: "object"; attributes: infer A extends Attributes }
          ? StateOf<A>
          : K extends { kind: "list" | "set"; element: infer E extends Kind }
            ? readonly ValueOf<E>[]
            : K extends { kind: "map"; element: infer E extends Kind }
              ? Readonly<Record<string, ValueOf<E>>>
              : never;

/** The type of a wholly known configuration. */
export type ConfigOf<A extends Attributes> = {
  readonly [N in keyof A]: ConfigAttribute<A[N]>;
};

type ConfigAttribute<X extends Attribute> =
  X extends Attribute<infer K, infer M>
    ? M extends "required"
      ? ConfigValueOf<K>
      : M extends "computed"
        ? null
        : ConfigValueOf<K> | null
    : never;

type ConfigValueOf<K extends Kind> = K extends {
  kind: "object";
  attributes: infer A extends Attributes;
}
  ? ConfigOf<A>
  : K extends { kind: "list"; element: infer E extends Kind }
    ? readonly ConfigValueOf<E>[]
    : ValueOf<K>;

/** The type of a state: write-only attributes are null, defaults are filled in. */
export type StateOf<A extends Attributes> = {
  readonly [N in keyof A]: StateAttribute<A[N]>;
};

type StateAttribute<X extends Attribute> = X extends { writeOnly: true }
  ? null
  : X extends Attribute<infer K, infer M>
    ? IsSet<X, M> extends true
      ? ValueOf<K>
      : ValueOf<K> | null
    : never;

type IsSet<X extends Attribute, M extends Mode> = M extends "required" | "optional_computed"
  ? true
  : X extends { inPlaceOf: string }
    ? false
    : X extends { default: boolean | number | string | object }
      ? true
      : false;

/** The type of a plan at apply: a state whose computed attributes may be unknown. */
export type PlannedOf<A extends Attributes> = {
  readonly [N in keyof A]: A[N] extends { mode: "computed" | "optional_computed" }
    ? StateAttribute<A[N]> | Unknown
    : StateAttribute<A[N]>;
};

/*
 * The only casts from decoded objects to their types: engines decode objects by the attributes.
 */

export function stateOf<A extends Attributes>(_attributes: A, object: ObjectValue): StateOf<A> {
  return object as StateOf<A>;
}

export function configOf<A extends Attributes>(_attributes: A, object: ObjectValue): ConfigOf<A> {
  return object as ConfigOf<A>;
}
