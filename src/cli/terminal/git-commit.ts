import { execFile } from "node:child_process";
import type { Terminal } from "./terminal";

/** A repository on a slow disk must not hold up a review. */
const PATIENCE_MS = 5000;

/** The abbreviated commit of the working folder; undefined outside of a git repository. */
export function gitCommit({
  directory,
  environment,
}: Pick<Terminal, "directory" | "environment">): Promise<string | undefined> {
  const options = { cwd: directory, env: environment, timeout: PATIENCE_MS };
  return new Promise((resolve) => {
    execFile("git", ["rev-parse", "--short=12", "HEAD"], options, (problem, out) => {
      const commit = out.trim();
      resolve(!problem && /^[0-9a-f]{7,64}$/.test(commit) ? commit : undefined);
    });
  });
}
