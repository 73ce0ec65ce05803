import { version } from "../../../package.json";
import type { Diagnostic } from "../../provider/diagnostics";
import { renderFailureHtml, renderHtml } from "../../review/html/render-html";
import type { ReviewOrigin } from "../../review/html/page-header";
import { renderFailureMarkdown, renderMarkdown } from "../../review/markdown/render-markdown";
import { renderFailureJson, renderReviewJson } from "../../review/json/review-json";
import type { StackPlan } from "../../runtime";
import type { ExcludedStack } from "../../runtime/documents/excluded-stack";
import { gitCommit } from "../terminal/git-commit";
import type { Terminal } from "../terminal/terminal";
import { prepareFile, writeTextFile } from "../terminal/write-file";

export interface ReviewOptions {
  /** Files to write. */
  readonly html?: string;
  readonly markdown?: string;
  readonly reviewJson?: string;
}

const KINDS = ["html", "markdown", "reviewJson"] as const;

/** The files that the options name. */
export function reviewFiles(options: ReviewOptions): readonly string[] {
  return KINDS.flatMap((kind) => options[kind] ?? []);
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
  { html, markdown, reviewJson }: ReviewOptions,
): Promise<readonly Diagnostic[]> {
  const write = async (file: string | undefined, render: (planned: Planned) => string) =>
    file === undefined ? [] : writeTextFile(terminal, file, render(planned), "review");
  const origin = html === undefined ? undefined : await originOf(terminal);
  const written = await Promise.all([
    write(html, (one) =>
      "failure" in one
        ? renderFailureHtml(one.failure)
        : renderHtml(one.plans, one.excluded, origin),
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

async function originOf(terminal: Terminal): Promise<ReviewOrigin> {
  return { createdAt: new Date(), version, commit: await gitCommit(terminal) };
}
