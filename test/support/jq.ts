import { spawnSync } from "node:child_process";
import { describeWhere, onPath } from "./requirement";

/** Tests that need `jq` on PATH: skipped where it is missing, but never in CI. */
export function describeWithJq(promise: string, tests: () => void): void {
  describeWhere(onPath("jq"), promise, tests);
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
