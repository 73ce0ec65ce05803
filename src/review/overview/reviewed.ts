import type { ExcludedStack } from "../../core/documents/excluded-stack";
import type { StackPlan } from "../../core/documents/stack-plan";
import type { Verdict } from "../protection/verdict";

/** Plans with what judging them found: all that the forms of a review render. */
export interface Reviewed {
  readonly plans: readonly StackPlan[];
  /** Stacks that could not be planned. */
  readonly excluded?: readonly ExcludedStack[];
  /** Absent where nothing was judged, as for `show`. */
  readonly verdict?: Verdict;
}
