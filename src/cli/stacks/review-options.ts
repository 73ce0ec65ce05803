import type { Diagnostic } from "../../core/diagnostics";
import type { StackPlan } from "../../runtime";
import type { SignedWaiver } from "../../review/protection/signed-waiver";
import type { ExcludedStack } from "../../core/documents/excluded-stack";

export interface ReviewOptions {
  /** Files to write. */
  readonly html?: string;
  readonly markdown?: string;
  readonly reviewJson?: string;
}

export const REVIEW_KINDS = ["html", "markdown", "reviewJson"] as const;

/** The files that the options name. */
export function reviewFiles(options: ReviewOptions): readonly string[] {
  return REVIEW_KINDS.flatMap((kind) => options[kind] ?? []);
}

/** Result of planning: the plans and the stacks without one, or the diagnostics of a failure. */
export type Planned =
  | {
      readonly plans: readonly StackPlan[];
      readonly excluded: readonly ExcludedStack[];
      readonly waivers?: readonly SignedWaiver[];
    }
  | { readonly failure: readonly Diagnostic[] };
