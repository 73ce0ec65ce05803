import type { Diagnostic } from "../../core/diagnostics";
import type { Reviewed } from "../../review/groups/review";

export interface ReviewOptions {
  /** Files to write. */
  readonly html?: string;
  readonly markdown?: string;
  readonly reviewJson?: string;
  readonly sarif?: string;
  readonly junit?: string;
  /** Open the HTML page. */
  readonly open?: boolean;
}

export const REVIEW_KINDS = ["html", "markdown", "reviewJson", "sarif", "junit"] as const;

/** The files that the options name. */
export function reviewFiles(options: ReviewOptions): readonly string[] {
  return REVIEW_KINDS.flatMap((kind) => options[kind] ?? []);
}

/** Result of planning: the plans and the stacks without one, or the diagnostics of a failure. */
export type Planned = Reviewed | { readonly failure: readonly Diagnostic[] };
