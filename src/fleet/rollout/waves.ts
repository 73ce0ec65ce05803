import { labelMatcher } from "../selection/label-filter";
import type { StackLabels } from "../selection/labels";
import { roundedUp } from "./share";
import { unitsOf, type Unit } from "./units";
import type { Waves, WaveStep } from "./wave-steps";

/** The stacks to divide into waves. */
export interface WaveRequest {
  /** In the order of their start. */
  readonly stacks: readonly string[];
  /** Those with changes. Only they count; the others are where those need them. */
  readonly changed: ReadonlySet<string>;
  /** The stacks that a stack waits for. */
  readonly awaited: ReadonlyMap<string, ReadonlySet<string>>;
  readonly waves: Waves;
  /** Default: no labels. */
  readonly labels?: (stack: string) => StackLabels;
}

/** A wave before its start. */
export interface PlannedWave {
  readonly stacks: readonly string[];
  /** The number of stacks that change at a time, if the wave limits it. */
  readonly most?: number | undefined;
  /** The wave starts after an approval only. */
  readonly manual?: boolean | undefined;
}

/**
 * Divides stacks into waves in their order. A stack is in no earlier wave than those that it waits
 * for; stacks that wait for each other are in one wave, the first one with room for all of them. So
 * a wave has as many stacks as asked for, or fewer. No wave is without changes, if there are any.
 * `left` has the stacks that no step takes.
 */
export function planWaves(request: WaveRequest): {
  readonly waves: readonly PlannedWave[];
  readonly left: readonly string[];
} {
  const { stacks, changed, awaited, waves } = request;
  const weigh = (some: readonly string[]) => some.filter((stack) => changed.has(stack)).length;
  const placed = new Set<string>();
  /** Units that a step would have taken if they waited for no stack of a later one. */
  const held = new Set<Unit>();
  let left = unitsOf(stacks, awaited);
  const planned = waves.map((step): PlannedWave => {
    const selects = selectorOf(step, request);
    const selected = stacks.filter(selects);
    const target = roundedUp(step.share, weigh(selected));
    let taken = weigh(selected.filter((stack) => placed.has(stack)));
    const later: Unit[] = [];
    const behind = new Set<string>();
    const wave = left.filter((unit) => {
      const isSelected = unit.some(selects);
      const weight = weigh(unit.filter(selects));
      const waits = unit.some((stack) => intersects(awaited.get(stack), behind));
      const hasRoom = weight === 0 || taken + weight <= target;
      const isTaken = held.has(unit) || (isSelected && hasRoom);
      if (!waits && isTaken) {
        taken += weight;
        for (const stack of unit) placed.add(stack);
        return true;
      }
      if (isTaken) held.add(unit);
      later.push(unit);
      for (const stack of unit) behind.add(stack);
      return false;
    });
    left = later;
    return { stacks: wave.flat(), most: step.most, manual: step.manual };
  });
  return { waves: withoutEmpty(planned, weigh), left: left.flat() };
}

function selectorOf({ selector }: WaveStep, { labels }: WaveRequest): (stack: string) => boolean {
  if (!selector) return () => true;
  const matches = labelMatcher(selector);
  return (stack) => matches(labels?.(stack) ?? {});
}

/** Stacks without changes are no separate wave. */
function withoutEmpty(
  planned: readonly PlannedWave[],
  weigh: (stacks: readonly string[]) => number,
): readonly PlannedWave[] {
  const merged: PlannedWave[] = [];
  for (const wave of planned) {
    const last = merged.at(-1);
    if (last && (weigh(wave.stacks) === 0 || weigh(last.stacks) === 0)) {
      const kept = weigh(last.stacks) === 0 && wave.stacks.length > 0 ? wave : last;
      merged.splice(-1, 1, { ...kept, stacks: [...last.stacks, ...wave.stacks] });
    } else if (wave.stacks.length > 0) {
      merged.push(wave);
    }
  }
  return merged;
}

function intersects(some: ReadonlySet<string> = new Set(), others: ReadonlySet<string>): boolean {
  const [small, large] = some.size < others.size ? [some, others] : [others, some];
  return [...small].some((stack) => large.has(stack));
}
