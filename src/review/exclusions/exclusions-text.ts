import { joined, printable, type Printed } from "../../core/printed";
import { countStacks, type StackGroup } from "./group-exclusions";

/** Longer lists of stacks are cut, unless everything is to be shown. */
const MOST_STACKS = 20;

/** `a, b and 3 more` */
export function shortStackList(stacks: readonly string[], most = MOST_STACKS): string {
  // One more name is as short as "and 1 more".
  const shown = stacks.length <= most + 1 ? stacks : stacks.slice(0, most);
  const more = stacks.length - shown.length;
  return shown.map(printable).join(", ") + (more > 0 ? ` and ${more} more` : "");
}

/** Names of stacks below one diagnostic. */
const MOST_NAMES = 5;

/** `Stack a`, or `30 stacks: a, b, c, d, e and 25 more` */
export function inStacks(stacks: readonly string[]): string {
  const names = shortStackList(stacks, MOST_NAMES);
  return stacks.length === 1 ? `Stack ${names}` : `${stacks.length} stacks: ${names}`;
}

/** `Excluded: 2 of 40 stacks`, and a line for each reason. */
export function renderExclusions(
  title: "Excluded" | "Failed",
  groups: readonly StackGroup[],
  total: number,
): Printed {
  const lines = groups.map(
    ({ reason, stacks }) =>
      `  - ${printable(reason)} (${stacks.length}): ${shortStackList(stacks)}`,
  );
  return joined([`${title}: ${countStacks(groups)} of ${total} stacks`, ...lines], "\n");
}
