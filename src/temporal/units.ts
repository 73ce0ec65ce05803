import { BATCH } from "./batches";
import type { InputUnit } from "./input";

/** The stacks of units, in their order. */
export function stacksOfUnits(units: readonly InputUnit[]): readonly string[] {
  return units.flatMap(({ stacks }) => stacks.map(({ name }) => name));
}

/** Stacks of a unit wait for each other, so that they have one slot and are in one wave. */
export function awaitedIn(
  units: readonly { readonly stacks: readonly string[] }[],
): ReadonlyMap<string, ReadonlySet<string>> {
  return new Map(
    units.flatMap(({ stacks }) =>
      stacks.length < 2
        ? []
        : stacks.map((stack, at): [string, ReadonlySet<string>] => [
            stack,
            new Set([stacks[(at + 1) % stacks.length] ?? stack]),
          ]),
    ),
  );
}

/** Units that one worker plans together. */
export interface UnitBatch {
  readonly queue: string;
  readonly units: readonly InputUnit[];
}

/** Divides units into batches of one queue. */
export function batchesOf(units: readonly InputUnit[]): UnitBatch[] {
  const open = new Map<string, { readonly units: InputUnit[]; size: number }>();
  const batches: UnitBatch[] = [];
  for (const unit of units) {
    const { queue, stacks } = unit;
    const known = open.get(queue);
    if (known && known.size + stacks.length <= BATCH) {
      known.units.push(unit);
      known.size += stacks.length;
    } else {
      const batch = { units: [unit], size: stacks.length };
      open.set(queue, batch);
      batches.push({ queue, units: batch.units });
    }
  }
  return batches;
}

/** Divides a batch in two; one unit cannot be divided. */
export function halvesOf({ queue, units }: UnitBatch): readonly UnitBatch[] {
  if (units.length < 2) return [];
  const middle = Math.ceil(units.length / 2);
  return [units.slice(0, middle), units.slice(middle)].map((half) => ({ queue, units: half }));
}
