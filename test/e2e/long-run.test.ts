import { readdirSync } from "node:fs";
import { setTimeout } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { synthesizeQuickstart } from "./support/synthesized";
import { NOTHING, Tenant } from "./support/tenant";

/*
 * Plans, applies and destroys again and again in one process. The long form is
 * `LONG_RUN_SECONDS=3600 npx jest test/e2e/long-run.test.ts`.
 */

const SECONDS = Number(process.env.LONG_RUN_SECONDS ?? 5);
/** Rounds after which everything is loaded, compiled and cached. */
const WARM_UP = 3;
/** Bytes: a log of a console's requests and the test's own records. */
const ALLOWANCE = 24 * 1024 * 1024;

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

/** The socket on which the console listens. */
const LISTENERS = 1;

interface Used {
  readonly heap: number;
  readonly descriptors: number;
  readonly sockets: number;
}

function used(): Used {
  collectGarbage();
  return {
    heap: process.memoryUsage().heapUsed,
    descriptors: readdirSync("/proc/self/fd").length,
    sockets: openSockets(),
  };
}

function openSockets(): number {
  return process.getActiveResourcesInfo().filter((name) => /TLS|TCP/.test(name)).length;
}

/** Waits until at most this many sockets are left. Those that are being closed end; leaks stay. */
async function usedWhenIdle(sockets: number): Promise<Used> {
  for (let attempt = 0; attempt < 300 && openSockets() > sockets; attempt++) await setTimeout(100);
  return used();
}

async function round(tenant: Tenant): Promise<void> {
  expect((await tenant.apply()).errors).toEqual([]);
  expect(await tenant.plan()).toEqual(NOTHING);
  expect((await tenant.destroy()).errors).toEqual([]);
  tenant.requests();
}

test(
  "neither memory nor sockets nor files grow",
  async () => {
    // Tests that ran in this process before may have left some open.
    const others = openSockets();
    const tenant = await Tenant.open(synthesizeQuickstart());
    const idle = others + LISTENERS;
    try {
      for (let count = 0; count < WARM_UP; count++) await round(tenant);
      const before = await usedWhenIdle(idle);
      const end = performance.now() + SECONDS * 1000;
      let rounds = 0;
      do {
        await round(tenant);
        rounds += 1;
      } while (performance.now() < end);
      const after = await usedWhenIdle(idle);
      process.stderr.write(`${rounds} rounds: ${JSON.stringify({ before, after })}\n`);
      expect(after.heap - before.heap).toBeLessThan(ALLOWANCE);
      expect(after.descriptors).toBeLessThanOrEqual(before.descriptors + 2);
      expect(after.sockets).toBeLessThanOrEqual(before.sockets + 2);
    } finally {
      await tenant.close();
    }
  },
  // A busy machine is slow to start, and in the last round.
  2 * SECONDS * 1000 + 600_000,
);
