import { writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import { error, type Diagnostic } from "../../provider/diagnostics";
import { fileProblem } from "../../provider/file-problem";
import type { StackPlan } from "../../runtime";
import { renderFailureHtml, renderHtml } from "../../review/html/render-html";
import { renderFailureMarkdown, renderMarkdown } from "../../review/markdown/render-markdown";

export interface ReviewOptions {
  /** Files to write, from the folder of the command. */
  readonly html?: string;
  readonly markdown?: string;
}

/** What came of planning. */
export type Planned =
  | { readonly plans: readonly StackPlan[] }
  /** Why there are none. */
  | { readonly failure: readonly Diagnostic[] };

/**
 * Writes what came of planning in the forms that are asked for: a failure too, since a comment of an
 * earlier run would pass for what this one says. Gives what stands in the way.
 */
export async function writeReviews(
  directory: string,
  planned: Planned,
  { html, markdown }: ReviewOptions,
): Promise<readonly Diagnostic[]> {
  const failed = "failure" in planned;
  const written = await Promise.all([
    html === undefined
      ? []
      : write(
          resolve(directory, html),
          failed ? renderFailureHtml(planned.failure) : renderHtml(planned.plans),
        ),
    markdown === undefined
      ? []
      : write(
          resolve(directory, markdown),
          failed ? renderFailureMarkdown(planned.failure) : renderMarkdown(planned.plans),
        ),
  ]);
  return written.flat();
}

async function write(path: string, text: string): Promise<readonly Diagnostic[]> {
  try {
    await writeFile(path, text);
    return [];
  } catch (failure) {
    const problem = fileProblem(failure);
    if (!problem) throw failure;
    return [error("The review cannot be written", `${path}: ${problem.text}.`)];
  }
}
