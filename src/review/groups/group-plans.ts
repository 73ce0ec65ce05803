import type { Diagnostic } from "../../core/diagnostics";
import {
  isShown,
  type OutputChange,
  type ResourceChange,
  type StackPlan,
} from "../../core/documents/stack-plan";
import { noteOf, withNote } from "../../core/notes";
import { groupBy } from "../../core/group-by";
import { LIVE, sumReadings, type LiveReading } from "../protection/live-reading";
import { reviewProtection } from "../protection/review-protection";
import { byRank, NOT_WEAKER, runningWeaker, worstOf, type Ranked } from "../protection/severity";
import { compareChange } from "../../formats/text/resource-text";
import { stackTitle } from "../../formats/text/stack-title";
import { changeKeys, diagnosticKey, driftKey, outputKey } from "./alike";
import { SHORTENED, type PlanGroup } from "./plan-group";
import { mergeVariants } from "./variants";

export interface GroupedPlans {
  /** Those that weaken protection come first, the worst first; then those of the fewest stacks. */
  readonly groups: readonly PlanGroup[];
  /** The titles of the stacks without changes. */
  readonly unchanged: readonly string[];
}

interface GroupOptions {
  /** Changes that differ only in entries that the short form does not show are not alike. */
  readonly attributes?: boolean | undefined;
}

/** A change, an output or a diagnostic with the stacks that have it. */
interface Part {
  /** Several if the stacks differ in what the short form does not show. */
  readonly exact: Set<string>;
  readonly stacks: number[];
  /** An output whose values differ in many stacks. */
  readonly isOwn: boolean;
  /** The running containers of the stacks. */
  readonly live: LiveReading[];
}

/** Outputs with more different values are not shown value by value. */
const MOST_VALUES = 10;

/**
 * Groups what is alike in the plans of several stacks: each part is in one group, with all stacks
 * that have it.
 */
export function groupPlans(
  plans: readonly StackPlan[],
  { attributes = false }: GroupOptions = {},
): GroupedPlans {
  const own = ownOutputs(plans);
  const shorts = attributes ? undefined : new Map<string, string>();
  const keyed = plans.map((plan) => keysOf(plan, own, shorts));
  const parts = new Map<string, Part>();
  for (const [stack, keys] of keyed.entries()) {
    for (const [part, { key, exact }] of keys) {
      const known = parts.get(key) ?? {
        exact: new Set(),
        stacks: [],
        isOwn: own.has(part),
        live: [],
      };
      parts.set(key, known);
      known.exact.add(exact);
      if (known.stacks.at(-1) !== stack) known.stacks.push(stack);
      const live = "mode" in part ? noteOf(part, LIVE) : undefined;
      if (live) known.live.push(live);
    }
  }
  const titles = plans.map(stackTitle);
  const clusters = groupBy([...parts], ([, { stacks }]) => stacks.join());
  const groups = clusters.flatMap((cluster): PlanGroup[] => {
    const [[, { stacks }]] = cluster;
    const [plan, keys] = [plans[stacks[0] ?? 0], keyed[stacks[0] ?? 0]];
    const names = stacks.flatMap((stack) => titles[stack] ?? []);
    return plan && keys ? [groupOf(plan, keys, new Map(cluster), names)] : [];
  });
  return {
    groups: sortGroups(attributes ? groups : mergeVariants(groups, titles)),
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
  const keyed = plans.map((plan) => ({
    plan,
    keys: [...keysOf(plan, own).values()].map(({ key }) => key),
  }));
  return groupBy(keyed, ({ plan: { workspace }, keys }) =>
    JSON.stringify([workspace, ...keys]),
  ).map((group) => ({ plan: group[0].plan, stacks: group.map(({ plan }) => plan.stack) }));
}

type PlanPart = ResourceChange | OutputChange | Diagnostic;
type Keys = ReadonlyMap<PlanPart, { readonly key: string; readonly exact: string }>;

/** @param shorts The keys of the short form, by exact keys. Absent: whole attributes are shown. */
function keysOf(plan: StackPlan, own: ReadonlySet<object>, shorts?: Map<string, string>): Keys {
  const keys = new Map<PlanPart, { readonly key: string; readonly exact: string }>();
  const add = (part: PlanPart, exact: string, key = exact) => keys.set(part, { key, exact });
  const changes = changeKeys(plan);
  for (const change of plan.changes.filter(isShown)) {
    const { exact = "", short } = changes.get(change) ?? {};
    const key = shorts?.get(exact) ?? (shorts && short?.()) ?? exact;
    shorts?.set(exact, key);
    add(change, exact, `change ${key}`);
  }
  for (const change of plan.drift.filter(isVisible)) add(change, `drift ${driftKey(change)}`);
  for (const output of plan.outputs.filter(isChanged))
    add(output, `output ${outputKey(output, own.has(output))}`);
  for (const found of plan.diagnostics) add(found, `diagnostic ${diagnosticKey(found)}`);
  return keys;
}

function groupOf(
  plan: StackPlan,
  keys: Keys,
  parts: ReadonlyMap<string, Part>,
  stacks: readonly string[],
): PlanGroup {
  const partOf = (one: PlanPart) => parts.get(keys.get(one)?.key ?? "");
  const isMember = (one: PlanPart) => partOf(one) !== undefined;
  const shared = (change: ResourceChange): ResourceChange => {
    const { live = [], exact } = partOf(change) ?? {};
    const isShortened = exact !== undefined && exact.size > 1;
    if (live.length < 2 && !isShortened) return change; // A copy would be reviewed again.
    const read = live.length > 0 ? withNote(change, LIVE, sumReadings(live)) : change;
    return isShortened ? withNote(read, SHORTENED, true) : read;
  };
  const outputs = plan.outputs.filter(isMember);
  const own = outputs.filter((output) => partOf(output)?.isOwn);
  return {
    plan: {
      ...plan,
      changes: plan.changes.filter(isMember).map(shared),
      drift: plan.drift.filter(isMember),
      outputs: outputs.filter((output) => !own.includes(output)),
      diagnostics: plan.diagnostics.filter(isMember),
    },
    stacks,
    ownOutputs: own.map(({ name }) => name),
    variants: [],
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

function sortGroups(groups: readonly PlanGroup[]): readonly PlanGroup[] {
  return groups
    .map((group) => ({ group, rank: rankOf(group) }))
    .sort((a, b) => byRank(a.rank, b.rank) || a.group.stacks.length - b.group.stacks.length)
    .map(({ group }) => group);
}

/** The number of stacks counts only if protection gets weaker. */
function rankOf({ plan, stacks }: PlanGroup): Ranked {
  const reviews = [...reviewProtection(plan).values()];
  const severity = worstOf(reviews);
  const running = reviews.reduce((most, review) => Math.max(most, runningWeaker(review)), 0);
  return { severity, running, stacks: severity < NOT_WEAKER ? stacks.length : 0 };
}
