import type { Diagnostic } from "../../provider/diagnostics";
import { renderFailureHtml, renderHtml } from "../../review/html/render-html";
import { renderFailureMarkdown, renderMarkdown } from "../../review/markdown/render-markdown";
import { renderFailureJson, renderReviewJson } from "../../review/json/review-json";
import type { StackPlan } from "../../runtime";
import type { ExcludedStack } from "../../runtime/documents/excluded-stack";
import type { Terminal } from "../terminal/terminal";
import { writeTextFile } from "../terminal/write-file";

export interface ReviewOptions {
  /** Files to write. */
  readonly html?: string;
  readonly markdown?: string;
  readonly reviewJson?: string;
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
  { html, markdown, reviewJson }: ReviewOptions,
): Promise<readonly Diagnostic[]> {
  const write = async (file: string | undefined, render: (planned: Planned) => string) =>
    file === undefined ? [] : writeTextFile(terminal, file, render(planned), "review");
  const written = await Promise.all([
    write(html, (one) =>
      "failure" in one ? renderFailureHtml(one.failure) : renderHtml(one.plans, one.excluded),
    ),
    write(markdown, (one) =>
      "failure" in one ? renderFailureMarkdown(one.failure) : renderMarkdown(one.plans, one),
    ),
    write(reviewJson, (one) =>
      "failure" in one ? renderFailureJson(one.failure) : renderReviewJson(one.plans, one.excluded),
    ),
  ]);
  return written.flat();
}
