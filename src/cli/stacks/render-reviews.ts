import { documentText, verbatim, type Printable } from "../../core/printed";
import { version } from "../../../package.json";
import type { ReviewOrigin } from "../../review/html/page-header";
import { renderFailureHtml, renderHtml } from "../../review/html/render-html";
import { renderJunit } from "../../review/findings/render-junit";
import { renderSarif, type Locate } from "../../review/findings/render-sarif";
import { failureDocument, reviewDocument } from "../../review/json/review-json";
import type { ReviewDocument } from "../../review/json/review-schema";
import { renderFailureMarkdown, renderMarkdown } from "../../review/markdown/render-markdown";
import { gitCommit } from "../terminal/git-commit";
import type { Terminal } from "../terminal/terminal";
import { sourcePlaces } from "./source-places";
import { REVIEW_KINDS, type Planned, type ReviewOptions } from "./review-options";

export { statusHtml } from "../../review/status/status-html";

/** The texts of the reviews that the options name. */
export async function renderReviews(
  terminal: Terminal,
  planned: Planned,
  options: ReviewOptions,
): Promise<readonly { readonly file: string; readonly text: Printable }[]> {
  const origin = options.html === undefined ? undefined : await originOf(terminal);
  const render = {
    html: (one: Planned) =>
      documentText("failure" in one ? renderFailureHtml(one.failure) : renderHtml(one, origin)),
    markdown: (one: Planned) =>
      documentText("failure" in one ? renderFailureMarkdown(one.failure) : renderMarkdown(one)),
    reviewJson: (one: Planned) => verbatim(`${JSON.stringify(documentOf(one))}\n`),
    sarif: (one: Planned) =>
      verbatim(renderSarif(documentOf(one), placesOf(terminal, one), version)),
    junit: (one: Planned) => verbatim(renderJunit(documentOf(one), placesOf(terminal, one))),
  };
  return REVIEW_KINDS.flatMap((kind) => {
    const file = options[kind];
    return file === undefined ? [] : [{ file, text: render[kind](planned) }];
  });
}

function documentOf(planned: Planned): ReviewDocument {
  return "failure" in planned ? failureDocument(planned.failure) : reviewDocument(planned);
}

function placesOf({ directory }: Terminal, planned: Planned): Locate {
  return sourcePlaces(directory, "failure" in planned ? [] : planned.plans);
}

async function originOf(terminal: Terminal): Promise<ReviewOrigin> {
  return { createdAt: new Date(), version, commit: await gitCommit(terminal) };
}
