import type { Diagnostic } from "../provider/diagnostics";
import {
  countChanges,
  type ChangeCounts,
  type ResourceChange,
  type StackPlan,
} from "../runtime/documents/plan";
import { consolidate } from "./consolidate";
import { diffEntries } from "./entries/compare-entries";
import { countWeakening, isChanged, type EntriesDiff } from "./entries/model";
import { isShown, renderOutputChanges } from "./text/plan-text";
import { compareChange } from "./text/resource-text";
import { createStyle } from "./text/style";

/** A change, and what reviewers have to know of it before they look at it. */
export interface ReviewedChange {
  readonly change: ResourceChange;
  /** Its lists of named entries that change; none where there is nothing to compare with. */
  readonly entries: readonly EntriesDiff[];
  /** How much of it weakens protection. */
  readonly weakening: number;
}

/** What a review tells of a stack. */
export interface StackReview {
  readonly stack: string;
  readonly counts: ChangeCounts;
  readonly changes: readonly ReviewedChange[];
  /** What was found changed outside; what of that weakens protection is counted nowhere. */
  readonly drift: readonly ReviewedChange[];
  /** A line for each output that changes. */
  readonly outputs: readonly string[];
  readonly weakening: number;
  /** Warnings that say the same of several objects are one. */
  readonly diagnostics: readonly Diagnostic[];
  readonly dependencies: StackPlan["dependencies"];
  readonly endpoints: StackPlan["endpoints"];
  readonly complete: boolean;
}

export function reviewStack(plan: StackPlan): StackReview {
  const changes = plan.changes.filter(isShown).map(reviewChange);
  return {
    stack: plan.stack,
    counts: countChanges(plan),
    changes,
    drift: plan.drift
      .filter((change) => compareChange(change).effect !== "none")
      .map((change) => reviewChange(change)),
    outputs: renderOutputChanges(plan.outputs, createStyle(false)),
    weakening: changes.reduce((sum, { weakening }) => sum + weakening, 0),
    diagnostics: consolidate(plan.diagnostics),
    dependencies: plan.dependencies,
    endpoints: plan.endpoints,
    complete: plan.complete,
  };
}

/** Whether there is anything to do, or to know. */
export function isEmptyReview({ changes, drift, outputs, diagnostics }: StackReview): boolean {
  return [changes, drift, outputs, diagnostics].every(({ length }) => length === 0);
}

function reviewChange(change: ResourceChange): ReviewedChange {
  const entries = diffEntries(change).filter(isChanged);
  return {
    change,
    entries,
    weakening: entries.reduce((sum, diff) => sum + countWeakening(diff), 0),
  };
}

/** One word for what happens, as filters and headings name it. */
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

export function totalCounts(reviews: readonly { readonly counts: ChangeCounts }[]): ChangeCounts {
  const sum = (name: keyof ChangeCounts) =>
    reviews.reduce((total, { counts }) => total + counts[name], 0);
  return {
    import: sum("import"),
    add: sum("add"),
    change: sum("change"),
    destroy: sum("destroy"),
  };
}

/** `1 to import, 2 to add, 0 to change, 3 to destroy` */
export function countWords({ import: imports, add, change, destroy }: ChangeCounts): string {
  const imported = imports > 0 ? `${imports} to import, ` : "";
  return `${imported}${add} to add, ${change} to change, ${destroy} to destroy`;
}
