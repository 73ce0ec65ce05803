/**
 * Runs the suites that prove a change: those of the file, of its folder and of its room, and a walk
 * through the product.
 *
 *   npm run prove                   the files that are not committed
 *   npm run prove -- FILE…
 *   npm run prove -- --list FILE…   prints the suites, with the reason for each
 *   npm run prove -- --bail FILE…   ends with the first suite that fails
 *
 * Exits as jest does; with 1 if no suite proves a source.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { suites } from "../test/projects.cjs";
import { provingSuites, type Proving, type Suite } from "./prove/proving-suites";

const ROOT = join(__dirname, "..");
const toPath = (file: string) => relative(ROOT, file).replaceAll("\\", "/");

function allSuites(): readonly Suite[] {
  return Object.entries(suites()).flatMap(([project, files]) =>
    files.map((file) => ({ path: toPath(file), text: readFileSync(file, "utf8"), project })),
  );
}

/** The files that git lists as changed or new, but for those that are removed. */
function changedFiles(): readonly string[] {
  const argv = ["status", "--porcelain", "--untracked-files=all", "-z"];
  const listed = execFileSync("git", argv, { cwd: ROOT, encoding: "utf8" });
  return listed
    .split("\0")
    .filter((line) => /^[ MARCU?]{2} /.test(line))
    .map((line) => line.slice(3));
}

function main(argv: readonly string[]): number {
  const isList = argv.includes("--list");
  const isBailing = argv.includes("--bail");
  const given = argv.filter((word) => !word.startsWith("--"));
  const files =
    given.length > 0 ? given.map((file) => toPath(join(process.cwd(), file))) : changedFiles();
  const sources = files.filter((file) => /\.tsx?$/.test(file));
  const all = allSuites();
  const chosen = new Map<string, Proving>();
  for (const proving of sources.flatMap((file) => provingSuites(file, all))) {
    if (!chosen.has(proving.path)) chosen.set(proving.path, proving);
  }
  if (isList) {
    for (const { path, reason } of chosen.values()) process.stdout.write(`${path}  (${reason})\n`);
    return 0;
  }
  if (chosen.size === 0) {
    process.stderr.write("No suite proves these files.\n");
    return sources.length === 0 ? 0 : 1;
  }
  const paths = [...chosen.keys()];
  if (!isBailing) return run(paths);
  // The nearest suites fail first, most probably: the others need not start.
  const named = paths.filter((path) => chosen.get(path)?.reason === "the file");
  const others = paths.filter((path) => !named.includes(path));
  return run(named, "--bail") || run(others, "--bail");
}

/** Returns the exit code of jest. */
function run(paths: readonly string[], ...options: readonly string[]): number {
  if (paths.length === 0) return 0;
  const jest = join(ROOT, "node_modules/jest/bin/jest.js");
  const argv = ["--max-semi-space-size=64", jest, ...options, "--runTestsByPath", ...paths];
  const { status } = spawnSync(process.execPath, argv, { cwd: ROOT, stdio: "inherit" });
  return status ?? 1;
}

process.exitCode = main(process.argv.slice(2));
