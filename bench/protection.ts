import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { node, root } from "./command";
import { SHAPE_NAMES } from "./compare-policies";
import { report, time, timeInPairs } from "./pairs";

const RUNS = 9;
const AIMS = { 300: 2, 1000: 20 } as const;

/** A comparison of policies of which the last one moves to the front, beside an empty program. */
export async function benchProtection(): Promise<void> {
  const empty = () => time(() => node(["-e", "0"]));
  for (const shape of SHAPE_NAMES)
    for (const [count, aim] of Object.entries(AIMS)) {
      const compare = () => timeOfComparison(shape, count);
      report(
        `comparison of ${count} policies, ${shape} moved from last to first / empty Node program`,
        aim,
        await timeInPairs(RUNS, compare, empty),
      );
    }
}

async function timeOfComparison(shape: string, count: string): Promise<number> {
  const tsx = join(root, "node_modules/tsx/dist/cli.mjs");
  const program = join(__dirname, "compare-policies.ts");
  const run = promisify(execFile)(process.execPath, [tsx, program, shape, count]);
  return Number((await run).stdout);
}
