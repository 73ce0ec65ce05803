/*
 * Puts faults of the past back, one at a time, in a copy of the tree, and prints the first random app that
 * finds each: `npx tsx test/conformance/apps/past-faults.ts`. `RANDOM_SEED` and `RANDOM_APPS` (default: 60)
 * are those of `apps.test.ts`. An argument chooses faults by a part of their names.
 */
import { spawnSync } from "node:child_process";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { copyTree } from "../../../scripts/loop/copy-tree";

const APPS = Number(process.env.RANDOM_APPS ?? "60");
/** Apps of one process, so that the search ends soon after the first difference. */
const AT_ONCE = 5;

/** The file below `src`, the text in it, and the text of the fault. */
type Fault = readonly [name: string, file: string, sound: string, faulty: string];

const CROSSING = "runtime/evaluation/crossing-outputs.ts";
const FAULTS: readonly Fault[] = [
  [
    "a sensitive part of another stack's output stays sensitive in states",
    CROSSING,
    "({ ...NO_MARKS, path, hidden: true })",
    "({ ...NO_MARKS, path, sensitive: true })",
  ],
  [
    "an output that is declared sensitive is sensitive to its readers, generated ones too",
    CROSSING,
    "{ hidden: isDeclared }",
    "{ sensitive: declared?.sensitive === true }",
  ],
  [
    "a plan prints what was sensitive where it was made",
    CROSSING,
    "hidden: true }",
    "hidden: false }",
  ],
  [
    "validation knows the names of stored outputs",
    "runtime/validation/validate-node.ts",
    ": UNKNOWN;\n  };\n  const instances",
    ': source.kind === "stored" ? source.outputs : UNKNOWN;\n  };\n  const instances',
  ],
  [
    "a destroy crashes beside a stack that cannot be planned",
    "runtime/apply/apply-graph.ts",
    ".filter(({ stack }) => planning.runs.has(stack))\n        .map(block)",
    ".map(block)",
  ],
  [
    "a destroy leaves out dependents with objects",
    "runtime/session.ts",
    "const isGuarded = ",
    "const isGuarded = false && ",
  ],
];

/** Returns the index of the first app that differs, or the end of a run without any. */
function searched(tree: string): string {
  for (let first = 0; first < APPS; first += AT_ONCE) {
    const env = { ...process.env, RANDOM_APPS: String(AT_ONCE), RANDOM_FIRST: String(first) };
    const argv = ["node_modules/jest/bin/jest.js", "test/conformance/apps/apps.test.ts"];
    const { status, stdout, stderr } = spawnSync(process.execPath, argv, {
      cwd: tree,
      env,
      encoding: "utf8",
      maxBuffer: 2 ** 28,
    });
    if (status === 0) continue;
    const [, index, difference] = /"(\d+): (Step [^\n]*)/.exec(stdout + stderr) ?? [];
    if (index === undefined || difference === undefined) throw new Error(stdout + stderr);
    return `app ${index}: ${difference.replaceAll('\\"', '"').slice(0, 200)}`;
  }
  return `not found by ${APPS} apps`;
}

function main(): void {
  const tree = copyTree();
  try {
    const only = process.argv[2] ?? "";
    for (const [name, file, sound, faulty] of FAULTS) {
      if (!name.includes(only)) continue;
      const path = join(tree, "src", file);
      const source = readFileSync(path, "utf8");
      if (!source.includes(sound)) throw new Error(`${file} has no ${sound}`);
      writeFileSync(
        path,
        source.replace(sound, () => faulty),
      );
      process.stdout.write(`${name}: ${searched(tree)}\n`);
      writeFileSync(path, source);
    }
  } finally {
    rmSync(tree, { recursive: true, force: true });
  }
}

main();
