import type { Diagnostic } from "../../core/diagnostics";
import {
  isShown,
  type OutputChange,
  type ResourceChange,
  type StackPlan,
} from "../../core/documents/stack-plan";
import { groupBy } from "../../core/group-by";
import { sumReadings, type LiveReading } from "../protection/live-reading";
import { countWeaker, reviewProtection } from "../protection/review-protection";
import { compareChange } from "../../formats/text/resource-text";
import { stackTitle } from "../../formats/text/stack-title";
import { changeKeys, diagnosticKey, driftKey, outputKey } from "./alike";

/** Parts of plans that the same stacks have. */
export interface PlanGroup {
  /** The plan of the first of the stacks, with these parts only. */
  readonly plan: StackPlan;
  /** The titles of the stacks, in their order. */
  readonly stacks: readonly string[];
  /** Outputs that change in each of the stacks, to values that differ. The plan has none of them. */
  readonly ownOutputs: readonly string[];
}

export interface GroupedPlans {
  /** Those that weaken protection come first, then those of the fewest stacks. */
  readonly groups: readonly PlanGroup[];
  /** The titles of the stacks without changes. */
  readonly unchanged: readonly string[];
}

/** A change, an output or a diagnostic with the stacks that have it. */
interface Part {
  readonly stacks: number[];
  readonly isOwnOutput: boolean;
  /** The running containers of the stacks. */
  readonly live: LiveReading[];
}

/** Outputs with more different values are not shown value by value. */
const MOST_VALUES = 10;

/**
 * Groups what is alike in the plans of several stacks: each part is in one group, with all stacks
 * that have it.
 */
export function groupPlans(plans: readonly StackPlan[]): GroupedPlans {
  const own = ownOutputs(plans);
  const keyed = plans.map((plan) => keysOf(plan, own));
  const parts = new Map<string, Part>();
  for (const [stack, keys] of keyed.entries()) {
    for (const [part, key] of keys) {
      const known = parts.get(key) ?? { stacks: [], isOwnOutput: own.has(part), live: [] };
      parts.set(key, known);
      if (known.stacks.at(-1) !== stack) known.stacks.push(stack);
      if ("live" in part) known.live.push(part.live);
    }
  }
  const clusters = groupBy([...parts], ([, { stacks }]) => stacks.join());
  const groups = clusters.flatMap((cluster): PlanGroup[] => {
    const [[, { stacks }]] = cluster;
    const [first = 0] = stacks;
    const [plan, keys] = [plans[first], keyed[first]];
    return plan && keys ? [groupOf(plan, keys, new Map(cluster), titles(plans, stacks))] : [];
  });
  return {
    groups: sortGroups(groups),
    unchanged: plans.filter((plan) => !changesSomething(plan)).map(stackTitle),
  };
}

/** The plan of several stacks that differ only in what the console computes. */
export interface AlikePlans {
  /** The plan of the first of them. */
  readonly plan: StackPlan;
  /** Their names. */
  readonly stacks: readonly string[];
}

/** Groups stacks whose plans are alike in all parts, in the order of the stacks. */
export function groupAlike(plans: readonly StackPlan[]): readonly AlikePlans[] {
  const own = new Set<object>(plans.flatMap(({ outputs }) => outputs));
  const keyed = plans.map((plan) => ({ plan, keys: [...keysOf(plan, own).values()] }));
  return groupBy(keyed, ({ plan: { workspace }, keys }) =>
    JSON.stringify([workspace, ...keys]),
  ).map((group) => ({ plan: group[0].plan, stacks: group.map(({ plan }) => plan.stack) }));
}

type PlanPart = ResourceChange | OutputChange | Diagnostic;
type Keys = ReadonlyMap<PlanPart, string>;

function keysOf(plan: StackPlan, own: ReadonlySet<object>): Keys {
  const keys = new Map<PlanPart, string>();
  const changes = changeKeys(plan);
  for (const change of plan.changes.filter(isShown)) {
    keys.set(change, `change ${changes.get(change) ?? ""}`);
  }
  for (const change of plan.drift.filter(isVisible)) keys.set(change, `drift ${driftKey(change)}`);
  for (const output of plan.outputs.filter(isChanged)) {
    keys.set(output, `output ${outputKey(output, own.has(output))}`);
  }
  for (const found of plan.diagnostics) keys.set(found, `diagnostic ${diagnosticKey(found)}`);
  return keys;
}

function groupOf(
  plan: StackPlan,
  keys: Keys,
  parts: ReadonlyMap<string, Part>,
  stacks: readonly string[],
): PlanGroup {
  const partOf = (one: PlanPart) => parts.get(keys.get(one) ?? "");
  const isMember = (one: PlanPart) => partOf(one) !== undefined;
  const withLive = (change: ResourceChange): ResourceChange =>
    change.live ? { ...change, live: sumReadings(partOf(change)?.live ?? []) } : change;
  const outputs = plan.outputs.filter(isMember);
  return {
    plan: {
      ...plan,
      changes: plan.changes.filter(isMember).map(withLive),
      drift: plan.drift.filter(isMember),
      outputs: outputs.filter((output) => !partOf(output)?.isOwnOutput),
      diagnostics: plan.diagnostics.filter(isMember),
    },
    stacks,
    ownOutputs: outputs.filter((output) => partOf(output)?.isOwnOutput).map(({ name }) => name),
  };
}

/** Finds the outputs whose values differ in many stacks, such as the address of a console. */
function ownOutputs(plans: readonly StackPlan[]): ReadonlySet<object> {
  const outputs = plans.flatMap((plan) => plan.outputs.filter(isChanged));
  const groups = groupBy(outputs, (output) => outputKey(output, true));
  const own = groups.filter(
    (group) => new Set(group.map((output) => outputKey(output))).size > MOST_VALUES,
  );
  return new Set<object>(own.flat());
}

function isChanged({ action }: OutputChange): boolean {
  return action !== "no-op";
}

function isVisible(change: ResourceChange): boolean {
  return compareChange(change).effect !== "none" || change.previousAddress !== undefined;
}

function changesSomething({ changes, drift, outputs }: StackPlan): boolean {
  return changes.some(isShown) || drift.some(isVisible) || outputs.some(isChanged);
}

function titles(plans: readonly StackPlan[], indexes: readonly number[]): readonly string[] {
  return indexes.flatMap((index) => {
    const plan = plans[index];
    return plan ? [stackTitle(plan)] : [];
  });
}

function sortGroups(groups: readonly PlanGroup[]): readonly PlanGroup[] {
  const rank = ({ plan }: PlanGroup) =>
    [...reviewProtection(plan).values()].some((one) => countWeaker(one) > 0) ? 0 : 1;
  return groups
    .map((group) => ({ group, rank: rank(group) }))
    .sort((a, b) => a.rank - b.rank || a.group.stacks.length - b.group.stacks.length)
    .map(({ group }) => group);
}
