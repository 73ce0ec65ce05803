/**
 * Runs one rollout of many stacks on a server of Temporal, with workers that plan and apply nothing, and
 * prints how large its histories are.
 *
 *   tsx test/temporal/run-scale.ts ADDRESS STACKS 25|1
 *
 * @see test/temporal/scale.test.ts
 */
import { SimulatedRun } from "./simulated-run";
import { followSimulated, withSimulatedWorkers } from "./simulated-workers";

const DEADLOCK_MS = 24 * 60 * 60 * 1000;

async function main([address = "", stacks = "", batch = ""]: readonly string[]) {
  const one = { size: 1, changed: true, fate: "applied" } as const;
  const units = Array.from({ length: Number(stacks) }, (_, at) => {
    return { ...one, queue: at % 2 === 0 ? ("eu" as const) : ("us" as const) };
  });
  const run = new SimulatedRun(`scale-${stacks}-${batch}-${Date.now() % 1_000_000}`, {
    // One stack is applied after the other if none may fail.
    ...{ units, waves: "10,100%", allowedFailures: batch === "1" ? 0 : units.length },
    ...{ check: true, mostReviewed: 25, decisions: [] },
  });
  const start = performance.now();
  const problems = await withSimulatedWorkers(address, [run], async (rollouts) => {
    const { status, news } = await followSimulated(rollouts, run, DEADLOCK_MS);
    const { applied, add, code } = status;
    const seconds = Math.round((performance.now() - start) / 1000);
    const ended = news.filter(({ kind }) => kind === "ended").length;
    const found = { applied, add, code, ended, batches: run.batches.length, seconds };
    process.stdout.write(`${JSON.stringify(found)}\n`);
  });
  if (problems.length === 0) return;
  process.stdout.write(`${problems.join("\n")}\n`);
  process.exitCode = 1;
}

void main(process.argv.slice(2));
