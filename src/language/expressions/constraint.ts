import type { Type } from "../../core/types";
import type { Value } from "../../core/values";

/** A type constraint: a type of which attributes can be optional. */
export type Constraint = Type<ConstraintAttribute>;

export interface ConstraintAttribute {
  readonly type: Constraint;
  readonly optional?: boolean;
  /** The value of an optional attribute that is absent or null; null by default. */
  readonly default?: Value;
}
