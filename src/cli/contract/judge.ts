import { shortfalls, violations, type Violation } from "../../protection/contract";
import type { Policy, Workload } from "../../protection/policy";
import { waive } from "../../protection/waiver";
import {
  plannedPolicies,
  POLICIES,
  reviewProtection,
  type PlannedPolicies,
  type ProtectionReview,
} from "../../review/protection/review-protection";
import { keyOfRegion } from "../../review/protection/verdict";
import type { StackPlan } from "../../runtime";
import type { StackLabels } from "../../fleet/selection/labels";
import {
  concerns,
  type BaselineClause,
  type Contract,
  type RequiredClause,
  type WaiverClause,
} from "./contract";

/** A region that no waiver contains, with a workload outside of the waivers where one is known. */
export interface OpenRegion extends Violation {
  readonly outside: Workload | null;
}

/** A clause of the contract that the plan of a stack does not keep. */
export interface Breach {
  readonly stack: string;
  readonly clause: RequiredClause | BaselineClause;
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

export interface Judgement {
  /** The clauses that concern a plan. */
  readonly judged: ReadonlySet<RequiredClause | BaselineClause>;
  readonly breaches: readonly Breach[];
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

export interface JudgeOptions {
  /** Regions that are not certain pass. */
  readonly allowUnknown: boolean;
  /** Undefined: the labels of the stack are not known. */
  readonly labelsOf: (stack: string) => StackLabels | undefined;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** Judges plans by a contract. Stacks with equal policies are judged once. */
export function judge(
  plans: readonly StackPlan[],
  contract: Contract,
  { allowUnknown, labelsOf, now }: JudgeOptions,
): Judgement {
  const clausesJudged = new Set<RequiredClause | BaselineClause>();
  const waived = new Map<string, Waived>();
  const valid = contract.waivers.filter((waiver) => !isExpired(waiver, now));
  const openings = new Openings(valid, allowUnknown);
  const keysOfRegions = new Map<ProtectionReview["regions"], string>();
  const breaches: Breach[] = [];
  const weakenings: Weakening[] = [];
  for (const plan of plans) {
    const { stack, mode } = plan;
    const isJudged = mode === "normal" || mode === "rollback";
    const labels = labelsOf(stack);
    const waivers = valid.filter((waiver) => concerns(waiver, stack, labels, false));
    const clauses = [
      ...contract.requirements.map((clause, index) => ({
        clause,
        key: `require ${index}`,
        find: (after: readonly Policy[]) => violations(after, clause),
      })),
      ...contract.baselines.map((clause, index) => ({
        clause,
        key: `baseline ${index}`,
        find: (after: readonly Policy[]) => shortfalls(after, clause.policies),
      })),
    ].filter(({ clause }) => isJudged && concerns(clause, stack, labels, true));
    const sets = clauses.length > 0 ? policySets(plan) : [];
    for (const { clause, key, find } of clauses) {
      clausesJudged.add(clause);
      // A rollback plans nothing else than what it puts back.
      if (sets.length === 0 && !allowUnknown && mode === "normal") {
        const unproved = "The plan has no compliance policies of a console.";
        breaches.push({ stack, clause, regions: [], unproved, isHidden: false });
      }
      for (const { after, text, isHidden } of sets) {
        const { regions } = openings.open(`${key} ${text}`, waivers, () => find(after));
        // Policies that the plan does not have are unknown ones in their place.
        if (regions.length === 0) continue;
        breaches.push({ stack, clause, regions, unproved: undefined, isHidden });
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
  return { judged: clausesJudged, breaches, weakenings, used: openings.used, waived };
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
function policySets(plan: StackPlan): readonly (PlannedPolicies & { readonly text: string })[] {
  return plannedPolicies(plan)
    .filter(({ collection }) => collection === POLICIES)
    .map((set) => ({ ...set, text: JSON.stringify(set.after) }));
}

/** A waiver is valid until the end of its last day, in UTC. */
export function isExpired({ expires }: WaiverClause, now: number): boolean {
  return now >= Date.parse(`${expires}T00:00:00Z`) + 24 * 3_600_000;
}
