import { roundedDown, type Share } from "./share";

/**
 * Returns the number of stacks that may fail before no further ones are started.
 *
 * @param given - `--max-failures`. Default: none with waves, otherwise any number.
 * @param total - all selected stacks, with those that are excluded
 */
export function allowedFailures(
  given: Share | undefined,
  total: number,
  hasWaves: boolean,
): number {
  if (given) return given.kind === "count" ? given.count : roundedDown(given, total);
  return hasWaves ? 0 : Number.POSITIVE_INFINITY;
}
