import type { Decider, Region } from "../../protection/compare";
import type { Handover } from "../../protection/handovers";
import type { Workload } from "../../protection/policy";
import { several } from "../entries/entry-text";
import { groupBy } from "../../core/group-by";
import { printable, quote } from "../../core/printed";
import { describeCheck, titlesOf, type CheckTitles } from "./check-titles";
import type { LiveRegion } from "../../protection/live-counts";
import { describeLive, describeLiveRegion, describeSources, liveExample } from "./live-text";
import { countStronger, countWeaker, type ProtectionReview } from "./review-protection";
import {
  cut,
  describeTransition,
  describeWhere,
  describeWorkload,
  moreOf,
  type Extent,
} from "./where-text";
import { byRank, describeHidden, losesBlock, NOT_WEAKER, severityOf } from "./severity";

/** The words of a review of protection, which text, Markdown and HTML arrange. */
export interface ProtectionText {
  /** `Protection: 1 weaker, 2 stronger` */
  readonly headline: string;
  /** Sentences about the containers that run. */
  readonly live: readonly string[];
  readonly effects: readonly EffectText[];
  /** The effects that are not listed: `and 12 more, none weaker`. */
  readonly more: string | undefined;
  readonly notes: readonly string[];
}

/** Regions with the same effect, or the reason why there is none. */
export interface EffectText {
  readonly change: Region["change"] | "same";
  /** `check 599 blocks -> alerts` */
  readonly text: string;
  readonly places: readonly PlaceText[];
  /** ` and 3 more`, or empty. */
  readonly more: string;
}

export interface PlaceText {
  /** `namespaces prod-pay*` */
  readonly where: string;
  /** `"root" decided, now "exempt"` */
  readonly deciders: string;
  /** `nothing runs there`; undefined if that was not read. */
  readonly live: string | undefined;
  /** `namespace prod-payx`; undefined where any workload is one. */
  readonly example: string | undefined;
}

const MOST_EFFECTS = 10;
const MOST_PLACES = 5;
const MOST_CHECKS = 10;

/** Describes the effect of a change, the worst first. */
export function describeProtection(review: ProtectionReview, extent: Extent = {}): ProtectionText {
  const { isHidden, addresses } = review;
  const idle = isHidden ? [] : review.noLongerDeciding;
  const effects = isHidden ? [] : rankedEffects(review);
  const shown = cut(effects, MOST_EFFECTS, extent);
  return {
    headline: describeCounts(review),
    live: describeRunning(review, extent),
    effects: [
      ...(countWeaker(review) + countStronger(review) === 0 && !isHidden && !review.isSetup
        ? [describeHandovers(review, extent)]
        : []),
      ...shown.map(({ describe }) => describe(extent)),
    ],
    more: describeHidden(effects.slice(shown.length).map(({ effect }) => effect)),
    notes: [
      ...(idle.length > 0
        ? [
            `${several(idle)} no longer ${idle.length === 1 ? "decides" : "decide"} for any workload`,
          ]
        : []),
      ...(addresses.length > 1
        ? [`together with ${addresses.slice(1).map(printable).join(", ")}`]
        : []),
      ...(review.isSetup
        ? [`replaces the default ${review.nouns} of a console that is not set up yet`]
        : []),
      ...(isHidden ? ["names, scopes and checks are sensitive"] : []),
      ...(review.digest === undefined || review.isSetup
        ? []
        : [`digest ${review.digest}, for --allow-weaker NAME@DIGEST`]),
      ...describeGaps([review]),
    ],
  };
}

/** The effects of a change, the worst first; regions with the same effect are one. */
function rankedEffects(review: ProtectionReview) {
  const liveOf = liveRegions(review);
  const groups = groupBy(review.regions, ({ change, certainty, checks }) =>
    JSON.stringify([change, certainty, checks]),
  ).map((group) => ({
    effect: group[0],
    regions: group.length,
    running: group.reduce((sum, region) => sum + (liveOf(region)?.running ?? 0), 0),
    describe: (extent: Extent) => describeEffect(group, review, extent),
  }));
  const covered = review.coverage.map((effect) => ({
    effect,
    ...{ regions: 1, running: 0 },
    describe: () => describeCoverage(effect, review),
  }));
  return [...groups, ...covered]
    .map((one) => ({
      ...one,
      loses: losesBlock(one.effect),
      severity: severityOf(one.effect),
      stacks: 1,
    }))
    .sort(byRank);
}

function describeCoverage(
  { change, entry, certainty }: ProtectionReview["coverage"][number],
  { noun }: ProtectionReview,
): EffectText {
  return {
    change,
    text: `${change === "weaker" ? "less" : "more"} is covered by ${noun} ${quote(entry)}${QUALIFIERS[certainty]}`,
    places: [],
    more: "",
  };
}

/** Says that reviews are incomplete, with the reasons; nothing if they are complete. */
export function describeGaps(reviews: readonly ProtectionReview[]): readonly string[] {
  const reasons = [...new Set(reviews.flatMap((review) => review.reasons))];
  return reasons.length === 0 ? [] : [`Review is incomplete: ${reasons.map(printable).join(" ")}`];
}

/** `Protection: 1 weaker, 2 stronger`, or that nothing changes. */
export function describeCounts(...reviews: readonly ProtectionReview[]): string {
  const sum = (count: (review: ProtectionReview) => number) =>
    reviews.reduce((total, review) => total + count(review), 0);
  const counts = formatProtection(sum(countWeaker), sum(countStronger));
  if (counts !== "") return `Protection: ${counts}`;
  return reviews.some(({ isSetup }) => isSetup)
    ? "Protection: the first policies of the console"
    : "Protection does not change";
}

/**
 * Describes what happens to the containers that run; nothing if they were not read. Names and checks
 * are hidden with those of policies.
 */
export function describeRunning(review: ProtectionReview, extent: Extent): readonly string[] {
  const { live, isHidden } = review;
  if (!live) return [];
  return isHidden
    ? describeSources(live, live.counts?.running)
    : describeLive(live, titlesOf(review), extent);
}

/** The containers of a region; undefined if they were not read. */
type LiveOf = (region: Region) => LiveRegion | undefined;

export function liveRegions({ regions, live }: ProtectionReview): LiveOf {
  const counts = live?.counts;
  if (!counts) return () => undefined;
  const found = new Map(regions.map((region, index) => [region, counts.regions[index]]));
  return (region) => found.get(region);
}

/** Returns the example of each region of a review: a workload that runs, where that is known. */
export function examplesOf(review: ProtectionReview): (region: Region) => Workload | null {
  const liveOf = liveRegions(review);
  return (region) => {
    const live = liveOf(region);
    return (live && liveExample(region, live)) ?? region.example;
  };
}

/** The policies that decide in place of others, with the same checks. */
function describeHandovers(review: ProtectionReview, extent: Extent): EffectText {
  const { handovers } = review;
  const shown = cut(handovers, MOST_PLACES, extent);
  return {
    change: "same",
    text: describeSame(review),
    places: shown.map((one) => describePlace(one, extent)),
    more: moreOf(handovers, shown),
  };
}

/** The reason why protection does not change. */
export function describeSame({ ordered, nouns }: ProtectionReview): string {
  return ordered
    ? "every workload has the same checks as before; names of policies and letter case in patterns have no effect"
    : `the ${nouns} cover the same as before`;
}

/** `1 weaker, 2 stronger`; empty for none. */
export function formatProtection(weaker: number, stronger: number): string {
  return [
    ...(weaker > 0 ? [`${weaker} weaker`] : []),
    ...(stronger > 0 ? [`${stronger} stronger`] : []),
  ].join(", ");
}

/** An effect that is weaker. */
export interface WeakerEffect {
  /** `check 599 blocks -> alerts for namespaces prod-pay*` */
  readonly text: string;
  /** The text with the numbers of checks and scopes that it leaves out. */
  readonly brief: string;
  /** A check that blocks no longer does. */
  readonly loses: boolean;
}

/** The effects that are weaker, one line each, the worst first. */
export function weakerEffects(review: ProtectionReview): readonly WeakerEffect[] {
  const effects = rankedEffects(review).filter(({ severity }) => severity < NOT_WEAKER);
  if (review.isHidden) {
    const [text, loses] = ["(sensitive value)", effects.some((effect) => effect.loses)];
    return effects.length > 0 ? [{ text, brief: text, loses }] : [];
  }
  return effects.map(({ describe, loses, regions }) => {
    const others = regions > 1 ? ` and ${regions - 1} more` : "";
    const line = (extent: Extent) => {
      const { text, places } = describe(extent);
      const [first] = places;
      return first ? `${text} for ${first.where} (${first.deciders})${others}` : text;
    };
    return { text: line({ isWhole: true }), brief: line({}), loses };
  });
}

function describeEffect(
  group: readonly [Region, ...Region[]],
  review: ProtectionReview,
  extent: Extent,
): EffectText {
  const counts = review.live?.counts;
  const [liveOf, exampleOf] = [liveRegions(review), examplesOf(review)];
  const running = (region: Region) => liveOf(region)?.running ?? 0;
  const sorted = [...group].sort((one, other) => running(other) - running(one));
  const shown = cut(sorted, MOST_PLACES, extent);
  const [{ change, certainty }] = group;
  return {
    change,
    text: `${describeChecks(group[0], titlesOf(review), extent)}${QUALIFIERS[certainty]}`,
    places: shown.map((region) => {
      const live = liveOf(region);
      const place = describePlace({ ...region, example: exampleOf(region) }, extent);
      return live && counts ? { ...place, live: describeLiveRegion(live, counts) } : place;
    }),
    more: moreOf(group, shown),
  };
}

const QUALIFIERS: Readonly<Record<Region["certainty"], string>> = {
  certain: "",
  possible: " (possibly)",
  unknown: " (depends on values known after apply)",
};

/** `check 599 (runs as root) blocks -> alerts, checks 41, 51 blocks -> not checked` */
function describeChecks({ change, checks }: Region, titles: CheckTitles, extent: Extent): string {
  if (checks.length === 0) return `checks that are not known get ${change}`;
  const groups = groupBy(checks, describeTransition).map((group) => {
    const shown = cut(group, MOST_CHECKS, extent);
    const ids = shown.map(({ id }) => describeCheck(id, titles)).join(", ");
    const noun = group.length === 1 ? "check" : "checks";
    return `${noun} ${ids}${moreOf(group, shown)} ${describeTransition(group[0])}`;
  });
  return groups.join(", ");
}

function describePlace({ where, before, after, example }: Handover, extent: Extent): PlaceText {
  return {
    where: describeWhere(where, extent),
    deciders: describeDeciders(before, after),
    live: undefined,
    example: example ? describeWorkload(example) : undefined,
  };
}

function describeDeciders(before: Decider, after: Decider): string {
  if (before.policy === after.policy && before.policy !== null) return quote(before.policy);
  const was = before.policy === null ? (before.unknown ?? "no policy") : quote(before.policy);
  const none = after.unknown === undefined ? "none" : `${after.unknown} or none`;
  return `${was} decided, now ${after.policy === null ? none : quote(after.policy)}`;
}
