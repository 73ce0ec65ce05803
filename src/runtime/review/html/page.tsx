import { isEmptyReview, type StackReview } from "../overview";
import { Filters } from "./filters";
import { graphLayout } from "./graph-layout";
import { StackSection } from "./stack-section";
import { SummarySection } from "./summary-section";
import { WarningsSection } from "./warnings-section";

export interface PageProps {
  readonly reviews: readonly StackReview[];
  /** A text of ours, as it is. */
  readonly css: string;
  readonly script: string;
  readonly contentSecurityPolicy: string;
}

/** Graphs of more stacks would make the file larger than what it tells. */
const MOST_GRAPHS = 100;

/** The whole document. Nothing in it is loaded from anywhere. */
export function Page({ reviews, css, script, contentSecurityPolicy }: PageProps) {
  const eventful = reviews.filter((review) => !isEmptyReview(review) || reviews.length === 1);
  const ids = new Map(eventful.map((review, index) => [review, `stack-${index + 1}`]));
  const draw = eventful.length <= MOST_GRAPHS ? graphLayout() : undefined;
  const title = reviews.length === 1 ? "Plan" : `Plan of ${reviews.length} stacks`;
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta http-equiv="Content-Security-Policy" content={contentSecurityPolicy} />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="referrer" content="no-referrer" />
        <meta name="color-scheme" content="light dark" />
        <title>{title}</title>
        <style dangerouslySetInnerHTML={{ __html: css }} />
      </head>
      <body>
        <a class="skip" href="#changes">
          Skip to the changes
        </a>
        <header>
          <h1>{title}</h1>
        </header>
        <main>
          <WarningsSection reviews={eventful} />
          <SummarySection reviews={reviews} idOf={(review) => ids.get(review)} />
          <section aria-labelledby="changes">
            <h2 id="changes" tabIndex={-1}>
              Changes
            </h2>
            <Filters reviews={eventful} />
            {eventful.map((review) => (
              <StackSection review={review} id={ids.get(review) ?? ""} draw={draw} />
            ))}
            {draw === undefined && (
              <p class="note">Dependencies are drawn for up to {MOST_GRAPHS} stacks.</p>
            )}
          </section>
        </main>
        <footer>Made by cdktf-console.</footer>
        <script dangerouslySetInnerHTML={{ __html: script }} />
      </body>
    </html>
  );
}
