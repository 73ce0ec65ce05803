import { resolve } from "node:path";
import { error, type Diagnostic } from "../../core/diagnostics";
import { groupBy } from "../../core/group-by";
import type { Region } from "../../protection/compare";
import { sumRegions, type LiveRegion } from "../../protection/live-counts";
import type { Workload } from "../../protection/policy";
import { waive, waiverFor, withoutIdle, type Needing } from "../../protection/waiver";
import { shortStackList } from "../../review/exclusions/exclusions-text";
import type { CheckTitles } from "../../review/protection/check-titles";
import { describeLiveRegion } from "../../review/protection/live-text";
import { examplesOf, liveRegions } from "../../review/protection/protection-text";
import type { OpenRegion } from "../../review/protection/verdict";
import {
  describeChange,
  describeWhere,
  describeWorkload,
} from "../../review/protection/where-text";
import type { ProtectionReview } from "../../review/protection/review-protection";
import { DEFAULT_FILES } from "./read-contract";

/** The reasons why the plan of a stack needs waivers: those of one clause, or of one weakening. */
export interface Needed {
  readonly stack: string;
  readonly regions: readonly OpenRegion[];
  readonly isHidden: boolean;
  /** Why the plan is refused where that is no region. */
  readonly others?: readonly string[];
  /** The review of a weakening. */
  readonly review?: ProtectionReview;
}

/** A waiver of one stack with its comments. */
interface Proposed extends Needing {
  readonly stack: string;
  readonly region: Region;
  readonly example: Workload | null;
  /** The counts of the regions that it lets pass, if what runs was read. */
  readonly live: readonly LiveRegion[];
}

/** A file of waivers cuts nothing. */
const WHOLE = { isWhole: true };

const EFFECTS = { blocks: "block", alerts: "alert", none: "none" } as const;

/**
 * Writes the waivers that plans need, without the owner, the reason and the date of those who sign.
 * Each allows exactly one region. A reason that no waiver can allow is a comment.
 */
export function proposal(needed: readonly Needed[], titles: CheckTitles): string {
  const stacks = groupBy(needed, ({ stack }) => stack);
  const entries = stacks.flatMap(waiversOf);
  const alike = groupBy(entries, ({ waiver: { where, checks } }) =>
    JSON.stringify([where, [...checks]]),
  );
  const reasons = groupBy(
    stacks.flatMap((group) => reasonsOf(group, titles)),
    ({ reason }) => reason,
  );
  const lines = alike.flatMap((group) => waiverLines(group, titles));
  return [
    "# Waivers that the plan needs. Those who accept one add an owner, a reason and the last day on which",
    "# it is valid, and move it to the contract.",
    ...reasons.map((group) => {
      const names = shortStackList([...new Set(group.map(({ stack }) => stack))]);
      return `# No waiver for ${names}: ${group[0].reason}`;
    }),
    "version: 1",
    ...(lines.length === 0 ? ["waivers: []"] : ["waivers:", ...lines]),
    "",
  ].join("\n");
}

/** The waivers that a stack needs, none of which the others make superfluous. */
function waiversOf(sources: readonly Needed[]): readonly Proposed[] {
  const all = sources.flatMap(({ stack, regions, isHidden, review }, source) =>
    regions.flatMap((open): readonly Proposed[] => {
      const { region, outside } = open;
      const waiver = isHidden ? undefined : waiverFor(region);
      const example = outside ?? (review ? examplesOf(review)(region) : region.example);
      const live = (review && liveRegions(review)(region)) ?? [];
      return waiver ? [{ stack, source, region, waiver, example, live: [live].flat() }] : [];
    }),
  );
  const kept = withoutIdle(all);
  const left = all.filter((one) => !kept.includes(one));
  return kept.map((one) => {
    const within = left.filter(({ region }) => waive(region, [one.waiver]).outside === undefined);
    return { ...one, live: [one, ...within].flatMap(({ live }) => live) };
  });
}

/** The reasons why no waiver can allow a part of a plan. */
function reasonsOf(sources: readonly Needed[], titles: CheckTitles) {
  return sources.flatMap(({ stack, regions, isHidden, others = [] }) => {
    const reasons = regions
      .filter(({ region }) => waiverFor(region) === undefined)
      .map(({ region }) => {
        return region.checks.length === 0
          ? `the checks that change are not known (${describeWhere(region.where, WHOLE)}).`
          : `the search for the exact workloads takes too long (${describeChange(region, titles, WHOLE)}).`;
      });
    const shown = isHidden ? ["its policies are sensitive."] : [...reasons, ...others];
    return [...new Set(shown)].map((reason) => ({ stack, reason }));
  });
}

function waiverLines(
  group: readonly [Proposed, ...Proposed[]],
  titles: CheckTitles,
): readonly string[] {
  const [{ waiver, region, example }] = group;
  const { all, none } = waiver.where;
  const workload = example && (describeWorkload(example) ?? "a workload without these values");
  const running = group.flatMap(({ live }) => live);
  const checks = [...waiver.checks].map(
    ([id, { from, to }]) =>
      [id, { from: EFFECTS[from ?? "none"], to: EFFECTS[to ?? "none"] }] as const,
  );
  const members = [
    ...(all.length > 0 ? [`where: ${inline(all.length === 1 ? all[0] : all)}`] : []),
    ...(none.length > 0 ? [`unless: ${inline(none)}`] : []),
    `checks: ${inline(Object.fromEntries(checks))}`,
    `stacks: ${inline([...new Set(group.map(({ stack }) => stack))])}`,
    `owner: ""`,
    `reason: ""`,
    `expires: ""`,
  ];
  return [
    `  # ${describeChange(region, titles, WHOLE)}`,
    ...(workload === null ? [] : [`  # for example ${workload}`]),
    ...(running.length === 0 ? [] : [`  # live: ${describeLiveRegion(sumRegions(running))}`]),
    ...members.map((member, index) => `  ${index === 0 ? "-" : " "} ${member}`),
  ];
}

/** JSON is YAML; text from outside stays in quotes. */
function inline(value: object | undefined): string {
  return JSON.stringify(value);
}

/** An error for a file that is the contract itself: nobody would sign. */
export function proposalProblems(
  directory: string,
  file: string,
  { contract }: { readonly contract?: string },
): readonly Diagnostic[] {
  const contracts = [...DEFAULT_FILES, ...(contract === undefined ? [] : [contract])];
  if (!contracts.some((one) => resolve(directory, one) === resolve(directory, file))) return [];
  const detail = `${file} is the contract. Waivers are proposed in another file, and signed before they are moved there.`;
  return [error("Waivers are never written into the contract", detail)];
}
