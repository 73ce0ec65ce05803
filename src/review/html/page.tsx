import { isEmptyReview, type StackReview } from "../overview";
import { Filters } from "./filters";
import { graphLayout } from "./graph-layout";
import { pageIds } from "./page-ids";
import { StackSection } from "./stack-section";
import { SummarySection } from "./summary-section";
import { WarningsSection } from "./warnings-section";

export interface PageProps {
  readonly title: string;
  readonly reviews: readonly StackReview[];
}

/** Graphs of more stacks would make the file larger than what it tells. */
const MOST_GRAPHS = 100;

/** What a review of plans says. */
export function Page({ title, reviews }: PageProps) {
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
