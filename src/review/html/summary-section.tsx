import type { Review, StackRow } from "../groups/review";
import { isEmptyReview } from "../overview/overview";
import { formatCounts } from "../../formats/text/counts";
import { printable } from "../../core/printed";
import type { PageIds } from "./stack-section";

interface SummarySectionProps {
  readonly review: Review;
  readonly ids: PageIds;
}

const COUNTS = ["Import", "Add", "Change", "Destroy", "Weaker", "Warnings"] as const;

/** The counts of each stack and its console. Stacks without changes are folded. */
export function SummarySection({ review, ids }: SummarySectionProps) {
  const { rows, drift, counts } = review;
  const quiet = rows.length > 1 ? rows.filter(isQuiet) : [];
  const eventful = rows.filter((row) => !quiet.includes(row));
  return (
    <section aria-labelledby="summary">
      <h2 id="summary">Summary</h2>
      {drift !== undefined && (
        <p class="drifted">
          <strong>{drift}.</strong>
        </p>
      )}
      <p>Plan: {formatCounts(counts)}.</p>
      {eventful.length > 0 && <Table rows={eventful} ids={ids} label="Summary by console" />}
      {quiet.length > 0 && (
        <details class="quiet">
          <summary>
            {quiet.length} of {rows.length} stacks: no changes
          </summary>
          <Table rows={quiet} ids={ids} label="Stacks without changes" />
        </details>
      )}
    </section>
  );
}

function isQuiet({ groups }: StackRow): boolean {
  return groups.every(isEmptyReview);
}

interface TableProps {
  readonly rows: readonly StackRow[];
  readonly ids: PageIds;
  readonly label: string;
}

function Table({ rows, ids, label }: TableProps) {
  return (
    <div class="scroll table" role="region" aria-label={label} tabIndex={0}>
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
  );
}

/** With several groups, the one of the fewest stacks is linked: it has what is special to the stack. */
function Row({ row, ids }: { readonly row: StackRow; readonly ids: PageIds }) {
  const { stack, endpoints, counts, weaker, warnings, isBlind, groups } = row;
  const sections = groups.map((group) => ids.stack(group));
  const [id] = sections;
  const name = printable(stack);
  const numbers = [counts.import, counts.add, counts.change, counts.destroy];
  return (
    <tr class="stack" data-groups={sections.join(" ")} data-blind={isBlind ? "yes" : "no"}>
      <th scope="row">{id === undefined ? name : <a href={`#${id}`}>{name}</a>}</th>
      <td>{endpoints.length === 0 ? "not known" : endpoints.map(printable).join(", ")}</td>
      {numbers.map((number) => (
        <td class={number > 0 ? "count" : "count none"}>{number}</td>
      ))}
      <td class={weaker > 0 ? "count weakens" : "count none"}>{weaker}</td>
      <td class={warnings > 0 ? "count" : "count none"}>{warnings}</td>
    </tr>
  );
}
