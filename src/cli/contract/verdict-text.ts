import { groupBy } from "../../core/group-by";
import { error, warning, type Diagnostic } from "../../core/diagnostics";
import { joined, printed, quote, type Printed } from "../../core/printed";
import { titlesOf, type CheckTitles } from "../../review/protection/check-titles";
import { describeCounts, examplesOf } from "../../review/protection/protection-text";
import { describeRegion, describeWorkload } from "../../review/protection/where-text";
import { describeHidden, severityOf } from "../../review/protection/severity";
import { describeWaiver, WAIVED } from "../../review/protection/signed-waiver";
import { effectDigest } from "../../review/protection/effect-digest";
import type { JudgedWaiver } from "../../review/protection/verdict";
import { shortStackList } from "../../review/exclusions/exclusions-text";
import type { Breach, OpenRegion, Weakening } from "./judge";
import type { WaiverClause } from "./contract";

/** Regions that an error lists. */
const MOST_REGIONS = 5;

/*
 * Stacks are one error if all that it says is so for each of them: 150 like tenants are one entry.
 */

/** Errors for the clauses that plans do not keep. */
export function breachErrors(
  breaches: readonly Breach[],
  titles: CheckTitles,
): readonly Diagnostic[] {
  const described = breaches.map((breach) => ({
    ...breach,
    shown: regionLines(breach.regions, breach.isHidden, titles),
  }));
  const groups = groupBy(described, ({ clause, unproved, shown }) =>
    JSON.stringify([clause.place, unproved, shown.map(String)]),
  );
  return groups.map((group) => {
    const [{ clause, unproved, shown }] = group;
    const isRequirement = "name" in clause && "where" in clause;
    const stacks = shortStackList(distinctStacks(group));
    const subject = isRequirement
      ? printed`${clause.place}: "${clause.name}" is not met by ${stacks}.`
      : printed`${clause.place}: ${stacks} protects less than ${clause.name}.`;
    const lines = [
      subject,
      ...(unproved === undefined
        ? []
        : [printed`It cannot be proved: ${unproved} --allow-unknown accepts that.`]),
      ...shown,
    ];
    const advice = printed`Change the policies, or add a waiver: --propose-waivers FILE drafts one.`;
    return error(
      isRequirement ? "Requirement is violated" : "Base line is not met",
      printed`${joined(lines, "\n")}\n\n${advice}`,
    );
  });
}

/**
 * Errors for plans that weaken protection. The example of a region is one of the first stack's
 * workloads, if those that run were read.
 */
export function weakeningErrors(
  weakenings: readonly Weakening[],
  titles: CheckTitles,
): readonly Diagnostic[] {
  const described = weakenings.map((weakening) => {
    const { review, regions } = weakening;
    const shown = (examples: readonly OpenRegion[]) =>
      regionLines(examples, review.isHidden, titlesOf({ titles, live: review.live }));
    // Any workload is an example where no waiver allows the change for some.
    const exampleOf = examplesOf(review);
    const examples = regions.map((one) => ({
      ...one,
      outside: one.outside ?? exampleOf(one.region),
    }));
    return { ...weakening, shown: shown(examples), key: shown(regions).map(String) };
  });
  const groups = groupBy(described, ({ review, key }) =>
    JSON.stringify([review.addresses, describeCounts(review), effectDigest(review), key]),
  );
  return groups.map((group) => {
    const [{ stack, review, shown }] = group;
    const { addresses } = review;
    const [address = ""] = addresses;
    const digest = effectDigest(review);
    const title = group.length === 1 ? "Stack" : "Stacks";
    const names = group.length === 1 ? quote(stack) : shortStackList(distinctStacks(group));
    const name = group.length === 1 ? stack : address;
    return error(
      "Protection gets weaker",
      printed`${joined(
        [printed`${title} ${names}: ${addresses.join(", ")}. ${describeCounts(review)}.`, ...shown],
        "\n",
      )}\n\nIf you intend this, add a waiver (--propose-waivers FILE drafts one), or pass --allow-weaker ${JSON.stringify(name)}; --allow-weaker ${JSON.stringify(`${name}@${digest}`)} allows exactly this effect.`,
    );
  });
}

function distinctStacks(group: readonly { readonly stack: string }[]): readonly string[] {
  return [...new Set(group.map(({ stack }) => stack))];
}

function regionLines(
  regions: readonly OpenRegion[],
  isHidden: boolean,
  titles: CheckTitles,
): readonly Printed[] {
  if (regions.length === 0) return [];
  if (isHidden) return [printed`  (sensitive value)`];
  const worst = [...regions].sort(
    (one, other) => severityOf(one.region) - severityOf(other.region),
  );
  const more = describeHidden(worst.slice(MOST_REGIONS).map(({ region }) => region));
  return [
    ...worst.slice(0, MOST_REGIONS).map((one) => regionLine(one, titles)),
    ...(more === undefined ? [] : [printed`  ${more}`]),
  ];
}

function regionLine({ region, enough, outside }: OpenRegion, titles: CheckTitles): Printed {
  const { after, example } = region;
  const workload = outside ?? example;
  const shown = workload ? describeWorkload(workload) : undefined;
  const decider =
    after.policy === null
      ? "no policy decides"
      : `policy ${after.position ?? ""} (${quote(after.policy)}) decides`;
  return joined(
    [
      printed`  ${describeRegion(region, titles)}; ${decider}${region.certainty === "certain" ? "" : " (not certain)"}.`,
      ...(shown === undefined ? [] : [printed`For example ${shown}.`]),
      ...(enough
        ? [
            printed`Policy ${enough.position ?? ""} (${quote(enough.policy ?? "")}) does what is required: move it in front.`,
          ]
        : []),
    ],
    " ",
  );
}

/** The waivers by which plans pass. Empty without any. */
export function waivedText(used: ReadonlySet<WaiverClause>): Printed {
  const lines = [...used].map((waiver) => printed`  - ${describeWaiver(waiver)}`);
  return lines.length === 0 ? printed`` : printed`\n${WAIVED}:\n${joined(lines, "\n")}\n`;
}

/** A warning for a waiver without effect; nothing for another one. */
export function waiverWarning({
  place,
  owner,
  expires,
  state,
}: JudgedWaiver): readonly Diagnostic[] {
  switch (state) {
    case "expired":
      return [
        warning(
          "Waiver has expired",
          `${place}: the waiver of ${owner} was valid until ${expires}.`,
        ),
      ];
    case "unused":
      return [
        warning(
          "Waiver is not used",
          `${place}: no plan of this run needs the waiver of ${owner}. Remove it when nothing else needs it.`,
        ),
      ];
    case "used":
    case "idle":
      return [];
  }
}
