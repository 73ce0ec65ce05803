import type { Diagnostic } from "../../core/diagnostics";
import type { ExcludedStack } from "../../core/documents/excluded-stack";
import {
  countChanges,
  sumCounts,
  type ChangeCounts,
  type StackPlan,
} from "../../core/documents/stack-plan";
import { groupBy } from "../../core/group-by";
import { attributeName } from "../../core/printed";
import { keyInStacks } from "../../formats/text/consolidate";
import { stackTitle } from "../../formats/text/stack-title";
import { blindCauseOf } from "../exclusions/blind-stacks";
import { shortStackList } from "../exclusions/exclusions-text";
import { groupExclusions, type ExclusionGroup } from "../exclusions/group-exclusions";
import { countDrift, describeDrift } from "../overview/drift";
import {
  isEmptyReview,
  reviewStack,
  type ReviewedChange,
  type StackReview,
} from "../overview/overview";
import { weakerEffects, type WeakerEffect } from "../protection/protection-text";
import { byRank, runningWeaker, worstOf, type Ranked } from "../protection/severity";
import type { Verdict } from "../protection/verdict";
import { groupPlans } from "./group-plans";
import type { PlanGroup } from "./plan-group";

/** Plans with what judging them found: all that the forms of a review render. */
export interface Reviewed {
  readonly plans: readonly StackPlan[];
  /** Stacks that could not be planned. */
  readonly excluded?: readonly ExcludedStack[];
  /** Absent where nothing was judged, as for `show`. */
  readonly verdict?: Verdict;
}

/** The review of plans, counted, grouped and ranked: Markdown and HTML render it, and decide nothing. */
export interface Review {
  /** The parts that stacks have in common, with something to report; the only stack. The worst first. */
  readonly groups: readonly StackReview[];
  /** All stacks with a plan, in their order. */
  readonly rows: readonly StackRow[];
  /** The sums of all stacks. */
  readonly counts: ChangeCounts;
  readonly weaker: number;
  readonly stronger: number;
  /** The number of stacks that drifted, and the headline of it, if there is one. */
  readonly drifted: number;
  readonly drift: string | undefined;
  /** The changes that weaken protection, the worst first: of the plans, and made outside. */
  readonly weakenings: readonly Weakenings[];
  readonly driftedWeakenings: readonly Weakenings[];
  /** Those of several stacks once. */
  readonly warnings: readonly {
    readonly diagnostic: Diagnostic;
    readonly stacks: readonly string[];
  }[];
  /** The stacks whose plans have only some of their objects. */
  readonly partial: readonly string[];
  readonly excluded: readonly ExclusionGroup[];
  /** The number of stacks, with those that were excluded. */
  readonly total: number;
  readonly verdict: Verdict | undefined;
}

/** The sums of one stack. */
export interface StackRow {
  readonly stack: string;
  readonly endpoints: readonly string[];
  readonly counts: ChangeCounts;
  readonly weaker: number;
  readonly warnings: number;
  /** True if the console was not read. */
  readonly isBlind: boolean;
  /** The groups that the stack is in. */
  readonly groups: readonly StackReview[];
}

/** The effects of one change that weaken protection, and the stacks that have all of them. */
export interface Weakenings extends Ranked {
  readonly address: string;
  /** The worst first. */
  readonly effects: readonly WeakerEffect[];
  readonly places: readonly {
    readonly review: StackReview;
    /** The position in its changes. */
    readonly index: number;
  }[];
}

export function reviewPlans({ plans, excluded = [], verdict }: Reviewed): Review {
  const [only, ...others] = plans;
  const all =
    only && others.length === 0 ? [reviewStack(only)] : groupPlans(plans).groups.map(reviewGroup);
  const groups = all.filter((review) => !isEmptyReview(review) || others.length === 0);
  const inGroups = groupBy(
    groups.flatMap((review) => review.stacks.map((stack) => ({ stack, review }))),
    ({ stack }) => stack,
  );
  const groupsOf = new Map(
    inGroups.map((group) => [group[0].stack, group.map(({ review }) => review)]),
  );
  const sum = (name: keyof StackReview["protected"]) =>
    groups.reduce((total, one) => total + one.protected[name] * one.stacks.length, 0);
  return {
    groups,
    rows: plans.map((plan) => rowOf(plan, groupsOf.get(stackTitle(plan)) ?? [])),
    counts: sumCounts(plans.map(countChanges)),
    ...{ weaker: sum("weaker"), stronger: sum("stronger") },
    ...{ drifted: countDrift(plans).stacks, drift: describeDrift(plans) },
    weakenings: weakeningsIn(groups, "changes"),
    driftedWeakenings: weakeningsIn(groups, "drift"),
    warnings: groupDiagnostics(groups),
    partial: plans.filter(({ complete }) => !complete).map(stackTitle),
    excluded: groupExclusions(excluded),
    total: plans.length + excluded.length,
    verdict,
  };
}

function rowOf(plan: StackPlan, groups: readonly StackReview[]): StackRow {
  const sum = (of: (review: StackReview) => number) =>
    groups.reduce((total, review) => total + of(review), 0);
  return {
    stack: stackTitle(plan),
    endpoints: plan.endpoints,
    counts: countChanges(plan),
    weaker: sum((review) => review.protected.weaker),
    warnings: sum(({ diagnostics }) => diagnostics.length),
    isBlind: blindCauseOf(plan) !== undefined,
    groups,
  };
}

/** Names in the title of a group. */
const NAMED_STACKS = 3;

function reviewGroup({ plan, stacks, ownOutputs, variants }: PlanGroup): StackReview {
  const review = reviewStack(plan);
  const own = ownOutputs.map((name) => `${attributeName(name)} = (differs from stack to stack)`);
  const outputs = [...review.outputs, ...own];
  if (stacks.length === 1) return { ...review, outputs };
  const { changes } = variants.length > 0 ? { changes: changesOf(variants, review) } : review;
  return {
    ...{ ...review, outputs, stacks, endpoints: [] },
    stack: shortStackList(stacks, NAMED_STACKS),
    changes: changes.map(withoutEndpoint),
    drift: review.drift.map(withoutEndpoint),
  };
}

/** The changes of all variants with their stacks. Only the first has the effect on protection. */
function changesOf(variants: readonly PlanGroup[], whole: StackReview): readonly ReviewedChange[] {
  return variants.flatMap(({ plan, stacks }, index) =>
    index === 0
      ? whole.changes.map((reviewed) => ({ ...reviewed, stacks }))
      : reviewStack(plan).changes.map((one) => ({ ...one, protection: undefined, stacks })),
  );
}

/** The console of the first stack is not that of the others. */
function withoutEndpoint(reviewed: ReviewedChange): ReviewedChange {
  const change = { ...reviewed.change };
  delete change.endpoint;
  return { ...reviewed, change };
}

/** Groups the diagnostics of several stacks that are shown once. */
export function groupDiagnostics(reviews: readonly StackReview[]): Review["warnings"] {
  const all = reviews.flatMap(({ stacks, diagnostics }) =>
    diagnostics.map((diagnostic) => ({ stacks, diagnostic })),
  );
  return groupBy(all, ({ diagnostic }) => keyInStacks(diagnostic)).map((group) => ({
    diagnostic: group[0].diagnostic,
    stacks: group.flatMap(({ stacks }) => stacks),
  }));
}

/** Groups changes of several stacks that weaken protection alike, the worst first. */
function weakeningsIn(
  reviews: readonly StackReview[],
  which: "changes" | "drift",
): readonly Weakenings[] {
  const all = reviews.flatMap((review) =>
    review[which].flatMap(({ change: { address }, protection }, index) => {
      const effects = protection ? weakerEffects(protection) : [];
      return protection && effects.length > 0
        ? [{ address, effects, review, index, protection }]
        : [];
    }),
  );
  return groupBy(all, ({ address, effects }) => JSON.stringify([address, effects]))
    .map((places) => ({
      address: places[0].address,
      effects: places[0].effects,
      places,
      severity: worstOf(places.map(({ protection }) => protection)),
      running: places.reduce((sum, { protection }) => sum + runningWeaker(protection), 0),
      stacks: places.reduce((sum, { review }) => sum + review.stacks.length, 0),
    }))
    .sort(byRank);
}
