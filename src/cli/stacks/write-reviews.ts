import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { Diagnostic } from "../../core/diagnostics";
import { printed } from "../../core/printed";
import { openFile } from "../terminal/open-file";
import type { Screen } from "../terminal/screen";
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

/** Adds a temporary page for `--open` alone, which only this user can read. */
export async function withPage<O extends ReviewOptions>(options: O): Promise<O> {
  if (!options.open || options.html !== undefined) return options;
  // A folder that cannot be made is reported with the file.
  const folder = await mkdtemp(join(tmpdir(), "cdktf-console-")).catch(tmpdir);
  return { ...options, html: join(folder, "plan.html") };
}

/** Writes the reviews and names their files, and opens the page. Returns false after an error. */
export async function publishReviews(
  screen: Screen,
  planned: Planned,
  options: ReviewOptions,
): Promise<boolean> {
  const { terminal } = screen;
  const { html, open } = options;
  if (screen.report(await writeReviews(terminal, planned, options))) return false;
  for (const file of reviewFiles(options)) screen.print(printed`\nWrote the review to ${file}\n`);
  if (!open || html === undefined) return true;
  if (!(await openFile(terminal, resolve(terminal.directory, html)))) {
    screen.print(printed`No program was found to open it.\n`);
  }
  return true;
}
