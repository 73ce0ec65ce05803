import { shortfalls, violations, type Violation } from "../../protection/contract";
import type { Policy } from "../../protection/policy";
import { waive } from "../../protection/waiver";
import {
  plannedPolicies,
  POLICIES,
  reviewProtection,
  type ProtectionReview,
} from "../../review/protection/review-protection";
import {
  keyOfRegion,
  type ClauseBreach,
  type ClauseResult,
  type OpenRegion,
  type Weakening,
} from "../../review/protection/verdict";
import type { StackPlan } from "../../runtime";
import type { StackLabels } from "../../fleet/selection/labels";
import { concerns, type Clause, type Contract, type WaiverClause } from "./contract";

export interface Judgement {
  /** The clauses that concern a plan. */
  readonly clauses: readonly ClauseResult[];
  readonly weakenings: readonly Weakening[];
  readonly used: ReadonlySet<WaiverClause>;
  /** The waivers that contain weaker regions, by stack. */
  readonly waived: ReadonlyMap<string, Waived>;
}

/** By `keyOfRegion`. */
type Waived = ReadonlyMap<string, readonly WaiverClause[]>;

/** The regions that no waiver contains, and the waivers that contain the others. */
interface Opened {
  readonly regions: readonly OpenRegion[];
  readonly waived: Waived;
}

interface JudgeOptions {
  /** Regions that are not certain pass. */
  readonly allowUnknown: boolean;
  /** Undefined: the labels of the stack are not known. */
  readonly labelsOf: (stack: string) => StackLabels | undefined;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** A clause while plans are judged. */
interface Judging extends Clause, Pick<ClauseResult, "kind" | "name"> {
  readonly find: (after: readonly Policy[]) => readonly Violation[];
  readonly breaches: ClauseBreach[];
  concerned: boolean;
}

/** Judges plans by a contract. Stacks with equal policies are judged once. */
export function judge(
  plans: readonly StackPlan[],
  contract: Contract,
  { allowUnknown, labelsOf, now }: JudgeOptions,
): Judgement {
  const all = clausesOf(contract);
  const waived = new Map<string, Waived>();
  const valid = contract.waivers.filter((waiver) => !isExpired(waiver, now));
  const openings = new Openings(valid, allowUnknown);
  const keysOfRegions = new Map<ProtectionReview["regions"], string>();
  const weakenings: Weakening[] = [];
  for (const plan of plans) {
    const { stack, mode } = plan;
    const isJudged = mode === "normal" || mode === "rollback";
    const labels = labelsOf(stack);
    const waivers = valid.filter((waiver) => concerns(waiver, stack, labels, false));
    const clauses = all.filter((clause) => isJudged && concerns(clause, stack, labels, true));
    const sets = clauses.length > 0 ? policySets(plan) : [];
    for (const clause of clauses) {
      clause.concerned = true;
      // A rollback plans nothing else than what it puts back.
      if (sets.length === 0 && !allowUnknown && mode === "normal") {
        const unproved = "The plan has no compliance policies of a console.";
        clause.breaches.push({ stack, regions: [], unproved, isHidden: false });
      }
      for (const { after, text, isHidden } of sets) {
        const key = `clause ${all.indexOf(clause)} ${text}`;
        const { regions } = openings.open(key, waivers, () => clause.find(after));
        // Policies that the plan does not have are unknown ones in their place.
        if (regions.length === 0) continue;
        clause.breaches.push({ stack, regions, unproved: undefined, isHidden });
      }
    }
    for (const review of reviewProtection(plan).values()) {
      const weaker = review.regions.filter(({ change }) => change === "weaker");
      const isCovered = review.coverage.every(
        ({ change, certainty }) => change !== "weaker" || (allowUnknown && certainty !== "certain"),
      );
      // Stacks that change alike share their regions.
      const key = keysOfRegions.get(review.regions) ?? `weaker ${keysOfRegions.size}`;
      keysOfRegions.set(review.regions, key);
      const opened = openings.open(key, waivers, () =>
        weaker.map((region) => ({ region, enough: null })),
      );
      const { regions } = opened;
      if (opened.waived.size > 0) {
        waived.set(stack, new Map([...(waived.get(stack) ?? []), ...opened.waived]));
      }
      if (regions.length > 0 || !isCovered) weakenings.push({ stack, review, regions });
    }
  }
  const judged = all.filter(({ concerned }) => concerned);
  return { clauses: judged.map(resultOf), weakenings, used: openings.used, waived };
}

function clausesOf({ requirements, baselines }: Contract): readonly Judging[] {
  const open = () => ({ breaches: [], concerned: false });
  return [
    ...requirements.map((clause) => ({
      ...{ ...clause, ...open(), kind: "requirement" as const },
      find: (after: readonly Policy[]) => violations(after, clause),
    })),
    ...baselines.map((clause) => ({
      ...{ ...clause, ...open(), kind: "baseline" as const },
      find: (after: readonly Policy[]) => shortfalls(after, clause.policies),
    })),
  ];
}

function resultOf({ kind, name, place, breaches }: Judging): ClauseResult {
  const regions = breaches.flatMap((breach) => breach.regions);
  const isCertain = regions.some(({ region }) => region.certainty === "certain");
  const result = breaches.length === 0 ? "met" : isCertain ? "violated" : "unknown";
  return { kind, name, place, result, breaches };
}

/** The regions that waivers leave open, computed once for violations that are alike. */
class Openings {
  /** The waivers that contain a violation. */
  readonly used = new Set<WaiverClause>();
  private readonly known = new Map<string, Opened>();

  constructor(
    private readonly valid: readonly WaiverClause[],
    private readonly allowUnknown: boolean,
  ) {}

  open(key: string, waivers: readonly WaiverClause[], find: () => readonly Violation[]): Opened {
    const whole = `${waivers.map((waiver) => this.valid.indexOf(waiver)).join()} ${key}`;
    const judged = this.known.get(whole);
    if (judged) return judged;
    const contained = new Map<string, readonly WaiverClause[]>();
    const regions = find()
      .filter(({ region }) => !this.allowUnknown || region.certainty === "certain")
      .flatMap((violation): readonly OpenRegion[] => {
        const { by, outside } = waive(violation.region, waivers);
        for (const waiver of by) this.used.add(waiver);
        if (outside !== undefined) return [{ ...violation, outside }];
        contained.set(keyOfRegion(violation.region), by);
        return [];
      });
    const opened = { regions, waived: contained };
    this.known.set(whole, opened);
    return opened;
  }
}

/** The container policies of a plan's consoles. */
function policySets(plan: StackPlan) {
  return plannedPolicies(plan)
    .filter(({ collection }) => collection === POLICIES)
    .map(({ after, isHidden }) => ({ after, isHidden, text: JSON.stringify(after) }));
}

/** A waiver is valid until the end of its last day, in UTC. */
export function isExpired({ expires }: WaiverClause, now: number): boolean {
  return now >= Date.parse(`${expires}T00:00:00Z`) + 24 * 3_600_000;
}
