import type { Diagnostic } from "../../core/diagnostics";
import type { Terminal } from "../terminal/terminal";
import { prepareFile, writeTextFile } from "../terminal/write-file";
import { reviewFiles, type Planned, type ReviewOptions } from "./review-options";

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
  return reviews.flatMap(({ file, text }) => writeTextFile(terminal, file, text, "review"));
}
