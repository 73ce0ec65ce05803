import type { Clock } from "../../src/simulator";

/** A clock for tests that wait for scans: the 25 seconds of one scan take 25 milliseconds. */
export function hurriedClock(): Clock {
  const start = Date.now();
  return { now: () => new Date(start + (Date.now() - start) * 1000) };
}
