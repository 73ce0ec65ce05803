import type { Diagnostic } from "../../core/diagnostics";
import type { StackPlan } from "../../core/documents/stack-plan";
import { failureDiagnostics } from "../../formats/text/consolidate";
import { reviewPlans, type Review, type Reviewed } from "../groups/review";
import { printable } from "../../core/printed";
import { stackTitle } from "../../formats/text/stack-title";
import { runInBrowser } from "./browser";
import { CSS } from "./css";
import { Diagnostics } from "./diagnostics";
import { renderDocument } from "./document";
import { Filters } from "./filters";
import { PageHeader, type ReviewOrigin } from "./page-header";
import { pageIds, StackSection } from "./stack-section";
import { SummarySection } from "./summary-section";
import { ExcludedSection, VerdictSection } from "./verdict-section";
import { WarningsSection } from "./warnings-section";

const SCRIPT = `(${runInBrowser.toString()})();`;

/**
 * Renders plans as one self-contained HTML file for a browser. It needs no network and no script,
 * except for its filters. Sensitive values are not in it.
 */
export function renderHtml({ plans: given, ...judged }: Reviewed, origin?: ReviewOrigin): string {
  const [first, ...others] = given;
  // The workspace of all stacks is in the title only.
  const isShared = others.every(({ workspace }) => workspace === first?.workspace);
  const plans = isShared ? given.map(withoutWorkspace) : given;
  const stack = first && others.length === 0 ? first.stack : `${given.length} stacks`;
  const title = `Plan of ${printable(stackTitle(first && isShared ? { ...first, stack } : { stack }))}`;
  const page = <Page title={title} review={reviewPlans({ plans, ...judged })} origin={origin} />;
  return renderDocument({ title, css: CSS, script: SCRIPT, children: page });
}

function withoutWorkspace(plan: StackPlan): StackPlan {
  const bare = { ...plan };
  delete bare.workspace;
  return bare;
}

/** Renders the diagnostics of a run without a plan. */
export function renderFailureHtml(diagnostics: readonly Diagnostic[]): string {
  const page = <FailurePage diagnostics={diagnostics} />;
  return renderDocument({ title: "Planning failed", css: CSS, script: SCRIPT, children: page });
}

interface PageProps {
  readonly title: string;
  readonly review: Review;
  readonly origin: ReviewOrigin | undefined;
}

function Page({ title, review, origin }: PageProps) {
  const { groups, rows, drift } = review;
  const ids = pageIds(groups);
  // Rows of alike stacks must not come before what is special to some.
  const summary = <SummarySection review={review} ids={ids} />;
  return (
    <>
      <a class="skip" href="#changes">
        Skip to the changes
      </a>
      <PageHeader title={title} review={review} origin={origin} />
      <main>
        <ExcludedSection review={review} />
        <VerdictSection verdict={review.verdict} />
        <WarningsSection review={review} ids={ids} />
        {groups.length > 0 && <Filters review={review} ids={ids} />}
        {rows.length === 1 && drift !== undefined && summary}
        <section aria-labelledby="changes">
          <h2 id="changes" tabIndex={-1}>
            Changes
          </h2>
          {groups.length === 0 && <p>No changes.</p>}
          {groups.map((group, index) => (
            <StackSection review={group} ids={ids} isFirst={index === 0} />
          ))}
        </section>
        {rows.length !== 1 && summary}
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
          <Diagnostics diagnostics={failureDiagnostics(diagnostics)} />
        </section>
      </main>
    </>
  );
}
