import type { Diagnostic } from "../../core/diagnostics";
import type { StackPlan } from "../../core/documents/stack-plan";
import type { ExcludedStack } from "../../core/documents/excluded-stack";
import { ExclusionsSection } from "../exclusions/exclusions-section";
import { countDrift, describeDrift } from "../overview/drift";
import { failureDiagnostics } from "../../formats/text/consolidate";
import { reviewPlans, type PlansReview } from "../groups/review-groups";
import { isEmptyReview } from "../overview/overview";
import { renderDiagnostic } from "../../formats/text/diagnostic-text";
import { printable } from "../../core/printed";
import { stackTitle } from "../../formats/text/stack-title";
import { FILE_TEXT } from "../../formats/text/style";
import { runInBrowser } from "./browser";
import { CSS } from "./css";
import { renderDocument } from "./document";
import { Filters } from "./filters";
import { cardsOf, type Card } from "./cards";
import { PageHeader, type ReviewOrigin } from "./page-header";
import { pageIds, StackSection } from "./stack-section";
import { SummarySection } from "./summary-section";
import type { Reviewed } from "../overview/reviewed";
import type { Verdict } from "../protection/verdict";
import { VerdictSection } from "./verdict-section";
import { WarningsSection } from "./warnings-section";

const SCRIPT = `(${runInBrowser.toString()})();`;

/**
 * Renders plans as one self-contained HTML file for a browser. It needs no network and no script,
 * except for its filters. Sensitive values are not in it.
 */
export function renderHtml(
  { plans: given, excluded = [], verdict }: Reviewed,
  origin?: ReviewOrigin,
): string {
  const [first, ...others] = given;
  // The workspace of all stacks is in the title only.
  const isShared = others.every(({ workspace }) => workspace === first?.workspace);
  const plans = isShared ? given.map(withoutWorkspace) : given;
  const stack = first && others.length === 0 ? first.stack : `${given.length} stacks`;
  const title = `Plan of ${printable(stackTitle(first && isShared ? { ...first, stack } : { stack }))}`;
  const review = reviewPlans(plans);
  const page = (
    <Page
      title={title}
      review={review}
      drift={describeDrift(plans, plans.length)}
      excluded={excluded}
      origin={origin}
      verdict={verdict}
      cards={cardsOf(review, countDrift(plans).stacks, excluded.length)}
    />
  );
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
  readonly review: PlansReview;
  /** The headline of what was changed outside. */
  readonly drift: string | undefined;
  readonly excluded: readonly ExcludedStack[];
  readonly verdict: Verdict | undefined;
  readonly origin: ReviewOrigin | undefined;
  readonly cards: readonly Card[];
}

function Page({ title, review, drift, excluded, verdict, origin, cards }: PageProps) {
  const { reviews, rows } = review;
  const eventful = reviews.filter((review) => !isEmptyReview(review) || rows.length === 1);
  const ids = pageIds(eventful);
  // Rows of alike stacks must not come before what is special to some.
  const summary = <SummarySection rows={rows} drift={drift} ids={ids} />;
  return (
    <>
      <a class="skip" href="#changes">
        Skip to the changes
      </a>
      <PageHeader
        title={title}
        consoles={[...new Set(rows.flatMap(({ endpoints }) => endpoints))]}
        origin={origin}
        cards={cards}
      />
      <main>
        <ExclusionsSection excluded={excluded} total={rows.length + excluded.length} />
        {verdict && <VerdictSection verdict={verdict} />}
        <WarningsSection reviews={eventful} ids={ids} />
        {eventful.length > 0 && (
          <Filters reviews={eventful} hasBlind={rows.some((row) => row.isBlind)} ids={ids} />
        )}
        {rows.length === 1 && drift !== undefined && summary}
        <section aria-labelledby="changes">
          <h2 id="changes" tabIndex={-1}>
            Changes
          </h2>
          {eventful.length === 0 && <p>No changes.</p>}
          {eventful.map((review, index) => (
            <StackSection review={review} ids={ids} isFirst={index === 0} />
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
