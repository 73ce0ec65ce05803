import type { Diagnostic } from "../../core/diagnostics";
import {
  countChanges,
  isShown,
  type ChangeCounts,
  type ResourceChange,
  type StackPlan,
} from "../../core/documents/stack-plan";
import { driftOf } from "./drift";
import { diffEntries } from "../entries/compare-entries";
import { isChanged, type EntriesDiff } from "../entries/entries-diff";
import { groupBy } from "../../core/group-by";
import { consolidate, keyInStacks } from "../../formats/text/consolidate";
import { weakerEffects, type WeakerEffect } from "../protection/protection-text";
import {
  countStronger,
  countWeaker,
  reviewDrift,
  reviewProtection,
  type ProtectionReview,
} from "../protection/review-protection";
import { byRank, runningWeaker, worstOf, type Ranked } from "../protection/severity";
import { renderOutputChanges } from "../../formats/text/plan-text";
import { stackTitle } from "../../formats/text/stack-title";
import { MARKED_TEXT } from "../../formats/text/style";

/** A change with the summary that reviewers need before they look at it. */
export interface ReviewedChange {
  readonly change: ResourceChange;
  /** Its lists of named entries that change; none where there is nothing to compare with. */
  readonly entries: readonly EntriesDiff[];
  /** Its effect on what its console protects; in the first change of each collection. */
  readonly protection: ProtectionReview | undefined;
  readonly protected: ProtectionCounts;
  /** The stacks that have it, if not all of the review have. */
  readonly stacks?: readonly string[];
}

/** The numbers of regions that are protected less and more. */
export interface ProtectionCounts {
  readonly weaker: number;
  readonly stronger: number;
}

/** The review of one stack's plan, which Markdown and HTML render. */
export interface StackReview extends Pick<
  StackPlan,
  "workspace" | "dependencies" | "endpoints" | "complete"
> {
  /** The title: the name with the workspace, or the names of a group. */
  readonly stack: string;
  /** The stacks that the review is about, each with its workspace. */
  readonly stacks: readonly string[];
  readonly counts: ChangeCounts;
  /** Those that weaken protection come first. */
  readonly changes: readonly ReviewedChange[];
  /** Changes that were made outside. `protected` does not count them. */
  readonly drift: readonly ReviewedChange[];
  /** Each output that changes, for `diffLines`. */
  readonly outputs: readonly string[];
  readonly protected: ProtectionCounts;
  /** Similar diagnostics are combined. */
  readonly diagnostics: readonly Diagnostic[];
}

export function reviewStack(plan: StackPlan): StackReview {
  const { workspace, dependencies, endpoints, complete } = plan;
  const effects = reviewProtection(plan);
  const changes = weakerFirst(
    plan.changes.filter(isShown).map((change) => reviewChange(change, effects.get(change))),
  );
  return {
    stack: stackTitle(plan),
    stacks: [stackTitle(plan)],
    ...(workspace !== undefined && { workspace }),
    counts: countChanges(plan),
    changes,
    drift: driftOf(plan).map((change) => reviewChange(change, reviewDrift(change))),
    outputs: renderOutputChanges(plan.outputs, MARKED_TEXT.style),
    protected: sumProtection(changes),
    diagnostics: consolidate(plan.diagnostics),
    dependencies,
    endpoints,
    complete,
  };
}

/** True where there is neither a change nor a diagnostic. */
export function isEmptyReview({ changes, drift, outputs, diagnostics }: StackReview): boolean {
  return [changes, drift, outputs, diagnostics].every(({ length }) => length === 0);
}

function reviewChange(
  change: ResourceChange,
  protection: ProtectionReview | undefined,
): ReviewedChange {
  return {
    change,
    entries: diffEntries(change).filter(isChanged),
    protection,
    protected: {
      weaker: countWeaker(protection),
      stronger: countStronger(protection),
    },
  };
}

/** Sorts changes that weaken protection before the others, the worst first. */
function weakerFirst(changes: readonly ReviewedChange[]): readonly ReviewedChange[] {
  const rank = ({ protection }: ReviewedChange) => worstOf(protection ? [protection] : []);
  return [...changes].sort((one, other) => rank(one) - rank(other));
}

/** Sums over all stacks of the parts. */
export function sumProtection(
  parts: readonly {
    readonly protected: ProtectionCounts;
    readonly stacks?: readonly string[];
  }[],
): ProtectionCounts {
  const sum = (name: keyof ProtectionCounts) =>
    parts.reduce((total, part) => total + part.protected[name] * (part.stacks?.length ?? 1), 0);
  return { weaker: sum("weaker"), stronger: sum("stronger") };
}

/** The kind of a change, as filters and headings name it. */
export type ChangeWord =
  "create" | "update" | "replace" | "destroy" | "read" | "forget" | "import" | "move";

export function changeWord({ action, importing }: ResourceChange): ChangeWord {
  switch (action) {
    case "delete":
      return "destroy";
    case "delete-then-create":
    case "create-then-delete":
      return "replace";
    case "no-op":
      return importing ? "import" : "move";
    case "create":
    case "update":
    case "read":
    case "forget":
      return action;
  }
}

/** Groups the diagnostics of several stacks that are shown once. */
export function groupDiagnostics(
  reviews: readonly StackReview[],
): readonly { readonly diagnostic: Diagnostic; readonly stacks: readonly string[] }[] {
  const all = reviews.flatMap(({ stacks, diagnostics }) =>
    diagnostics.map((diagnostic) => ({ stacks, diagnostic })),
  );
  const groups = groupBy(all, ({ diagnostic }) => keyInStacks(diagnostic));
  return groups.map((group) => ({
    diagnostic: group[0].diagnostic,
    stacks: group.flatMap(({ stacks }) => stacks),
  }));
}

/**
 * The effects of one change that weaken protection, the worst first, and the stacks that have all of
 * them.
 */
export interface WeakeningSummary extends Ranked {
  readonly address: string;
  readonly effects: readonly WeakerEffect[];
  readonly places: readonly {
    readonly review: StackReview;
    /** The position in its changes. */
    readonly index: number;
  }[];
}

/** Groups changes of several stacks that weaken protection alike, the worst first. */
export function groupWeakenings(
  reviews: readonly StackReview[],
  which: "changes" | "drift" = "changes",
): readonly WeakeningSummary[] {
  const all = reviews.flatMap((review) =>
    review[which].flatMap(({ change: { address }, protection }, index) => {
      const effects = protection ? weakerEffects(protection) : [];
      return protection && effects.length > 0
        ? [{ address, effects, review, index, protection }]
        : [];
    }),
  );
  const groups = groupBy(all, ({ address, effects }) => JSON.stringify([address, effects]));
  return groups
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
