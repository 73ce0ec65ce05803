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
      const { counts, changes, protected: effects } = group[0].review;
      const liveOf = (index: number) =>
        group.flatMap(({ review }) => review.changes[index]?.protection?.live ?? []);
      return {
        stacks: group.map(({ plan }) => plan.stack),
        counts,
        ...effects,
        protection: changes.flatMap((one, index) => protectionOf(one, liveOf(index))),
      };
    }),
    drifted: countDrift(plans),
    warnings: groupDiagnostics(
      reviewed.map(({ plan, review }) => ({ ...review, stacks: [plan.stack] })),
    ).map(({ diagnostic: { summary, detail, address }, stacks }) => ({
      ...{ summary, detail: detail.toString(), stacks },
      ...(address !== undefined && { address }),
    })),
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
    drift: drift.map((one) => ({ address: one.change.address, protection: protectionOf(one) })),
  };
}

function resourcesOf(changes: readonly ReviewedChange[]): ReviewedStack["resources"] {
  return changes.map(({ change: { address, action } }) => ({ address, actions: ACTIONS[action] }));
}

function isError({ severity }: Diagnostic): boolean {
  return severity === "error";
}

function excludedDocument({ stack, diagnostics }: ExcludedStack): ReviewedStack {
  const { summary = "", detail = "" } = diagnostics.find(isError) ?? {};
  return {
    name: stack,
    console: null,
    error: [summary, detail].filter((text) => text !== "").join(": "),
    counts: { import: 0, add: 0, change: 0, destroy: 0 },
    ...{ resources: [], protection: [], drift: [] },
  };
}

/** @param readings The containers on the consoles of all stacks that change so. Default: of this one. */
function protectionOf(
  { protection: review }: ReviewedChange,
  readings: readonly LiveReading[] = [review?.live].flatMap((one) => one ?? []),
  waived?: WaivedRegions,
): readonly ProtectionDocument[] {
  if (!review) return [];
  const { collection, addresses, complete, reasons, isHidden, regions, coverage, digest } = review;
  const live = readings.length > 0 ? sumReadings(readings) : undefined;
  const titles = titlesOf({ titles: review.titles, live });
  const document = (region: Region, index: number) =>
    regionDocument(region, titles, live?.counts?.regions[index], waived?.get(keyOfRegion(region)));
  return [
    {
      ...{ collection, addresses },
      weaker: countWeaker(review),
      stronger: countStronger(review),
      ...(digest !== undefined && { digest }),
      ...{ complete, reasons, sensitive: isHidden },
      regions: isHidden ? [] : regions.map(document),
      ...(live && { live: liveDocument(live, review) }),
      coverage: isHidden ? [] : coverage,
    },
  ];
}

function regionDocument(
  { checks, ...region }: Region,
  titles: CheckTitles,
  live?: LiveRegion,
  waivers?: readonly SignedWaiver[],
): ProtectionDocument["regions"][number] {
  return {
    ...region,
    checks: checks.map((check) => {
      const title = titles.get(check.id);
      return { ...check, ...(title !== undefined && { title }) };
    }),
    example: live?.example ? { ...NO_VALUES, ...live.example } : region.example,
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
    waivers
      .filter((waiver) => waiver.state === state)
      .map(({ place, ...waiver }) => ({ ...waiverDocument(waiver), place }));
  const used = inState("used").map(waiverDocument);
  return {
    verdict: outcome,
    requirements: clauses.map(({ breaches, ...clause }) => ({
      ...clause,
      breaches: breaches.map(({ stack, unproved, regions, isHidden }) => ({
        stack,
        ...(unproved !== undefined && { unproved }),
        regions: (isHidden ? [] : regions).map(({ region, outside }) =>
          regionDocument({ ...region, example: outside ?? region.example }, titles),
        ),
      })),
    })),
    ...(used.length > 0 && { waivers: used }),
    unused_waivers: inState("unused"),
    expired_waivers: inState("expired"),
  };
}

function liveDocument(
  { read, unread, counts }: LiveReading,
  { isHidden }: ProtectionReview,
): NonNullable<ProtectionDocument["live"]> {
  const { running = 0, uncertain = 0, missing = [], changes = [] } = counts ?? {};
  return {
    read: read.map(({ console, at }) => ({ console, at: at.toISOString() })),
    ...{ unread, running, uncertain, missing },
    changes: (isHidden ? [] : changes).map(({ id, title, namespaces, ...change }) => ({
      ...change,
      check: id,
      ...(title !== undefined && { title }),
      namespaces: namespaces.map(({ names, ...one }) => ({ ...one, containers: names })),
    })),
  };
}
