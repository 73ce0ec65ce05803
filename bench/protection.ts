import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { root } from "./command";
import { ACTIONS, SHAPES } from "./compare-policies";
import { report, timeInPairs } from "./pairs";

const RUNS = 9;

/** The CPU of a comparison or lint of policies that overlap, beside that of an empty program. */
export async function benchProtection(): Promise<void> {
  const tsx = join(root, "node_modules/tsx/dist/cli.mjs");
  const program = join(__dirname, "compare-policies.ts");
  const empty = () =>
    printed([
      "-e",
      "const { user, system } = process.cpuUsage(); console.log((user + system) / 1e3)",
    ]);
  for (const [shape, { count, aim }] of Object.entries(SHAPES))
    for (const action of Object.keys(ACTIONS))
      report(
        `CPU: ${action} of ${count} policies, ${shape} / empty Node program`,
        aim,
        await timeInPairs(RUNS, () => printed([tsx, program, shape, action]), empty),
      );
}

/** The milliseconds that a program prints. */
async function printed(args: readonly string[]): Promise<number> {
  const { stdout } = await promisify(execFile)(process.execPath, args);
  return Number(stdout);
}
