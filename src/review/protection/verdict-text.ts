import { groupBy } from "../../core/group-by";
import { error, warning, type Diagnostic } from "../../core/diagnostics";
import { joined, printed, quote, type Printed } from "../../core/printed";
import { shortStackList } from "../exclusions/exclusions-text";
import { titlesOf, type CheckTitles } from "./check-titles";
import { effectDigest } from "./effect-digest";
import { describeCounts, examplesOf } from "./protection-text";
import { describeHidden, severityOf } from "./severity";
import type { OpenRegion, SignedWaiver, Verdict, VerdictOutcome } from "./verdict";
import { describeRegion, type Extent } from "./where-text";

/** Regions that an error in a terminal lists. */
const MOST_REGIONS = 5;

const TITLES: Readonly<Record<VerdictOutcome, string>> = {
  passed: "Passed",
  unknown: "Not proved",
  weaker: "Protection gets weaker",
  violated: "The contract is violated",
  failed: "Some stacks could not be planned",
};

/** `The contract is violated: 1 of 3 clauses is not met` */
export function describeVerdict({ outcome, clauses }: Verdict): string {
  const broken = clauses.filter(({ result }) => result !== "met").length;
  if (broken === 0) return TITLES[outcome];
  const verb = broken === 1 ? "is" : "are";
  return `${TITLES[outcome]}: ${broken} of ${clauses.length} ${clauses.length === 1 ? "clause" : "clauses"} of the contract ${verb} not met`;
}

/** The title of the waivers in each form of a review. */
export const WAIVED = "Waived by the contract";

/** `payments@example.com, until 2027-03-01: runs as root until the migration` */
export function describeWaiver({ owner, reason, expires }: SignedWaiver): Printed {
  return printed`${owner}, until ${expires}: ${reason}`;
}

/** The waivers by which plans pass. Empty without any. */
export function waivedText({ waivers }: Verdict): Printed {
  const used = waivers.filter(({ state }) => state === "used");
  const lines = used.map((waiver) => printed`  - ${describeWaiver(waiver)}`);
  return lines.length === 0 ? printed`` : printed`\n${WAIVED}:\n${joined(lines, "\n")}\n`;
}

/**
 * The warnings and errors of a verdict. Stacks are one error if all that it says is so for each of
 * them: 150 like tenants are one entry.
 */
export function verdictDiagnostics(verdict: Verdict, extent: Extent = {}): readonly Diagnostic[] {
  return [
    ...waiverWarnings(verdict),
    ...breachErrors(verdict, extent),
    ...(verdict.failsOnWeaker ? weakeningErrors(verdict, extent) : []),
  ];
}

/** Warnings for waivers without effect. */
function waiverWarnings({ waivers }: Verdict): readonly Diagnostic[] {
  return waivers.flatMap(({ place, owner, expires, state }) => {
    if (state === "expired") {
      const detail = `${place}: the waiver of ${owner} was valid until ${expires}. Remove it, or set a later date if it is approved again.`;
      return [warning("Waiver has expired", detail)];
    }
    if (state !== "unused") return [];
    const detail = `${place}: no plan of this run needs the waiver of ${owner}. Remove it when nothing else needs it.`;
    return [warning("Waiver is not used", detail)];
  });
}

/** Errors for the clauses that plans do not keep. */
function breachErrors({ clauses, titles }: Verdict, extent: Extent): readonly Diagnostic[] {
  const described = clauses.flatMap((clause) =>
    clause.breaches.map(({ stack, unproved, regions, isHidden }) => {
      return { clause, stack, unproved, shown: regionLines(regions, isHidden, titles, extent) };
    }),
  );
  const groups = groupBy(described, ({ clause, unproved, shown }) =>
    JSON.stringify([clause.place, unproved, shown.map(String)]),
  );
  return groups.map((group) => {
    const [{ clause, unproved, shown }] = group;
    const isRequirement = clause.kind === "requirement";
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
function weakeningErrors({ open, titles }: Verdict, extent: Extent): readonly Diagnostic[] {
  const described = open.map((weakening) => {
    const { review, regions } = weakening;
    const shown = (examples: readonly OpenRegion[]) =>
      regionLines(examples, review.isHidden, titlesOf({ titles, live: review.live }), extent);
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
    const isOne = group.length === 1;
    const names = isOne ? quote(stack) : shortStackList(distinctStacks(group));
    const title = printed`${isOne ? "Stack" : "Stacks"} ${names}: ${addresses.join(", ")}. ${describeCounts(review)}.`;
    const [name, digest] = [isOne ? stack : address, effectDigest(review)];
    const advice = `If you intend this, add a waiver (--propose-waivers FILE drafts one), or pass --allow-weaker ${JSON.stringify(name)}; --allow-weaker ${JSON.stringify(`${name}@${digest}`)} allows exactly this effect.`;
    return error(
      "Protection gets weaker",
      printed`${joined([title, ...shown], "\n")}\n\n${advice}`,
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
  extent: Extent,
): readonly Printed[] {
  if (regions.length === 0) return [];
  if (isHidden) return [printed`  (sensitive value)`];
  const worst = [...regions].sort(
    (one, other) => severityOf(one.region) - severityOf(other.region),
  );
  const shown = extent.isWhole ? worst : worst.slice(0, MOST_REGIONS);
  const more = describeHidden(worst.slice(shown.length).map(({ region }) => region));
  return [
    ...shown.map((one) => regionLine(one, titles, extent)),
    ...(more === undefined ? [] : [printed`  ${more}`]),
  ];
}

function regionLine(
  { region, enough, outside }: OpenRegion,
  titles: CheckTitles,
  extent: Extent,
): Printed {
  const example = outside ?? region.example;
  const next = enough
    ? printed` Policy ${enough.position ?? ""} (${quote(enough.policy ?? "")}) does what is required: move it in front.`
    : "";
  return printed`  ${describeRegion({ ...region, example }, titles, extent)}${next}`;
}
