import { sumCounts } from "../../runtime/documents/stack-plan";
import type { StackReview } from "../overview";
import { formatCounts } from "../text/counts";
import { printable } from "../text/quote";
import type { PageIds } from "./stack-section";

interface SummarySectionProps {
  readonly reviews: readonly StackReview[];
  readonly ids: PageIds;
}

const COUNTS = ["Import", "Add", "Change", "Destroy", "Weakens", "Warnings"] as const;

/** The counts of each stack and its console, one row each. */
export function SummarySection({ reviews, ids }: SummarySectionProps) {
  return (
    <section aria-labelledby="summary">
      <h2 id="summary">Summary</h2>
      <p>Plan: {formatCounts(sumCounts(reviews.map(({ counts }) => counts)))}.</p>
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
            {reviews.map((review) => (
              <Row review={review} id={ids.stack(review)} />
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

function Row({ review, id }: { readonly review: StackReview; readonly id: string | undefined }) {
  const { stack, endpoints, counts, weakening, diagnostics } = review;
  const name = printable(stack);
  const numbers = [counts.import, counts.add, counts.change, counts.destroy];
  return (
    <tr>
      <th scope="row">{id === undefined ? name : <a href={`#${id}`}>{name}</a>}</th>
      <td>{endpoints.length === 0 ? "not known" : endpoints.map(printable).join(", ")}</td>
      {numbers.map((number) => (
        <td class="count">{number}</td>
      ))}
      <td class={weakening > 0 ? "count weakens" : "count"}>{weakening}</td>
      <td class="count">{diagnostics.length}</td>
    </tr>
  );
}
