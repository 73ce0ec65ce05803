import type { Attributes } from "./attribute";
import type { ConfigOf, StateOf } from "./types";
import type { ObjectValue } from "../values";

/*
 * Engines hand over objects that they decoded by the schema's attributes. Here, and only here,
 * TypeScript is told so.
 */

export function stateOf<A extends Attributes>(_attributes: A, object: ObjectValue): StateOf<A> {
  return object as StateOf<A>;
}

export function configOf<A extends Attributes>(_attributes: A, object: ObjectValue): ConfigOf<A> {
  return object as ConfigOf<A>;
}
