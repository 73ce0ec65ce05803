import { appendFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Acted } from "../support/conform";
import { differenceIn } from "./run";
import { shrink } from "./shrink";
import type { steadyProviders } from "./steady-providers";
import type { RandomStep } from "./step";

/** The time for finding smaller steps that differ, in milliseconds. */
const SHRINKING = Number(process.env.RANDOM_SHRINKING ?? 60) * 1000;

/** Scenarios to run with both engines. */
interface Search {
  readonly first: number;
  readonly count: number;
  readonly generate: (index: number) => readonly RandomStep[];
  readonly observe?: (acted: Acted, index: number, step: number) => void;
  readonly providers?: typeof steadyProviders;
  /** The folder for the steps that differ, and the name of a file. */
  readonly folder: string;
  readonly fileOf: (index: number) => string;
}

/** The longest time that a search may take, in milliseconds. */
export function longest(count: number): number {
  return (count + 2) * (30_000 + SHRINKING);
}

/** Runs scenarios. Returns the files with the smallest steps in which the engines differ. */
export async function search(scenarios: Search): Promise<readonly string[]> {
  const { first, count, generate, observe, providers, folder, fileOf } = scenarios;
  const differing: string[] = [];
  for (let index = first; index < first + count; index++) {
    const steps = generate(index);
    const start = performance.now();
    const difference = await differenceIn(
      steps,
      (acted, step) => observe?.(acted, index, step),
      providers,
    );
    const seconds = ((performance.now() - start) / 1000).toFixed(1);
    print(`${index}: ${seconds} s, ${steps.length} steps`);
    if (difference === undefined) continue;
    print(difference);
    let smallest = difference;
    const smaller = await shrink(steps, {
      end: performance.now() + SHRINKING,
      differs: async (candidate) => {
        const found = await differenceIn(candidate, undefined, providers);
        if (found === undefined || kindOf(found) !== kindOf(difference)) return false;
        smallest = found;
        return true;
      },
    });
    const file = join(folder, fileOf(index));
    writeFileSync(file, JSON.stringify({ difference: smallest, steps: smaller }, null, 2) + "\n");
    differing.push(file);
  }
  return differing;
}

/** The first line that differs, without names: smaller stacks should differ in the same way. */
function kindOf(difference: string): string {
  const [, line = ""] = /^[-+] {3}"(.*)/m.exec(difference) ?? [];
  const [kind = ""] = line.split(line.startsWith("error") ? ": " : / r\d|: /);
  return kind;
}

export function print(text: string): void {
  const { RANDOM_LOG } = process.env;
  if (RANDOM_LOG === undefined) process.stdout.write(`${text}\n`);
  else appendFileSync(RANDOM_LOG, `${text}\n`);
}
