/**
 * Collects the files in `changes/` into the section of a release in CHANGELOG.md, and removes them. The
 * first release replaces the first steps of the README by those of a published package.
 *
 *   tsx scripts/changelog.ts VERSION DATE   such as 0.3.0 2026-12-01
 *
 * Prints one line a problem, changes nothing then, and exits with 1.
 */
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { publishedReadme } from "./changelog/published-readme";
import { type Change, parseChange, releaseChanges } from "./changelog/release-changes";

const ROOT = join(__dirname, "..");
const CHANGES = join(ROOT, "changes");
const CHANGELOG = join(ROOT, "CHANGELOG.md");
const README = join(ROOT, "README.md");

function main([version, date]: readonly string[]): number {
  if (!/^\d+\.\d+\.\d+$/.test(version ?? "") || !/^\d{4}-\d\d-\d\d$/.test(date ?? "")) {
    process.stdout.write(
      "Name the version and the date: tsx scripts/changelog.ts 0.3.0 2026-12-01\n",
    );
    return 1;
  }
  const files = readdirSync(CHANGES)
    .filter((file) => file !== "README.md")
    .sort();
  const read = files.map((file) => parseChange(file, readFileSync(join(CHANGES, file), "utf8")));
  const problems = read.filter((change) => typeof change === "string");
  for (const problem of problems) process.stdout.write(`${problem}\n`);
  if (problems.length > 0) return 1;
  const changes = read.filter((change): change is Change => typeof change !== "string");
  const text = readFileSync(CHANGELOG, "utf8");
  writeFileSync(CHANGELOG, releaseChanges(text, changes, `${version} - ${date}`));
  writeFileSync(README, publishedReadme(readFileSync(README, "utf8")));
  for (const file of files) rmSync(join(CHANGES, file));
  return 0;
}

process.exitCode = main(process.argv.slice(2));
