import { describeWhere, findProgram, onPath } from "./requirement";

/** The path of `chromium`; undefined if it is not on PATH. */
export const chromiumPath = findProgram("chromium");

/** Tests that need `chromium` on PATH: skipped where it is missing, but never in CI. */
export function describeWithChromium(promise: string, tests: () => void): void {
  describeWhere(onPath("chromium"), promise, tests);
}
