import { sumCounts } from "../../core/documents/stack-plan";
import type { PlansReview } from "../groups/review-groups";
import { sumProtection } from "../overview/overview";

/** A number that readers look for first. */
export interface Card {
  readonly label: string;
  readonly count: number;
  readonly tone?: "added" | "changed" | "removed" | "weaker" | "stronger";
}

/**
 * Counts over all stacks; those of rare things only where there are any.
 *
 * @param drifted The number of stacks with objects that were changed outside.
 * @param excluded The number of stacks without a plan.
 */
export function cardsOf(
  { reviews, rows }: PlansReview,
  drifted: number,
  excluded: number,
): readonly Card[] {
  const counts = sumCounts(rows.map((row) => row.counts));
  const { weaker, stronger } = sumProtection(reviews);
  const warnings = rows.reduce((total, row) => total + row.warnings, 0);
  const rare: readonly Card[] = [
    { label: "Import", count: counts.import },
    { label: "Drifted", count: drifted, tone: "weaker" },
    { label: "Not read", count: rows.filter(({ isBlind }) => isBlind).length, tone: "changed" },
    { label: "Excluded", count: excluded, tone: "weaker" },
    { label: "Warnings", count: warnings, tone: "changed" },
  ];
  return [
    ...runningCards(reviews),
    { label: "Weaker", count: weaker, tone: "weaker" },
    { label: "Stronger", count: stronger, tone: "stronger" },
    { label: "Add", count: counts.add, tone: "added" },
    { label: "Change", count: counts.change, tone: "changed" },
    { label: "Destroy", count: counts.destroy, tone: "removed" },
    ...(rows.length > 1 ? [{ label: "Stacks", count: rows.length }] : []),
    ...rare.filter(({ count }) => count > 0),
  ];
}

/** The running containers that lose protection, if they were read: first, because they are real. */
function runningCards(reviews: PlansReview["reviews"]): readonly Card[] {
  const read = reviews
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
  return [{ label: `Weaker of ${all.toLocaleString("en")} containers`, count, tone: "weaker" }];
}
