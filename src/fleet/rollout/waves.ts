import { compareShares, parseShare, roundedUp, type Share } from "./share";
import { unitsOf, type Unit } from "./units";

/** The cumulative sizes of waves; the last one is all stacks. */
export type Waves = readonly Share[];

/** Parses `1,5%,100%`. Returns a sentence with the problem for another text. */
export function parseWaves(text: string): { waves: Waves } | { problem: string } {
  const waves: Share[] = [];
  for (const part of text.split(",")) {
    const share = parseShare(part.trim());
    if (!share || isNothing(share)) {
      return { problem: "Each wave must be a number from 1 or a percentage, as in 1,5%,100%." };
    }
    const before = waves.findLast(({ kind }) => kind === share.kind);
    if (before && compareShares(share, before) <= 0) {
      return { problem: "Waves are cumulative: each must be larger than the one before." };
    }
    waves.push(share);
  }
  const last = waves.at(-1);
  if (last?.kind !== "part" || last.numerator !== last.denominator) {
    return { problem: "The last wave must be 100%, as in 1,5%,100%." };
  }
  return { waves };
}

function isNothing(share: Share): boolean {
  return share.kind === "count" ? share.count === 0 : share.numerator === 0;
}

/** Returns the cumulative number of stacks of each wave. They never decrease; the last is `total`. */
export function waveTargets(waves: Waves, total: number): readonly number[] {
  let most = 0;
  return waves.map((share) => (most = Math.max(most, roundedUp(share, total))));
}

/** The stacks to divide into waves. */
export interface WaveRequest {
  /** In the order of their start. */
  readonly stacks: readonly string[];
  /** Those with changes. Only they count; the others are where those need them. */
  readonly changed: ReadonlySet<string>;
  /** The stacks that a stack waits for. */
  readonly awaited: ReadonlyMap<string, ReadonlySet<string>>;
  readonly waves: Waves;
}

/**
 * Divides stacks into waves in their order. A stack is in no earlier wave than those that it waits
 * for; stacks that wait for each other are in one wave, the first one with room for all of them. So
 * a wave has as many stacks as asked for, or fewer. No wave is without changes, if there are any.
 */
export function planWaves({
  stacks,
  changed,
  awaited,
  waves,
}: WaveRequest): readonly (readonly string[])[] {
  const weigh = (unit: Unit) => unit.filter((stack) => changed.has(stack)).length;
  let left = unitsOf(stacks, awaited);
  let placed = 0;
  const planned = waveTargets(waves, weigh(stacks)).map((target) => {
    const later: Unit[] = [];
    const behind = new Set<string>();
    const wave = left.filter((unit) => {
      const waits = unit.some((stack) => intersects(awaited.get(stack), behind));
      if (!waits && placed + weigh(unit) <= target) {
        placed += weigh(unit);
        return true;
      }
      later.push(unit);
      for (const stack of unit) behind.add(stack);
      return false;
    });
    left = later;
    return wave.flat();
  });
  // Stacks without changes are no separate wave.
  const merged: string[][] = [];
  for (const wave of planned) {
    const last = merged.at(-1);
    if (last && (weigh(wave) === 0 || weigh(last) === 0)) last.push(...wave);
    else if (wave.length > 0) merged.push([...wave]);
  }
  return merged;
}

function intersects(some: ReadonlySet<string> = new Set(), others: ReadonlySet<string>): boolean {
  const [small, large] = some.size < others.size ? [some, others] : [others, some];
  return [...small].some((stack) => large.has(stack));
}
