import { mapMembers } from "../../core/member-of";
import type { Region } from "../../protection/compare";
import type { Scope } from "../../protection/policy";
import type { Diagnostic } from "../../core/diagnostics";
import type { ExcludedStack } from "../../core/documents/excluded-stack";
import type { StackPlan } from "../../core/documents/stack-plan";
import { countDrift } from "../overview/drift";
import { groupBy } from "../../core/group-by";
import { reviewStack, type ReviewedChange, type StackReview } from "../overview/overview";
import { countStronger, countWeaker, type ProtectionReview } from "../protection/review-protection";
import { ACTIONS } from "../../formats/json/plan-json";
import type { ProtectionDocument, ReviewDocument, StackDocument } from "./review-schema";

const NOTHING = { import: 0, add: 0, change: 0, destroy: 0 };

/** Renders plans as one JSON document for programs. */
export function renderReviewJson(
  plans: readonly StackPlan[],
  excluded: readonly ExcludedStack[] = [],
): string {
  return `${JSON.stringify(reviewDocument(plans, excluded))}\n`;
}

/** Renders the diagnostics of a run without a plan. */
export function renderFailureJson(diagnostics: readonly Diagnostic[]): string {
  const failed: ReviewDocument = {
    format_version: "1.0",
    stacks: [],
    groups: [],
    drifted: { stacks: 0, weaker: 0 },
    errors: diagnostics.filter(isError).map(({ summary, detail }) => ({ summary, detail })),
  };
  return `${JSON.stringify(failed)}\n`;
}

export function reviewDocument(
  plans: readonly StackPlan[],
  excluded: readonly ExcludedStack[] = [],
): ReviewDocument {
  const stacks = plans.map((plan) => stackDocument(plan, reviewStack(plan)));
  const alike = groupBy(stacks, ({ counts, resources, protection }) =>
    JSON.stringify([counts, resources, protection]),
  );
  return {
    format_version: "1.0",
    stacks: [...stacks, ...excluded.map(excludedDocument)],
    groups: alike.map((group) => {
      const [{ counts, protection }] = group;
      const sum = (name: "weaker" | "stronger") =>
        protection.reduce((total, one) => total + one[name], 0);
      return {
        stacks: group.map(({ name }) => name),
        counts,
        weaker: sum("weaker"),
        stronger: sum("stronger"),
        protection: [...protection],
      };
    }),
    drifted: countDrift(plans),
  };
}

function stackDocument(
  { stack, workspace }: StackPlan,
  { endpoints, counts, changes, drift }: StackReview,
): StackDocument {
  return {
    name: stack,
    ...(workspace !== undefined && { workspace }),
    console: endpoints[0] ?? null,
    counts,
    resources: changes.map(({ change: { address, action } }) => ({
      address,
      actions: [...ACTIONS[action]],
    })),
    protection: changes.flatMap(protectionOf),
    drift: drift.map((reviewed) => ({
      address: reviewed.change.address,
      protection: protectionOf(reviewed),
    })),
  };
}

function isError({ severity }: Diagnostic): boolean {
  return severity === "error";
}

function excludedDocument({ stack, diagnostics }: ExcludedStack): StackDocument {
  const first = diagnostics.find(isError);
  const error = first ? [first.summary, first.detail].filter((text) => text !== "").join(": ") : "";
  return {
    name: stack,
    console: null,
    error,
    counts: NOTHING,
    resources: [],
    protection: [],
    drift: [],
  };
}

function protectionOf({ protection }: ReviewedChange): ProtectionDocument[] {
  return protection ? [protectionDocument(protection)] : [];
}

function protectionDocument(review: ProtectionReview): ProtectionDocument {
  const { collection, addresses, complete, reasons, isHidden, regions, coverage } = review;
  return {
    collection,
    addresses: [...addresses],
    weaker: countWeaker(review),
    stronger: countStronger(review),
    complete,
    reasons: [...reasons],
    sensitive: isHidden,
    regions: isHidden ? [] : regions.map(regionDocument),
    coverage: isHidden ? [] : [...coverage],
  };
}

function regionDocument({ checks, where, example, ...region }: Region) {
  return {
    ...region,
    checks: [...checks],
    where: { all: where.all.map(scopeDocument), none: where.none.map(scopeDocument) },
    example: example && { ...example, labels: [...example.labels] },
  };
}

function scopeDocument(scope: Scope) {
  return mapMembers(scope, (patterns) => [...patterns]);
}
