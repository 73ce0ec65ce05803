import type { Diagnostic } from "../../core/diagnostics";
import type { Region } from "../../protection/compare";
import type { SignedWaiver } from "./signed-waiver";

/**
 * The result of judging plans, from the best to the worst. Only `passed` passes. `unknown`: it is not
 * proved that protection is kept. `failed`: some stack could not be planned.
 */
export const OUTCOMES = ["passed", "unknown", "weaker", "violated", "failed"] as const;
export type VerdictOutcome = (typeof OUTCOMES)[number];

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
  /** Empty if the policies are sensitive, or if the plan has none. No waiver contains their examples. */
  readonly regions: readonly Region[];
  /** Why nothing proves it, where that is not a region. */
  readonly unproved?: string | undefined;
}

/** A waiver of the contract, and what the plans need it for. */
export interface JudgedWaiver extends SignedWaiver {
  readonly place: string;
  /** `idle`: the plans do not show that it is superfluous. */
  readonly state: "used" | "unused" | "expired" | "idle";
}

/** The result of judging plans. All forms of a review render it, and none decides. */
export interface Verdict {
  readonly outcome: VerdictOutcome;
  readonly clauses: readonly ClauseResult[];
  readonly waivers: readonly JudgedWaiver[];
  /** The waivers by which weaker regions pass, by stack and `keyOfRegion`. */
  readonly waived: ReadonlyMap<string, ReadonlyMap<string, readonly SignedWaiver[]>>;
  /** The errors and warnings of the verdict, as the text has them. */
  readonly diagnostics: readonly Diagnostic[];
}

/** Equal for a region that was found again: what renders reviews is a file of dist, with its own ones. */
export function keyOfRegion({ change, certainty, checks, where }: Region): string {
  return JSON.stringify([change, certainty, checks, where]);
}

/** The worst of some outcomes. */
export function worstOutcome(outcomes: readonly VerdictOutcome[]): VerdictOutcome {
  const worst = Math.max(0, ...outcomes.map((outcome) => OUTCOMES.indexOf(outcome)));
  return OUTCOMES[worst] ?? "failed";
}

const TITLES: Readonly<Record<VerdictOutcome, string>> = {
  passed: "Passed",
  unknown: "Not proved",
  weaker: "Protection gets weaker",
  violated: "The contract is violated",
  failed: "Some stacks could not be planned",
};

/** `The contract is violated: 1 of 3 clauses is not met` */
export function describeVerdict({ outcome, clauses }: Verdict): string {
  const broken = clauses.filter(({ result }) => result !== "met").length;
  if (broken === 0) return TITLES[outcome];
  const verb = broken === 1 ? "is" : "are";
  return `${TITLES[outcome]}: ${broken} of ${clauses.length} ${clauses.length === 1 ? "clause" : "clauses"} of the contract ${verb} not met`;
}
