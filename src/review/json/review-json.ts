import { mapMembers } from "../../core/member-of";
import type { Region } from "../../protection/compare";
import { NO_VALUES } from "../../protection/explain";
import type { LiveRegion } from "../../protection/live-counts";
import type { Scope } from "../../protection/policy";
import type { Diagnostic } from "../../core/diagnostics";
import type { ExcludedStack } from "../../core/documents/excluded-stack";
import type { StackPlan } from "../../core/documents/stack-plan";
import { countDrift } from "../overview/drift";
import { groupBy } from "../../core/group-by";
import { blindCauseOf } from "../exclusions/blind-stacks";
import { reviewStack, type ReviewedChange, type StackReview } from "../overview/overview";
import { sumReadings, type LiveReading } from "../protection/live-reading";
import { titlesOf, type CheckTitles } from "../protection/check-titles";
import { countStronger, countWeaker, type ProtectionReview } from "../protection/review-protection";
import type { SignedWaiver } from "../protection/signed-waiver";
import { ACTIONS } from "../../formats/json/plan-json";
import type { ProtectionDocument, ReviewDocument, StackDocument } from "./review-schema";

const NOTHING = { import: 0, add: 0, change: 0, destroy: 0 };

/** Renders plans as one JSON document for programs. */
export function renderReviewJson(
  plans: readonly StackPlan[],
  excluded: readonly ExcludedStack[] = [],
  waivers: readonly SignedWaiver[] = [],
): string {
  return `${JSON.stringify(reviewDocument(plans, excluded, waivers))}\n`;
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
  waivers: readonly SignedWaiver[] = [],
): ReviewDocument {
  const reviewed = plans.map((plan) => ({ plan, review: reviewStack(plan) }));
  const alike = groupBy(reviewed, ({ review: { counts, changes } }) =>
    JSON.stringify([counts, resourcesOf(changes), changes.flatMap((one) => protectionOf(one, []))]),
  );
  return {
    format_version: "1.0",
    stacks: [
      ...reviewed.map(({ plan, review }) => stackDocument(plan, review)),
      ...excluded.map(excludedDocument),
    ],
    groups: alike.map((group) => {
      const { counts, changes } = group[0].review;
      const protection = changes.flatMap((one, index) =>
        protectionOf(
          one,
          group.flatMap(({ review }) => review.changes[index]?.protection?.live ?? []),
        ),
      );
      const sum = (name: "weaker" | "stronger") =>
        protection.reduce((total, one) => total + one[name], 0);
      return {
        stacks: group.map(({ plan }) => plan.stack),
        counts,
        weaker: sum("weaker"),
        stronger: sum("stronger"),
        protection,
      };
    }),
    drifted: countDrift(plans),
    ...(waivers.length > 0 && {
      waivers: waivers.map(({ owner, reason, expires }) => ({ owner, reason, expires })),
    }),
  };
}

function stackDocument(
  { stack, workspace, diagnostics }: StackPlan,
  { endpoints, counts, changes, drift }: StackReview,
): StackDocument {
  const blind = blindCauseOf({ diagnostics });
  return {
    name: stack,
    ...(workspace !== undefined && { workspace }),
    console: endpoints[0] ?? null,
    ...(blind !== undefined && { blind }),
    counts,
    resources: resourcesOf(changes),
    protection: changes.flatMap((one) => protectionOf(one)),
    drift: drift.map((reviewed) => ({
      address: reviewed.change.address,
      protection: protectionOf(reviewed),
    })),
  };
}

function resourcesOf(changes: readonly ReviewedChange[]): StackDocument["resources"] {
  return changes.map(({ change: { address, action } }) => ({
    address,
    actions: [...ACTIONS[action]],
  }));
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

/** @param live What runs on the consoles of all stacks that change so. Default: of this one. */
function protectionOf(
  { protection }: ReviewedChange,
  live: readonly LiveReading[] = protection?.live ? [protection.live] : [],
): ProtectionDocument[] {
  if (!protection) return [];
  return [protectionDocument(protection, live.length > 0 ? sumReadings(live) : undefined)];
}

function protectionDocument(
  review: ProtectionReview,
  live: LiveReading | undefined,
): ProtectionDocument {
  const { collection, addresses, complete, reasons, isHidden, regions, coverage, digest } = review;
  const titles = titlesOf({ titles: review.titles, live });
  return {
    collection,
    addresses: [...addresses],
    weaker: countWeaker(review),
    stronger: countStronger(review),
    ...(digest !== undefined && { digest }),
    complete,
    reasons: [...reasons],
    sensitive: isHidden,
    regions: isHidden
      ? []
      : regions.map((region, index) =>
          regionDocument(region, titles, live?.counts?.regions[index]),
        ),
    ...(live && { live: liveDocument(live, isHidden) }),
    coverage: isHidden ? [] : [...coverage],
  };
}

function regionDocument(
  { checks, where, ...region }: Region,
  titles: CheckTitles,
  live: LiveRegion | undefined,
): ProtectionDocument["regions"][number] {
  const example = live?.example ? { ...NO_VALUES, ...live.example } : region.example;
  return {
    ...region,
    checks: checks.map((check) => {
      const title = titles.get(check.id);
      return { ...check, ...(title !== undefined && { title }) };
    }),
    where: { all: where.all.map(scopeDocument), none: where.none.map(scopeDocument) },
    example: example && { ...example, labels: [...example.labels] },
    ...(live && {
      live: { consoles: live.consoles, running: live.running, uncertain: live.uncertain },
    }),
  };
}

function liveDocument(
  { read, unread, counts }: LiveReading,
  isHidden: boolean,
): NonNullable<ProtectionDocument["live"]> {
  const { running = 0, uncertain = 0, missing = [], changes = [] } = counts ?? {};
  return {
    read: read.map(({ console, at }) => ({ console, at: at.toISOString() })),
    unread: [...unread],
    running,
    uncertain,
    missing: [...missing],
    changes: (isHidden ? [] : changes).map(({ id, title, namespaces, ...change }) => ({
      ...change,
      check: id,
      ...(title !== undefined && { title }),
      namespaces: namespaces.map(({ names, ...one }) => ({ ...one, containers: [...names] })),
    })),
  };
}

function scopeDocument(scope: Scope) {
  return mapMembers(scope, (patterns) => [...patterns]);
}
