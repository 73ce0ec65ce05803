import type { Region } from "../../protection/compare";
import { NO_VALUES } from "../../protection/explain";
import type { LiveRegion } from "../../protection/live-counts";
import type { Diagnostic } from "../../core/diagnostics";
import type { ExcludedStack } from "../../core/documents/excluded-stack";
import {
  keyOfRegion,
  type JudgedWaiver,
  type SignedWaiver,
  type Verdict,
  type WaivedRegions,
} from "../protection/verdict";
import type { StackPlan } from "../../core/documents/stack-plan";
import { countDrift } from "../overview/drift";
import { groupBy } from "../../core/group-by";
import { blindCauseOf } from "../exclusions/blind-stacks";
import { groupDiagnostics, type Reviewed } from "../groups/review";
import { reviewStack, type ReviewedChange, type StackReview } from "../overview/overview";
import { sumReadings, type LiveReading } from "../protection/live-reading";
import { titlesOf, type CheckTitles } from "../protection/check-titles";
import { countStronger, countWeaker, type ProtectionReview } from "../protection/review-protection";
import { ACTIONS } from "../../formats/json/plan-json";
import type { ProtectionDocument, ReviewDocument, ReviewedStack } from "./review-schema";

const NOTHING = { import: 0, add: 0, change: 0, destroy: 0 };

/** Renders plans as one JSON document for programs. */
export function renderReviewJson(reviewed: Reviewed): string {
  return `${JSON.stringify(reviewDocument(reviewed))}\n`;
}

/** Renders the diagnostics of a run without a plan. */
export function renderFailureJson(diagnostics: readonly Diagnostic[]): string {
  return `${JSON.stringify(failureDocument(diagnostics))}\n`;
}

/** The document of a run without a plan. */
export function failureDocument(diagnostics: readonly Diagnostic[]): ReviewDocument {
  return {
    format_version: "1.0",
    stacks: [],
    groups: [],
    drifted: { stacks: 0, weaker: 0 },
    verdict: "failed",
    errors: diagnostics.filter(isError).map(({ summary, detail }) => ({ summary, detail })),
  };
}

/** The document of a review: everything that is known of the plans, and what judging them found. */
export function reviewDocument({ plans, excluded = [], verdict }: Reviewed): ReviewDocument {
  const reviewed = plans.map((plan) => ({ plan, review: reviewStack(plan) }));
  const alike = groupBy(reviewed, ({ review: { counts, changes } }) =>
    JSON.stringify([counts, resourcesOf(changes), changes.flatMap((one) => protectionOf(one, []))]),
  );
  return {
    format_version: "1.0",
    stacks: [
      ...reviewed.map(({ plan, review }) =>
        stackDocument(plan, review, verdict?.waived.get(plan.stack)),
      ),
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
    warnings: warningsOf(reviewed.map(({ review }) => review)),
    ...(verdict && verdictDocument(verdict)),
  };
}

function stackDocument(
  { stack, workspace, diagnostics }: StackPlan,
  { endpoints, counts, changes, drift }: StackReview,
  waived: WaivedRegions | undefined,
): ReviewedStack {
  const blind = blindCauseOf({ diagnostics });
  return {
    name: stack,
    ...(workspace !== undefined && { workspace }),
    console: endpoints[0] ?? null,
    ...(blind !== undefined && { blind }),
    counts,
    resources: resourcesOf(changes),
    protection: changes.flatMap((one) => protectionOf(one, undefined, waived)),
    drift: drift.map((reviewed) => ({
      address: reviewed.change.address,
      protection: protectionOf(reviewed),
    })),
  };
}

function resourcesOf(changes: readonly ReviewedChange[]): ReviewedStack["resources"] {
  return changes.map(({ change: { address, action } }) => ({
    address,
    actions: ACTIONS[action],
  }));
}

function isError({ severity }: Diagnostic): boolean {
  return severity === "error";
}

function excludedDocument({ stack, diagnostics }: ExcludedStack): ReviewedStack {
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
  waived?: WaivedRegions,
): readonly ProtectionDocument[] {
  if (!protection) return [];
  return [protectionDocument(protection, live.length > 0 ? sumReadings(live) : undefined, waived)];
}

function protectionDocument(
  review: ProtectionReview,
  live: LiveReading | undefined,
  waived: WaivedRegions | undefined,
): ProtectionDocument {
  const { collection, addresses, complete, reasons, isHidden, regions, coverage, digest } = review;
  const titles = titlesOf({ titles: review.titles, live });
  return {
    collection,
    addresses,
    weaker: countWeaker(review),
    stronger: countStronger(review),
    ...(digest !== undefined && { digest }),
    complete,
    reasons,
    sensitive: isHidden,
    regions: isHidden
      ? []
      : regions.map((region, index) =>
          regionDocument(
            region,
            titles,
            live?.counts?.regions[index],
            waived?.get(keyOfRegion(region)),
          ),
        ),
    ...(live && { live: liveDocument(live, isHidden) }),
    coverage: isHidden ? [] : coverage,
  };
}

function regionDocument(
  { checks, ...region }: Region,
  titles: CheckTitles,
  live?: LiveRegion,
  waivers?: readonly SignedWaiver[],
): ProtectionDocument["regions"][number] {
  const example = live?.example ? { ...NO_VALUES, ...live.example } : region.example;
  return {
    ...region,
    checks: checks.map((check) => {
      const title = titles.get(check.id);
      return { ...check, ...(title !== undefined && { title }) };
    }),
    example,
    ...(live && {
      live: { consoles: live.consoles, running: live.running, uncertain: live.uncertain },
    }),
    ...(waivers && { waived_by: waivers.map(waiverDocument) }),
  };
}

function waiverDocument({ owner, reason, expires }: SignedWaiver) {
  return { owner, reason, expires };
}

function verdictDocument({ outcome, clauses, waivers, titles }: Verdict) {
  const inState = (state: JudgedWaiver["state"]) =>
    waivers.filter((waiver) => waiver.state === state);
  const documentsOf = (state: JudgedWaiver["state"]) =>
    inState(state).map((waiver) => ({ ...waiverDocument(waiver), place: waiver.place }));
  const used = inState("used").map(waiverDocument);
  return {
    verdict: outcome,
    requirements: clauses.map(({ kind, name, place, result, breaches }) => ({
      kind,
      name,
      place,
      result,
      breaches: breaches.map(({ stack, unproved, regions, isHidden }) => ({
        stack,
        ...(unproved !== undefined && { unproved }),
        regions: (isHidden ? [] : regions).map(({ region, outside }) =>
          regionDocument({ ...region, example: outside ?? region.example }, titles),
        ),
      })),
    })),
    ...(used.length > 0 && { waivers: used }),
    unused_waivers: documentsOf("unused"),
    expired_waivers: documentsOf("expired"),
  };
}

function warningsOf(reviews: readonly StackReview[]): ReviewDocument["warnings"] {
  return groupDiagnostics(reviews).map(({ diagnostic, stacks }) => ({
    summary: diagnostic.summary,
    detail: diagnostic.detail.toString(),
    ...(diagnostic.address !== undefined && { address: diagnostic.address }),
    stacks,
  }));
}

function liveDocument(
  { read, unread, counts }: LiveReading,
  isHidden: boolean,
): NonNullable<ProtectionDocument["live"]> {
  const { running = 0, uncertain = 0, missing = [], changes = [] } = counts ?? {};
  return {
    read: read.map(({ console, at }) => ({ console, at: at.toISOString() })),
    unread,
    running,
    uncertain,
    missing,
    changes: (isHidden ? [] : changes).map(({ id, title, namespaces, ...change }) => ({
      ...change,
      check: id,
      ...(title !== undefined && { title }),
      namespaces: namespaces.map(({ names, ...one }) => ({ ...one, containers: names })),
    })),
  };
}
