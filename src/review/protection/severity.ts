import type { Region } from "../../protection/compare";
import type { ProtectionReview } from "./review-protection";

/** The weight of an effect: the lowest is the worst. */
export type Severity = number;

/** The severity of what does not get weaker. */
export const NOT_WEAKER: Severity = 6;

const CERTAINTIES: readonly Region["certainty"][] = ["certain", "possible", "unknown"];

type Effect = Pick<Region, "change" | "certainty"> & Partial<Pick<Region, "checks">>;

/** True if a check that blocks no longer does, or if the checks that get weaker are not known. */
export function losesBlock({ change, checks }: Effect): boolean {
  if (change !== "weaker" || checks === undefined) return false;
  return checks.length === 0 || checks.some(({ before }) => before === "blocks");
}

/** A lost block is worse than a lost alert; of either, what is certain is worse. */
export function severityOf(effect: Effect): Severity {
  if (effect.change !== "weaker") return NOT_WEAKER;
  return (losesBlock(effect) ? 0 : CERTAINTIES.length) + CERTAINTIES.indexOf(effect.certainty);
}

/** The worst severity of some effects. */
export function worstOf(reviews: readonly ProtectionReview[]): Severity {
  const effects = reviews.flatMap(({ regions, coverage }) => [...regions, ...coverage]);
  return effects.reduce((worst, effect) => Math.min(worst, severityOf(effect)), NOT_WEAKER);
}

/** Sorts reviews with the worst effects first. Stable. */
export function worstFirst(reviews: readonly ProtectionReview[]): readonly ProtectionReview[] {
  return [...reviews].sort((one, other) => worstOf([one]) - worstOf([other]));
}

/** Something with the numbers by which a review orders it. */
export interface Ranked {
  readonly severity: Severity;
  /** Running containers that lose a check; 0 if they were not read. */
  readonly running: number;
  readonly stacks: number;
}

/** Sorts the worst first: by effect and certainty, then running containers, then stacks. Stable. */
export function byRank(one: Ranked, other: Ranked): number {
  return one.severity - other.severity || other.running - one.running || other.stacks - one.stacks;
}

/** The number of running containers that lose a check. */
export function runningWeaker({ live }: Pick<ProtectionReview, "live">): number {
  const weaker = live?.counts?.changes.filter(({ change }) => change === "weaker") ?? [];
  return weaker.reduce((most, { running }) => Math.max(most, running), 0);
}

/** Weakened stacks that a list leaves out. */
interface Hidden {
  readonly loses: boolean;
  readonly names: readonly string[];
}

/** `12 more in 61 stacks, 3 lose a block` */
export function describeHiddenStacks(hidden: readonly Hidden[]): string {
  const stacks = new Set(hidden.flatMap(({ names }) => names)).size;
  const losing = hidden.filter(({ loses }) => loses).length;
  return `${hidden.length} more in ${stacks} ${stacks === 1 ? "stack" : "stacks"}, ${losing === 0 ? "none" : losing} ${losing > 1 ? "lose" : "loses"} a block`;
}

/** `and 3 more, none weaker`, or the numbers of what a cut hides. Undefined if it hides nothing. */
export function describeHidden(hidden: readonly Effect[]): string | undefined {
  if (hidden.length === 0) return undefined;
  const weaker = hidden.filter(({ change }) => change === "weaker");
  const blocks = weaker.filter(losesBlock).length;
  const what =
    weaker.length === 0
      ? "none weaker"
      : blocks === 0
        ? `${weaker.length} weaker, none loses a block`
        : `${weaker.length} weaker, ${blocks} ${blocks === 1 ? "loses" : "lose"} a block`;
  return `and ${hidden.length} more, ${what}`;
}
