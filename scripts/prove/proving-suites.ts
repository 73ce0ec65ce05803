import { posix } from "node:path";

/** A suite, by its path below the root of the project. */
export interface Suite {
  readonly path: string;
  readonly text: string;
  /** Its project of jest: test/projects.cjs. */
  readonly project: string;
}

/** A suite that proves a file, and why. */
export interface Proving {
  readonly path: string;
  readonly reason: "the file" | "imports it" | "its folder" | "its room" | "the product";
}

/** The projects that need a build or other programs. */
const DEAR = ["shipped", "conformance"];

/** A walk through the product, for what its rooms are made of: plans, applies and a saved plan. */
const WALK = "test/automation.test.ts";
const ABOVE = ["cli", "automation", "testing", "docs", "examples"];

/** A suite takes about two seconds of CPU, so that these take less than a minute. */
export const MOST_SUITES = 24;

/**
 * Chooses the suites that prove a change of a file, the nearest first: those that have its name,
 * those of its folder, those that import it, and those of its room.
 *
 * @param file - a path below the root, of a source or of a suite
 */
export function provingSuites(file: string, all: readonly Suite[]): readonly Proving[] {
  const suites = all.filter(({ project }) => !DEAR.includes(project));
  const [top = "", room = ""] = file.split("/");
  const source = top === "src" ? file.slice("src/".length) : file;
  const mirrored = `test/${source.replace(/(\.test)?\.tsx?$/, "")}`;
  const folder = nearestFolder(posix.dirname(mirrored), suites);
  const named = ({ path }: Suite) =>
    path === file || [".", "-", "/"].some((end) => path.startsWith(`${mirrored}${end}`));
  const chosen: readonly (readonly [Proving["reason"], (suite: Suite) => boolean])[] = [
    ["the file", named],
    ["its folder", ({ path }) => posix.dirname(path) === folder],
    ["imports it", (suite) => imports(suite, file)],
    ["its room", ({ path }) => posix.dirname(path) === `test/${room}`],
    ["the product", ({ path }) => path === WALK && top === "src" && !ABOVE.includes(room)],
  ];
  const found = new Map<string, Proving>();
  for (const [reason, isChosen] of chosen) {
    for (const suite of suites.filter(isChosen)) {
      const { path } = suite;
      // The walk has its place.
      const isFull = found.size >= MOST_SUITES - 1 && reason !== "the product";
      if (!found.has(path) && !isFull) found.set(path, { path, reason });
    }
  }
  return [...found.values()];
}

/** The folder of the tests of a source, or the nearest one above it that has suites. */
function nearestFolder(folder: string, suites: readonly Suite[]): string {
  const hasSuites = suites.some(({ path }) => posix.dirname(path) === folder);
  return hasSuites || !folder.includes("/") ? folder : nearestFolder(posix.dirname(folder), suites);
}

function imports({ path, text }: Suite, file: string): boolean {
  const module = file.replace(/\.tsx?$/, "");
  return [...text.matchAll(/(?:from|import\()\s*"(\.[^"]+)"/g)].some(
    ([, name = ""]) => posix.join(posix.dirname(path), name.replace(/\.js$/, "")) === module,
  );
}
