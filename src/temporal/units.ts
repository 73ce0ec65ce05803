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

/** Divides units into batches of one queue. */
export function batchesOf(
  units: readonly InputUnit[],
): { readonly queue: string; readonly stacks: readonly string[] }[] {
  const open = new Map<string, string[]>();
  const batches: { queue: string; stacks: string[] }[] = [];
  for (const unit of units) {
    const names = stacksOfUnits([unit]);
    const known = open.get(unit.queue);
    if (known && known.length + names.length <= BATCH) known.push(...names);
    else {
      const stacks = [...names];
      open.set(unit.queue, stacks);
      batches.push({ queue: unit.queue, stacks });
    }
  }
  return batches;
}
