import { mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import {
  connectToTemporal,
  loadSdk,
  Rollouts,
  startWorker,
  type Followed,
} from "../../src/temporal";
import { SDK_MODULES } from "./install";
import { machineOf, type SimulatedRun } from "./simulated-run";

const ROOT = join(__dirname, "../..");

/** Starts workers of two queues that plan and apply nothing. Returns what went wrong in them. */
export async function withSimulatedWorkers(
  address: string,
  runs: readonly SimulatedRun[],
  work: (rollouts: Rollouts) => Promise<void>,
): Promise<readonly string[]> {
  const folder = mkdtempSync(join(tmpdir(), "cdktf-console-simulated-"));
  symlinkSync(SDK_MODULES, join(folder, "node_modules"));
  const sdk = loadSdk(folder);
  if ("problem" in sdk) throw new Error(sdk.problem.detail);
  const server = await connectToTemporal(sdk, { TEMPORAL_ADDRESS: address });
  if ("problem" in server) throw new Error(server.problem.detail);
  const problems: string[] = [];
  const ending = new AbortController();
  const known = new Map(runs.map((run) => [run.id, run]));
  const failed = (failure: unknown) => {
    problems.push(String(failure));
  };
  const workers = await Promise.all(
    ["eu", "us"].map(async (queue) => {
      const machine = machineOf(known, queue, failed);
      // A connection has one worker of workflows.
      const connection = await sdk.worker.NativeConnection.connect({ address });
      const own = { connection, namespace: server.namespace };
      const request = { sdk, server: own, queue, packageRoot: ROOT, machine };
      const { ended } = await startWorker({ ...request, ending: ending.signal });
      return { ended: ended.then(() => connection.close()) };
    }),
  );
  await work(new Rollouts(sdk, server));
  ending.abort();
  await Promise.all(workers.map(({ ended }) => ended));
  await server.connection.close();
  rmSync(folder, { recursive: true });
  return problems;
}

/** Starts a run, decides about it as drawn, and follows it to its end. */
export async function followSimulated(rollouts: Rollouts, run: SimulatedRun, deadlockMs: number) {
  await rollouts.start(run.input);
  const decisions = [...run.drawn.decisions].sort((a, b) => a.after - b.after);
  const news: Followed["news"][number][] = [];
  let isPaused = false;
  let started = 0;
  const by = "test";
  const end = performance.now() + deadlockMs;
  for (;;) {
    const found = await rollouts.follow(run.id, news.length);
    news.push(...found.news);
    for (const one of found.news) if (one.kind === "started") started += one.stacks.length;
    const { status } = found;
    if (status.phase === "ended" && found.news.length === 0) return { news, status };
    if (performance.now() > end) throw new Error(`${run.id}: deadlock ${JSON.stringify(status)}`);
    // A run that has ended in the meantime refuses decisions.
    const decide = (decision: Parameters<Rollouts["decide"]>[1]) =>
      rollouts.decide(run.id, decision).catch(() => undefined);
    if (status.question) await decide({ kind: "approve", wave: status.question.wave, by });
    if (isPaused) await decide({ kind: "continue", by });
    isPaused = false;
    const [next] = decisions;
    if (next && started >= next.after && status.waves.length > 0) {
      decisions.shift();
      isPaused = next.kind === "pause";
      await decide(
        next.kind === "set"
          ? { kind: "set", maxFailures: { kind: "count", count: 3 }, parallelism: 4, by }
          : { kind: next.kind, by },
      );
    }
    if (found.news.length === 0) await sleep(100);
  }
}
