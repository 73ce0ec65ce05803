/**
 * Runs drawn rollouts on a server of Temporal, with workers that apply nothing, and prints the promises
 * that a run has broken.
 *
 *   tsx test/temporal/run-schedules.ts ADDRESS RUNS SEED
 */
import fc from "fast-check";
import { brokenPromises, drawnRuns, SimulatedRun } from "./simulated-run";
import { followSimulated, withSimulatedWorkers } from "./simulated-workers";

/** Milliseconds after which a run has a deadlock. */
const DEADLOCK_MS = 300_000;
const AT_A_TIME = 10;

/** Prints a line. */
function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

async function main([address = "", count = "10", seed = "1"]: readonly string[]) {
  const drawn = fc.sample(drawnRuns, { numRuns: Number(count), seed: Number(seed) });
  const runs = drawn.map((one, at) => new SimulatedRun(`seed-${seed}-${at}`, one));
  const broken: string[] = [];
  const queue = [...runs];
  const problems = await withSimulatedWorkers(address, runs, async (rollouts) => {
    const lane = async () => {
      for (let run = queue.shift(); run; run = queue.shift()) {
        const { news, status } = await followSimulated(rollouts, run, DEADLOCK_MS);
        const found = brokenPromises(run, news, status);
        if (found.length > 0) print(JSON.stringify({ drawn: run.drawn, news, status }));
        broken.push(...found);
      }
    };
    await Promise.all(Array.from({ length: AT_A_TIME }, lane));
  });
  for (const one of [...problems, ...broken]) print(one);
  process.exitCode = problems.length + broken.length === 0 ? 0 : 1;
}

void main(process.argv.slice(2));
