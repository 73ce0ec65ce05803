import { childEnvironment } from "../../core/io/child-environment";
import { failureOfProgram, startProgram } from "../../core/io/program";
import type { Terminal } from "./terminal";

/** A repository on a slow disk must not hold up a review. */
const LIMIT_MS = 5000;

/** The abbreviated commit of the working folder; undefined outside of a git repository. */
export async function gitCommit({
  directory,
  environment,
}: Pick<Terminal, "directory" | "environment">): Promise<string | undefined> {
  const args = ["rev-parse", "--short=12", "HEAD"];
  const { end } = startProgram({
    program: "git",
    args,
    directory,
    environment: childEnvironment(environment),
    limitMs: LIMIT_MS,
  });
  const ended = await end;
  if (ended.kind !== "ended" || failureOfProgram(ended) !== undefined) return undefined;
  const commit = ended.printed.out.trim();
  return /^[0-9a-f]{7,64}$/.test(commit) ? commit : undefined;
}
