import type { Region } from "../../protection/compare";
import type { Violation } from "../../protection/contract";
import type { Workload } from "../../protection/policy";
import type { CheckTitles } from "./check-titles";
import type { ProtectionReview } from "./review-protection";

/**
 * The result of judging plans, from the best to the worst. Only `passed` passes. `unknown`: it is not
 * proved that protection is kept. `failed`: some stack could not be planned.
 */
export const OUTCOMES = ["passed", "unknown", "weaker", "violated", "failed"] as const;
export type VerdictOutcome = (typeof OUTCOMES)[number];

/** A region that no waiver contains, with a workload outside of the waivers where one is known. */
export interface OpenRegion extends Violation {
  readonly outside: Workload | null;
}

/** A clause of the contract, with what the plans that it concerns do not keep. */
export interface ClauseResult {
  readonly kind: "requirement" | "baseline";
  readonly name: string;
  /** `protection.yaml:4` */
  readonly place: string;
  /** `unknown`: nothing proves that it is kept. */
  readonly result: "met" | "violated" | "unknown";
  readonly breaches: readonly ClauseBreach[];
}

/** A stack that does not keep a clause. */
export interface ClauseBreach {
  readonly stack: string;
  readonly regions: readonly OpenRegion[];
  /** Why nothing proves it, where that is not a region. */
  readonly unproved: string | undefined;
  /** Names, patterns and checks are sensitive. */
  readonly isHidden: boolean;
}

/** A change that weakens protection, as far as no waiver contains it. */
export interface Weakening {
  readonly stack: string;
  readonly review: ProtectionReview;
  /** Empty where only entries of lists without checks cover less. */
  readonly regions: readonly OpenRegion[];
}

/** A waiver of the contract by which plans pass. */
export interface SignedWaiver {
  readonly owner: string;
  readonly reason: string;
  /** The last day, in UTC: `2027-03-01`. */
  readonly expires: string;
}

/** A waiver of the contract, and what the plans need it for. */
export interface JudgedWaiver extends SignedWaiver {
  readonly place: string;
  /** `idle`: the plans do not show that it is superfluous. */
  readonly state: "used" | "unused" | "expired" | "idle";
}

/** The waivers by which weaker regions of a stack pass, by `keyOfRegion`. */
export type WaivedRegions = ReadonlyMap<string, readonly SignedWaiver[]>;

/** The result of judging plans. All forms of a review render it, and none decides. */
export interface Verdict {
  readonly outcome: VerdictOutcome;
  readonly clauses: readonly ClauseResult[];
  /** The weakenings that no option allows. */
  readonly open: readonly Weakening[];
  /** They are errors, as with `--fail-on weaker`. */
  readonly failsOnWeaker: boolean;
  readonly waivers: readonly JudgedWaiver[];
  /** By stack. */
  readonly waived: ReadonlyMap<string, WaivedRegions>;
  readonly titles: CheckTitles;
}

/** Equal for a region that was found again: what renders reviews is a file of dist, with its own ones. */
export function keyOfRegion({ change, certainty, checks, where }: Region): string {
  return JSON.stringify([change, certainty, checks, where]);
}

/** The worst outcome of clauses and weakenings. Possible weakening is `unknown`, not `weaker`. */
export function worstOutcome(
  clauses: readonly ClauseResult[],
  open: readonly Weakening[],
  hasFailed: boolean,
): VerdictOutcome {
  const outcomes: readonly VerdictOutcome[] = [
    ...(hasFailed ? (["failed"] as const) : []),
    ...clauses.flatMap(({ result }) => (result === "met" ? [] : result)),
    ...open.map(({ regions, review }) => {
      const covered = review.coverage.filter(({ change }) => change === "weaker");
      const effects = [...regions.map(({ region }) => region), ...covered];
      return effects.some(({ certainty }) => certainty === "certain") ? "weaker" : "unknown";
    }),
  ];
  return OUTCOMES.findLast((outcome) => outcomes.includes(outcome)) ?? "passed";
}
