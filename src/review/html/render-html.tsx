import { createHash } from "node:crypto";
import type { ComponentChildren, VNode } from "preact";
import { render } from "preact-render-to-string";
import type { Diagnostic } from "../../provider/diagnostics";
import type { StackPlan } from "../../runtime/documents/stack-plan";
import { failureDiagnostics } from "../grouping";
import { isEmptyReview, reviewStack, type StackReview } from "../overview";
import { renderDiagnostic } from "../text/diagnostic-text";
import { printable } from "../text/quote";
import { FILE_TEXT } from "../text/style";
import { runInBrowser } from "./browser";
import { CSS } from "./css";
import { Filters } from "./filters";
import { graphLayout } from "./graph-layout";
import { pageIds, StackSection } from "./stack-section";
import { SummarySection } from "./summary-section";
import { WarningsSection } from "./warnings-section";

const SCRIPT = `(${runInBrowser.toString()})();`;

/** Allows only this style and this script, and nothing from elsewhere: names are text only. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${sha256(CSS)}'`,
  `script-src 'sha256-${sha256(SCRIPT)}'`,
  "base-uri 'none'",
  "form-action 'none'",
].join("; ");

/** Graphs of more stacks would make the file too large. */
const MOST_GRAPHS = 100;

/**
 * Renders plans as one self-contained HTML file for a browser. It needs no network and no script,
 * except for its filters. Sensitive values are not in it.
 */
export function renderHtml(plans: readonly StackPlan[]): string {
  const [first, ...others] = plans;
  const title =
    first && others.length === 0
      ? `Plan of ${printable(first.stack)}`
      : `Plan of ${plans.length} stacks`;
  return renderDocument(title, <Page title={title} reviews={plans.map(reviewStack)} />);
}

/** Renders the diagnostics of a run without a plan. */
export function renderFailureHtml(diagnostics: readonly Diagnostic[]): string {
  return renderDocument("Planning failed", <FailurePage diagnostics={diagnostics} />);
}

function renderDocument(title: string, content: VNode): string {
  return `<!doctype html>\n${render(<Document title={title}>{content}</Document>)}\n`;
}

interface DocumentProps {
  readonly title: string;
  readonly children: ComponentChildren;
}

function Document({ title, children }: DocumentProps) {
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta http-equiv="Content-Security-Policy" content={CONTENT_SECURITY_POLICY} />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="referrer" content="no-referrer" />
        <meta name="color-scheme" content="light dark" />
        <title>{title}</title>
        <style dangerouslySetInnerHTML={{ __html: CSS }} />
      </head>
      <body>
        {children}
        <footer>Made by cdktf-console.</footer>
        <script dangerouslySetInnerHTML={{ __html: SCRIPT }} />
      </body>
    </html>
  );
}

interface PageProps {
  readonly title: string;
  readonly reviews: readonly StackReview[];
}

function Page({ title, reviews }: PageProps) {
  const eventful = reviews.filter((review) => !isEmptyReview(review) || reviews.length === 1);
  const ids = pageIds(eventful);
  const draw = eventful.length <= MOST_GRAPHS ? graphLayout() : undefined;
  return (
    <>
      <a class="skip" href="#changes">
        Skip to the changes
      </a>
      <header>
        <h1>{title}</h1>
      </header>
      <main>
        <WarningsSection reviews={eventful} ids={ids} />
        <SummarySection reviews={reviews} ids={ids} />
        <section aria-labelledby="changes">
          <h2 id="changes" tabIndex={-1}>
            Changes
          </h2>
          <Filters reviews={eventful} />
          {eventful.map((review) => (
            <StackSection review={review} ids={ids} draw={draw} />
          ))}
          {draw === undefined && (
            <p class="note">Dependencies are drawn for up to {MOST_GRAPHS} stacks.</p>
          )}
        </section>
      </main>
    </>
  );
}

function FailurePage({ diagnostics }: { readonly diagnostics: readonly Diagnostic[] }) {
  return (
    <>
      <header>
        <h1>Planning failed</h1>
        <p>Nothing was changed, and nothing can be applied.</p>
      </header>
      <main>
        <section class="failure" aria-labelledby="problems">
          <h2 id="problems">Problems</h2>
          <ul>
            {failureDiagnostics(diagnostics).map((diagnostic) => (
              <li class={diagnostic.severity}>
                <pre>{renderDiagnostic(diagnostic, FILE_TEXT).trim()}</pre>
              </li>
            ))}
          </ul>
        </section>
      </main>
    </>
  );
}

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("base64");
}
