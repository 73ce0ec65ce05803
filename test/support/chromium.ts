import { spawnSync } from "node:child_process";

const isInstalled = spawnSync("chromium", ["--version"]).status === 0;

/** Tests that need `chromium` on PATH: skipped where it is missing, but never in CI. */
export function describeWithChromium(promise: string, tests: () => void): void {
  if (isInstalled || process.env.CI) describe(promise, tests);
  else describe.skip(`${promise} (chromium is not installed)`, tests);
}
