/**
 * Checks the commits of this branch since the one that is named here: subjects have at most 72
 * characters, and a commit of more than 20 changed lines has a body with the reason.
 *
 *   tsx scripts/commits.ts [SINCE]
 *
 * Prints one line a problem, and exits with 1 if there is one. A clone without the history of that
 * commit has nothing to check, and says so.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { problemsOf, readCommits } from "./commits/commits";

/** Earlier commits are as they are. */
const SINCE = "c4ba6e5916a66c7cb0a13e8d46b54ddb349780b3";
const ROOTS = ["src", "test", "scripts"];

function main(since: string): number {
  if (spawnSync("git", ["merge-base", "--is-ancestor", since, "HEAD"]).status !== 0) {
    process.stdout.write(`The history of ${since} is not here: no commit is checked\n`);
    return 0;
  }
  const log = execFileSync(
    "git",
    [
      "log",
      "--no-merges",
      "--numstat",
      "-z",
      "--format=%x01%h%x02%s%x02%b%x02",
      `${since}..HEAD`,
      "--",
      ...ROOTS,
    ],
    { encoding: "utf8", maxBuffer: 1e9 },
  );
  const problems = readCommits(log).flatMap(problemsOf);
  for (const problem of problems) process.stdout.write(`${problem}\n`);
  return problems.length === 0 ? 0 : 1;
}

process.exitCode = main(process.argv[2] ?? SINCE);
