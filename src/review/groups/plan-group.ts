import { key } from "../../core/notes";
import type { StackPlan } from "../../core/documents/stack-plan";

/** Set if stacks of a group differ in entries that do not change, so that only the short form is true. */
export const SHORTENED = key<true>("shortened");

/** Parts of plans that the same stacks have. */
export interface PlanGroup {
  /** The plan of the first of the stacks, with these parts only. */
  readonly plan: StackPlan;
  /** The titles of the stacks, in their order. */
  readonly stacks: readonly string[];
  /** Outputs that change in each of the stacks, to values that differ. The plan has none of them. */
  readonly ownOutputs: readonly string[];
  /**
   * If the stacks change differently, with the same effect on protection: groups of those that change
   * alike. The plan is then that of the first, for its effect and its counts.
   */
  readonly variants: readonly PlanGroup[];
}
