import { resolve } from "node:path";
import { error, type Diagnostic } from "../../core/diagnostics";
import { groupBy } from "../../core/group-by";
import { printable } from "../../core/printed";
import { waiverFor } from "../../protection/waiver";
import { describeWorkload } from "../../review/protection/protection-text";
import type { OpenRegion } from "./judge";
import { DEFAULT_FILES } from "./read-contract";

/** Regions of a stack that need a waiver. */
export interface Needed {
  readonly stack: string;
  readonly regions: readonly OpenRegion[];
  readonly isHidden: boolean;
}

const EFFECTS = { blocks: "block", alerts: "alert", none: "none" } as const;

/** Writes the waivers that plans need, without the owner, the reason and the date of those who sign. */
export function proposal(needed: readonly Needed[]): string {
  const entries = needed.flatMap(({ stack, regions, isHidden }) =>
    isHidden ? [] : regions.map((one) => ({ stack, one, waiver: waiverFor(one.region) })),
  );
  const alike = groupBy(entries, ({ waiver: { where, checks } }) =>
    JSON.stringify([where, [...checks]]),
  );
  const hidden = new Set(needed.filter(({ isHidden }) => isHidden).map(({ stack }) => stack));
  const lines = alike.flatMap((group) => {
    const [{ one, waiver }] = group;
    const stacks = [...new Set(group.map(({ stack }) => stack))];
    const workload = one.outside ?? one.region.example;
    const example = workload ? describeWorkload(workload) : undefined;
    const checks = [...waiver.checks].map(
      ([id, { from, to }]) =>
        [id, { from: EFFECTS[from ?? "none"], to: EFFECTS[to ?? "none"] }] as const,
    );
    const isEverything = Object.keys(waiver.where).length === 0;
    return [
      ...(example === undefined ? [] : [`  # for example ${example}`]),
      `  - ${isEverything ? "" : `where: ${inline(waiver.where)}\n    `}checks: ${inline(Object.fromEntries(checks))}`,
      `    stacks: ${inline(stacks)}`,
      `    owner: ""`,
      `    reason: ""`,
      `    expires: ""`,
    ];
  });
  return [
    "# Waivers that the plan needs. Those who accept one add an owner, a reason and the last day on which",
    "# it is valid, and move it to the contract.",
    ...[...hidden].map(
      (stack) => `# Policies of ${printable(stack)} are sensitive: its waivers are not listed.`,
    ),
    "version: 1",
    ...(lines.length === 0 ? ["waivers: []"] : ["waivers:", ...lines]),
    "",
  ].join("\n");
}

/** JSON is YAML; text from outside stays in quotes. */
function inline(value: object): string {
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
