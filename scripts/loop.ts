/**
 * Measures what `npm run prove` finds: makes mutants at random places of src in a copy of the tree,
 * and runs `prove` on each file; then `npm test` on those that `prove` passes.
 *
 *   npm run loop                            60 mutants
 *   npm run loop -- --mutants 10 --seed 7   fewer; the seed is printed (default: a new one)
 *   npm run loop -- --no-test               without `npm test`
 *   npm run loop -- --recorded              the mutants of scripts/loop/recorded.ts, for CI
 *
 * Prints one line a mutant. With --recorded, exits with 1 if `prove` passes one.
 */
import { spawnSync } from "node:child_process";
import { randomInt } from "node:crypto";
import { cpSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { copyTree, ROOT, trackedFiles } from "./loop/copy-tree";
import { drawn, mutantsOf, mutated } from "./loop/mutants";
import { RECORDED } from "./loop/recorded";

/** A mutant that never ends is found. */
const LONGEST_RUN_MS = 30 * 60_000;

interface Change {
  readonly file: string;
  readonly title: string;
  readonly text: string;
}

function randomChanges(count: number, seed: number): readonly Change[] {
  const sources = trackedFiles().filter(
    (file) => /^src\/.*\.tsx?$/.test(file) && !file.includes("/generated/"),
  );
  const changes: Change[] = [];
  for (let position = 0; changes.length < count; position += 2) {
    const file = sources[drawn(seed, position, sources.length)] ?? "";
    const text = readFileSync(join(ROOT, file), "utf8");
    const mutants = mutantsOf(text);
    const mutant = mutants[drawn(seed, position + 1, Math.max(mutants.length, 1))];
    if (!mutant) continue;
    const line = text.slice(0, mutant.start).split("\n").length;
    const was = text.slice(mutant.start, mutant.end).replaceAll(/\s+/g, " ");
    const title = `${file}:${line}  ${was.slice(0, 60)} -> ${mutant.replacement.slice(0, 60)}`;
    changes.push({ file, title, text: mutated(text, mutant) });
  }
  return changes;
}

function recordedChanges(): readonly Change[] {
  return RECORDED.map(({ file, text, replacement }) => {
    const source = readFileSync(join(ROOT, file), "utf8");
    if (source.split(text).length !== 2) {
      throw new Error(`${file} does not have "${text}" once: record another mutant`);
    }
    const title = `${file}  ${text} -> ${replacement}`;
    return { file, title, text: source.replace(text, () => replacement) };
  });
}

/** Reports whether a command fails in the copy; one that never ends does. */
function fails(folder: string, ...command: readonly string[]): boolean {
  const options = { cwd: folder, timeout: LONGEST_RUN_MS, maxBuffer: 2 ** 28 };
  return spawnSync(process.execPath, command, options).status !== 0;
}

const PROVE = ["node_modules/tsx/dist/cli.mjs", "scripts/prove.ts", "--bail"];
const PROJECTS = ["core", "engine", "console", "product"];
const TEST = ["node_modules/jest/bin/jest.js", "--bail", "--selectProjects", ...PROJECTS];

function main(): number {
  const { values } = parseArgs({
    options: {
      mutants: { type: "string", default: "60" },
      seed: { type: "string", default: String(randomInt(2 ** 31)) },
      "no-test": { type: "boolean", default: false },
      recorded: { type: "boolean", default: false },
    },
  });
  const print = (line: string) => process.stdout.write(`${line}\n`);
  if (!values.recorded) print(`seed ${values.seed}`);
  const changes = values.recorded
    ? recordedChanges()
    : randomChanges(Number(values.mutants), Number(values.seed));
  const isTested = !values.recorded && !values["no-test"];
  const folder = copyTree();
  const counts = { prove: 0, "npm test": 0, nothing: 0 };
  try {
    for (const { file, title, text } of changes) {
      const source = join(folder, file);
      writeFileSync(source, text);
      const by = fails(folder, ...PROVE, file)
        ? "prove"
        : isTested && fails(folder, ...TEST)
          ? "npm test"
          : "nothing";
      counts[by] += 1;
      print(`found by ${by}: ${title}`);
      cpSync(join(ROOT, file), source);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  print(
    Object.entries(counts)
      .map(([by, count]) => `${count} found by ${by}`)
      .join(", "),
  );
  return values.recorded && counts.nothing > 0 ? 1 : 0;
}

process.exitCode = main();
