import type { Region } from "../../protection/compare";
import {
  worstOutcome,
  type ClauseResult,
  type JudgedWaiver,
  type VerdictOutcome,
  type Verdict,
} from "../../review/protection/verdict";
import type { Breach, Judgement, Weakening } from "./judge";
import type { BaselineClause, RequiredClause } from "./contract";

interface Judged {
  readonly judgement: Judgement;
  /** The weakenings that no option allows. */
  readonly open: readonly Weakening[];
  readonly waivers: readonly JudgedWaiver[];
  readonly diagnostics: Verdict["diagnostics"];
  /** True if some stack could not be planned. */
  readonly hasFailed: boolean;
}

/** Makes the verdict of what judging plans found. Possible weakening is `unknown`, not `weaker`. */
export function verdictOf({ judgement, open, waivers, diagnostics, hasFailed }: Judged): Verdict {
  const clauses = [...judgement.judged].map((clause) =>
    clauseResult(
      clause,
      judgement.breaches.filter((breach) => breach.clause === clause),
    ),
  );
  return {
    outcome: worstOutcome([
      ...(hasFailed ? (["failed"] as const) : []),
      ...clauses.map(({ result }): VerdictOutcome => (result === "met" ? "passed" : result)),
      ...open.map(outcomeOf),
    ]),
    clauses,
    waivers,
    waived: judgement.waived,
    diagnostics,
  };
}

function outcomeOf({ regions, review: { coverage } }: Weakening): VerdictOutcome {
  const covered = coverage.filter(({ change }) => change === "weaker");
  return isCertain([...regions.map(({ region }) => region), ...covered]) ? "weaker" : "unknown";
}

function clauseResult(
  clause: RequiredClause | BaselineClause,
  breaches: readonly Breach[],
): ClauseResult {
  const regions = breaches.flatMap((breach) => breach.regions.map(({ region }) => region));
  const broken = isCertain(regions) ? "violated" : "unknown";
  return {
    kind: "policies" in clause ? "baseline" : "requirement",
    name: clause.name,
    place: clause.place,
    result: breaches.length === 0 ? "met" : broken,
    breaches: breaches.map(({ stack, unproved, isHidden, ...breach }) => ({
      stack,
      unproved,
      regions: isHidden
        ? []
        : breach.regions.map(({ region, outside }) => ({
            ...region,
            example: outside ?? region.example,
          })),
    })),
  };
}

function isCertain(effects: readonly Pick<Region, "certainty">[]): boolean {
  return effects.some(({ certainty }) => certainty === "certain");
}
