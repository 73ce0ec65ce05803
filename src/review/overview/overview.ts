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
import { consolidate } from "../../formats/text/consolidate";
import {
  countStronger,
  countWeaker,
  reviewDrift,
  reviewProtection,
  type ProtectionReview,
} from "../protection/review-protection";
import { worstOf } from "../protection/severity";
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
  /** Also where another change shows the effect. */
  readonly isWeaker: boolean;
  /** The stacks that have it, if not all of the review have. */
  readonly stacks?: readonly string[];
}

/** The numbers of regions that are protected less and more. */
interface ProtectionCounts {
  readonly weaker: number;
  readonly stronger: number;
}

/** The review of one stack's plan, or of what the plans of some stacks have in common. */
export interface StackReview extends Pick<StackPlan, "dependencies" | "endpoints" | "complete"> {
  /** The title: the name with the workspace, or the names of a group. */
  readonly stack: string;
  /** The stacks that the review is about, each with its workspace. */
  readonly stacks: readonly string[];
  /** Those of one stack. */
  readonly counts: ChangeCounts;
  /** Those that weaken protection come first, the worst first. */
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
  const { dependencies, endpoints, complete } = plan;
  const effects = reviewProtection(plan);
  const sum = (count: (review: ProtectionReview) => number) =>
    [...effects.values()].reduce((total, review) => total + count(review), 0);
  const rank = ({ protection }: ReviewedChange) =>
    worstOf([protection].flatMap((one) => one ?? []));
  return {
    stack: stackTitle(plan),
    stacks: [stackTitle(plan)],
    counts: countChanges(plan),
    changes: plan.changes
      .filter(isShown)
      .map((change) => reviewChange(change, effects.get(change)))
      .sort((one, other) => rank(one) - rank(other)),
    drift: driftOf(plan).map((change) => reviewChange(change, reviewDrift(change))),
    outputs: renderOutputChanges(plan.outputs, MARKED_TEXT.style),
    protected: { weaker: sum(countWeaker), stronger: sum(countStronger) },
    diagnostics: consolidate(plan.diagnostics),
    ...{ dependencies, endpoints, complete },
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
  const entries = diffEntries(change).filter(isChanged);
  return { change, entries, protection, isWeaker: countWeaker(protection) > 0 };
}

/** The kind of a change, as filters and headings name it. */
export function changeWord({ action, importing }: ResourceChange) {
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
