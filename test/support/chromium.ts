import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";

/** The path of `chromium`; undefined if it is not on PATH. */
export const chromiumPath = (process.env.PATH ?? "")
  .split(delimiter)
  .map((directory) => join(directory, "chromium"))
  .find((path) => existsSync(path));

/** Tests that need `chromium` on PATH: skipped where it is missing, but never in CI. */
export function describeWithChromium(promise: string, tests: () => void): void {
  if (chromiumPath !== undefined || process.env.CI) describe(promise, tests);
  else describe.skip(`${promise} (chromium is not installed)`, tests);
}
