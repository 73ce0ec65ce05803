import { describeWaiver } from "../protection/verdict-text";
import { describeRegion } from "../protection/where-text";
import type { ProtectionDocument as Protection, ReviewDocument } from "../json/review-schema";

type Region = Protection["regions"][number];

/** The kinds of findings, with what each means. */
export const RULES = {
  "planning-failed": "Nothing was planned.",
  "stack-failed": "A stack could not be planned.",
  "requirement-not-met": "A clause of the contract is not kept, or nothing proves that it is.",
  "protection-weaker": "A change protects workloads less.",
  "drift-weaker": "A change that was made outside of the stacks protects workloads less.",
  "review-incomplete": "Some of the policies that decide are not known.",
  "waiver-expired": "A waiver of the contract has expired.",
  "waiver-unused": "No plan needs a waiver of the contract.",
  warning: "A warning of a plan.",
} as const;

/** One fact of a review that code hosts list. */
export interface Finding {
  readonly rule: keyof typeof RULES;
  readonly level: "error" | "warning";
  /** The stack; absent in findings about the contract or the run. */
  readonly stack?: string;
  readonly address?: string;
  readonly text: string;
  /** Who accepted it, by a waiver of the contract. */
  readonly waivedBy?: string;
}

/**
 * Lists the findings of a review, the verdict's first. Some finding that is not waived is an error unless
 * the verdict is `passed`: an option may allow what is weaker, and only `unknown` fails what is possible.
 */
export function findingsOf(document: ReviewDocument): readonly Finding[] {
  const { verdict } = document;
  return listed(document).map((found): Finding => {
    const isAllowed = verdict === "passed" && found.waivedBy === undefined;
    const isDoubtful = verdict === "unknown" && found.rule === "protection-weaker";
    return isAllowed
      ? { ...found, level: "warning" }
      : isDoubtful
        ? { ...found, level: "error" }
        : found;
  });
}

function listed(document: ReviewDocument): readonly Finding[] {
  const { stacks, errors = [], requirements = [], warnings = [] } = document;
  const unused = document.unused_waivers ?? [];
  const expired = document.expired_waivers ?? [];
  return [
    ...errors.map(({ summary, detail }): Finding =>
      finding("planning-failed", "error", `${summary}: ${detail}`),
    ),
    ...stacks.flatMap(({ name, error }): readonly Finding[] =>
      error === undefined ? [] : [{ ...finding("stack-failed", "error", error), stack: name }],
    ),
    ...requirements.flatMap(({ name, place, breaches }) =>
      breaches.map(({ stack, unproved, regions }): Finding => {
        const where = regions.map(textOf).join(" ");
        const text = `${place}: ${JSON.stringify(name)} is not met. ${unproved ?? where}`;
        return { ...finding("requirement-not-met", "error", text.trim()), stack };
      }),
    ),
    ...stacks.flatMap(({ name, protection }) =>
      protection.flatMap((one) => findingsIn(one, "protection-weaker", name)),
    ),
    ...stacks.flatMap(({ name, drift }) =>
      drift.flatMap((one) =>
        one.protection.flatMap((each) => findingsIn(each, "drift-weaker", name)),
      ),
    ),
    ...expired.map(({ place, owner, expires }) =>
      finding("waiver-expired", "warning", `${place}: the waiver of ${owner} ended on ${expires}.`),
    ),
    ...unused.map(({ place, owner }) =>
      finding("waiver-unused", "warning", `${place}: no plan needs the waiver of ${owner}.`),
    ),
    ...warnings.flatMap(({ summary, detail, address, stacks: names }) =>
      names.map((stack): Finding => ({
        ...finding("warning", "warning", `${summary}: ${detail}`),
        stack,
        ...(address !== undefined && { address }),
      })),
    ),
  ];
}

function finding(rule: Finding["rule"], level: Finding["level"], text: string): Finding {
  return { rule, level, text };
}

function findingsIn(
  { addresses: [address], regions, coverage, ...review }: Protection,
  rule: Finding["rule"],
  stack: string,
): readonly Finding[] {
  const place = { stack, ...(address !== undefined && { address }) };
  const hidden = `${review.weaker} effects are weaker; the policies are sensitive.`;
  return [
    ...(review.sensitive && review.weaker > 0 ? [finding(rule, "error", hidden)] : []),
    ...regions
      .filter(({ change }) => change === "weaker")
      .map((region) => ({
        ...finding(rule, levelOf(region), textOf(region)),
        ...(region.waived_by && { waivedBy: region.waived_by.map(describeWaiver).join("; ") }),
      })),
    ...coverage
      .filter(({ change }) => change === "weaker")
      .map((one) =>
        finding(rule, levelOf(one), `Less is covered by ${JSON.stringify(one.entry)}.`),
      ),
    ...(review.complete ? [] : [finding("review-incomplete", "warning", review.reasons.join(" "))]),
  ].map((found) => ({ ...found, ...place }));
}

/** A possible effect is a warning. */
function levelOf({ certainty }: Pick<Region, "certainty">): Finding["level"] {
  return certainty === "certain" ? "error" : "warning";
}

function textOf(region: Region): string {
  const titles = new Map(
    region.checks.flatMap(({ id, title }) => (title === undefined ? [] : [[id, title] as const])),
  );
  return describeRegion(region, titles, { isWhole: true });
}
