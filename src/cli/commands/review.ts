import { writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import { error, type Diagnostic } from "../../provider/diagnostics";
import { fileProblem } from "../../provider/file-problem";
import type { StackPlan } from "../../runtime";
import { renderHtml } from "../../runtime/review/html/render-html";
import { renderMarkdown } from "../../runtime/review/markdown/render-markdown";

export interface ReviewOptions {
  /** Files to write, from the folder of the command. */
  readonly html?: string;
  readonly markdown?: string;
}

/** Writes the plans in the forms that are asked for; gives what stands in the way. */
export async function writeReviews(
  directory: string,
  plans: readonly StackPlan[],
  { html, markdown }: ReviewOptions,
): Promise<readonly Diagnostic[]> {
  const written = await Promise.all([
    html === undefined ? [] : write(resolve(directory, html), renderHtml(plans)),
    markdown === undefined ? [] : write(resolve(directory, markdown), renderMarkdown(plans)),
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
