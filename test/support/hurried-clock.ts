import type { Clock } from "../../src/simulator";

/** For consoles whose scans are waited for: the 25 seconds of one pass in 25 milliseconds. */
export function hurriedClock(): Clock {
  const start = Date.now();
  return { now: () => new Date(start + (Date.now() - start) * 1000) };
}
