import { spawnSync } from "node:child_process";
import { describeWhere, onPath } from "./requirement";

/** Tests that need `terraform` on PATH: skipped where it is missing, but never in CI. */
export function describeWithTerraform(promise: string, tests: () => void): void {
  describeWhere(onPath("terraform"), promise, tests);
}

/**
 * Runs `terraform`, or another program in its place, apart from whatever this machine configures for
 * it; returns its stdout.
 */
export function terraform(
  args: readonly string[],
  { cwd, input }: { readonly cwd: string; readonly input?: string },
  program = "terraform",
): string {
  const { status, stdout, stderr, error } = spawnSync(program, args, {
    cwd,
    input,
    encoding: "utf8",
    env: { ...process.env, CHECKPOINT_DISABLE: "1", TF_CLI_CONFIG_FILE: "/dev/null" },
  });
  if (error) throw error;
  if (status !== 0) throw new Error(`${program} ${args.join(" ")}: ${stderr}`);
  return stdout;
}
