import { formatMinute } from "../../formats/text/time-text";
import { printable } from "../../core/printed";
import { countStacks } from "../exclusions/group-exclusions";
import type { Review } from "../groups/review";

/** When, by what and from what a review was made. */
export interface ReviewOrigin {
  readonly createdAt: Date;
  /** The version of this program. */
  readonly version: string;
  /** The abbreviated git commit of the working folder; undefined outside of a repository. */
  readonly commit: string | undefined;
}

interface PageHeaderProps {
  readonly title: string;
  readonly review: Review;
  readonly origin: ReviewOrigin | undefined;
}

export function PageHeader({ title, review, origin }: PageHeaderProps) {
  const consoles = [...new Set(review.rows.flatMap(({ endpoints }) => endpoints))];
  return (
    <header class="page">
      <h1>{title}</h1>
      <ul class="facts">
        {consoles.length > 0 && (
          <li>
            {consoles.length === 1
              ? `Console ${printable(consoles[0] ?? "")}`
              : `${consoles.length.toLocaleString("en")} consoles`}
          </li>
        )}
        {origin && (
          <>
            <li>
              <time dateTime={origin.createdAt.toISOString()}>
                {formatMinute(origin.createdAt.toISOString())}
              </time>
            </li>
            {origin.commit !== undefined && (
              <li>
                Commit <code>{origin.commit}</code>
              </li>
            )}
            <li>cdktf-console {origin.version}</li>
          </>
        )}
      </ul>
      <dl class="cards">
        {cardsOf(review).map(([label, count, tone]) => (
          <div class={count > 0 ? `card ${tone}` : "card none"}>
            <dt>{label}</dt>
            <dd>{count.toLocaleString("en")}</dd>
          </div>
        ))}
      </dl>
    </header>
  );
}

/** A number that readers look for first. */
type Card = readonly [label: string, count: number, tone: string];

/** Counts over all stacks; those of rare things only where there are any. */
function cardsOf(review: Review): readonly Card[] {
  const { rows, counts } = review;
  const rare: readonly Card[] = [
    ["Import", counts.import, ""],
    ["Drifted", review.drifted, "weaker"],
    ["Not read", rows.filter(({ isBlind }) => isBlind).length, "changed"],
    ["Excluded", countStacks(review.excluded), "weaker"],
    ["Warnings", rows.reduce((total, row) => total + row.warnings, 0), "changed"],
  ];
  return [
    ...runningCards(review),
    ["Weaker", review.weaker, "weaker"],
    ["Stronger", review.stronger, "stronger"],
    ["Add", counts.add, "added"],
    ["Change", counts.change, "changed"],
    ["Destroy", counts.destroy, "removed"],
    ...(rows.length > 1 ? [["Stacks", rows.length, ""] as const] : []),
    ...rare.filter(([, count]) => count > 0),
  ];
}

/** The running containers that lose protection, if they were read: first, because they are real. */
function runningCards({ groups }: Review): readonly Card[] {
  const read = groups
    .flatMap(({ changes }) => changes)
    .flatMap(({ protection }) => {
      const counts = protection?.live?.counts;
      return protection && counts ? [{ regions: protection.regions, counts }] : [];
    });
  if (read.length === 0) return [];
  const weaker = read.flatMap(({ regions, counts }) =>
    regions.map(({ change }, at) => (change === "weaker" ? (counts.regions[at]?.running ?? 0) : 0)),
  );
  const all = read.reduce((sum, { counts }) => sum + counts.running, 0);
  const count = weaker.reduce((sum, running) => sum + running, 0);
  return [[`Weaker of ${all.toLocaleString("en")} containers`, count, "weaker"]];
}
