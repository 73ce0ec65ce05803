import type { Diagnostic } from "../../provider/diagnostics";
import type { StackPlan } from "../../runtime";
import type { ExcludedStack } from "../../runtime/documents/excluded-stack";
import type { Terminal } from "../terminal/terminal";
import { prepareFile, writeTextFile } from "../terminal/write-file";

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

/** Makes the folders of the reviews, and returns an error for each that cannot be written. */
export async function prepareReviews(
  terminal: Terminal,
  options: ReviewOptions,
): Promise<readonly Diagnostic[]> {
  const checked = await Promise.all(
    reviewFiles(options).map((file) => prepareFile(terminal, file, "review")),
  );
  return checked.flat();
}

/** Result of planning: the plans and the stacks without one, or the diagnostics of a failure. */
export type Planned =
  | { readonly plans: readonly StackPlan[]; readonly excluded: readonly ExcludedStack[] }
  | { readonly failure: readonly Diagnostic[] };

/**
 * Writes the reviews that the options name, and returns errors. A failure is written too: otherwise
 * the review of an earlier run would pass for the current one.
 */
export async function writeReviews(
  terminal: Terminal,
  planned: Planned,
  options: ReviewOptions,
): Promise<readonly Diagnostic[]> {
  if (reviewFiles(options).length === 0) return [];
  const { renderReviews } = await import("./render-reviews.js");
  const reviews = await renderReviews(terminal, planned, options);
  const written = await Promise.all(
    reviews.map(({ file, text }) => writeTextFile(terminal, file, text, "review")),
  );
  return written.flat();
}
