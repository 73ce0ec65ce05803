import { spawnSync } from "node:child_process";

const isInstalled = spawnSync("jq", ["--version"]).status === 0;

/** Tests that need `jq` on PATH: skipped where it is missing, but never in CI. */
export function describeWithJq(promise: string, tests: () => void): void {
  if (isInstalled || process.env.CI) describe(promise, tests);
  else describe.skip(`${promise} (jq is not installed)`, tests);
}

/** Runs a filter on JSON; throws if the filter fails. */
export function jq(filter: string, input: string): unknown {
  const { status, stdout, stderr, error } = spawnSync("jq", ["--compact-output", filter], {
    input,
    encoding: "utf8",
    maxBuffer: 64 * 1024 * 1024,
  });
  if (error) throw error;
  if (status !== 0) throw new Error(`jq: ${stderr}`);
  return JSON.parse(stdout);
}
