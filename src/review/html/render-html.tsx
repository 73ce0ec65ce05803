import { createHash } from "node:crypto";
import type { ComponentChildren, VNode } from "preact";
import { render } from "preact-render-to-string";
import type { Diagnostic } from "../../provider/diagnostics";
import { sumCounts, type StackPlan } from "../../runtime/documents/stack-plan";
import type { ExcludedStack } from "../../runtime/documents/excluded-stack";
import { ExclusionsSection } from "../exclusions/exclusions-section";
import { describeDrift } from "../drift";
import { failureDiagnostics } from "../grouping";
import { reviewPlans, type PlansReview, type StackRow } from "../groups/review-groups";
import { changeWord, isEmptyReview, type StackReview } from "../overview";
import { renderDiagnostic } from "../text/diagnostic-text";
import { printable } from "../text/quote";
import { stackTitle } from "../text/stack-title";
import { FILE_TEXT } from "../text/style";
import { runInBrowser } from "./browser";
import { CSS } from "./css";
import { graphLayout } from "./graph-layout";
import { pageIds, StackSection, type PageIds } from "./stack-section";
import { WarningsSection } from "./warnings-section";
import { formatCounts } from "../text/counts";

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
export function renderHtml(
  plans: readonly StackPlan[],
  excluded: readonly ExcludedStack[] = [],
): string {
  const [first, ...others] = plans;
  const title =
    first && others.length === 0
      ? `Plan of ${printable(stackTitle(first))}`
      : `Plan of ${plans.length} stacks`;
  const page = (
    <Page
      title={title}
      review={reviewPlans(plans)}
      drift={describeDrift(plans, plans.length)}
      excluded={excluded}
    />
  );
  return renderDocument(title, page);
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
  readonly review: PlansReview;
  /** The headline of what was changed outside. */
  readonly drift: string | undefined;
  readonly excluded: readonly ExcludedStack[];
}

function Page({ title, review: { reviews, rows }, drift, excluded }: PageProps) {
  const eventful = reviews.filter((review) => !isEmptyReview(review) || rows.length === 1);
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
        <ExclusionsSection excluded={excluded} total={rows.length + excluded.length} />
        <WarningsSection reviews={eventful} ids={ids} />
        <SummarySection rows={rows} drift={drift} ids={ids} />
        <section aria-labelledby="changes">
          <h2 id="changes" tabIndex={-1}>
            Changes
          </h2>
          <Filters reviews={eventful} ids={ids} />
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

interface SummarySectionProps {
  readonly rows: readonly StackRow[];
  readonly drift: string | undefined;
  readonly ids: PageIds;
}

const COUNTS = ["Import", "Add", "Change", "Destroy", "Weaker", "Warnings"] as const;

/** The counts of each stack and its console, one row each. */
function SummarySection({ rows, drift, ids }: SummarySectionProps) {
  return (
    <section aria-labelledby="summary">
      <h2 id="summary">Summary</h2>
      {drift !== undefined && (
        <p>
          <strong>{drift}.</strong>
        </p>
      )}
      <p>Plan: {formatCounts(sumCounts(rows.map(({ counts }) => counts)))}.</p>
      <div class="scroll" role="region" aria-label="Summary by console" tabIndex={0}>
        <table>
          <thead>
            <tr>
              <th scope="col">Stack</th>
              <th scope="col">Console</th>
              {COUNTS.map((name) => (
                <th scope="col" class="count">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <Row row={row} ids={ids} />
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

/** With several reviews, the one of the fewest stacks is linked: it has what is special to the stack. */
function Row({ row, ids }: { readonly row: StackRow; readonly ids: PageIds }) {
  const { stack, endpoints, counts, weaker, warnings, reviews } = row;
  const sections = reviews.flatMap((review) => ids.stack(review) ?? []);
  const [id] = sections;
  const name = printable(stack);
  const numbers = [counts.import, counts.add, counts.change, counts.destroy];
  return (
    <tr class="stack" data-groups={sections.join(" ")}>
      <th scope="row">{id === undefined ? name : <a href={`#${id}`}>{name}</a>}</th>
      <td>{endpoints.length === 0 ? "not known" : endpoints.map(printable).join(", ")}</td>
      {numbers.map((number) => (
        <td class="count">{number}</td>
      ))}
      <td class={weaker > 0 ? "count weakens" : "count"}>{weaker}</td>
      <td class="count">{warnings}</td>
    </tr>
  );
}

interface FiltersProps {
  readonly reviews: readonly StackReview[];
  readonly ids: PageIds;
}

/** The form that `browser.ts` shows and handles; without scripts it is hidden. */
function Filters({ reviews, ids }: FiltersProps) {
  const changes = reviews.flatMap((review) => review.changes);
  const actions = [...new Set(changes.map(({ change }) => changeWord(change)))].sort();
  const consoles = [...new Set(reviews.flatMap(({ endpoints }) => endpoints))].sort();
  return (
    <form id="filters" role="search" aria-label="Filter the changes" hidden>
      <p>
        <label for="search">Search</label>
        <input id="search" type="search" autocomplete="off" spellcheck={false} />
      </p>
      <p>
        <label for="action">Action</label>
        <select id="action">
          <option value="">all</option>
          {actions.map((action) => (
            <option value={action}>{action}</option>
          ))}
          {reviews.some(({ drift }) => drift.length > 0) && (
            <option value="drift">changed outside</option>
          )}
        </select>
      </p>
      {reviews.length > 1 && (
        <p>
          <label for="group">Stacks</label>
          <select id="group">
            <option value="">all</option>
            {reviews.map((review) => (
              <option value={ids.stack(review)}>
                {review.stacks.length > 1 ? `${review.stacks.length}: ` : ""}
                {printable(review.stack)}
              </option>
            ))}
          </select>
        </p>
      )}
      {consoles.length > 1 && (
        <p>
          <label for="console">Console</label>
          <select id="console">
            <option value="">all</option>
            {consoles.map((address) => (
              <option value={address}>{printable(address)}</option>
            ))}
          </select>
        </p>
      )}
      <p>
        <input id="weakens" type="checkbox" />
        <label for="weakens">Only what weakens protection</label>
      </p>
      <p>
        <button id="expand" type="button">
          Expand all
        </button>
        <button id="collapse" type="button">
          Collapse all
        </button>
      </p>
      <p id="shown" role="status" />
    </form>
  );
}
