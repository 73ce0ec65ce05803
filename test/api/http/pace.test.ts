import fc from "fast-check";
import { ConsoleClient } from "../../../src/api/client";
import type { ClientOptions } from "../../../src/api/client-options";
import type { ApiError } from "../../../src/api/errors";
import { Paces } from "../../../src/api/http/pace";
import type { Transport } from "../../../src/api/http/transport";
import { NothingSent } from "../../../src/core/io/proxy";
import { Dice } from "../../simulation/support/dice";
import { Machine } from "../../simulation/support/machine";
import { fixedWindow, type Limiter, slidingWindow, tokenBucket } from "./support/limiters";

interface Console {
  readonly limiter: Limiter;
  /** Milliseconds of a request, there and back. */
  readonly latency: number;
  readonly status?: 429 | 503;
  readonly retryAfter?: boolean;
}

/** A console with a limit, on a simulated clock. */
function limited({ limiter, latency, status = 429, retryAfter = false }: Console, seed = 1) {
  const machine = new Machine(new Dice(seed));
  const { steady: now, sleep } = machine.start().clock;
  const random = () => machine.dice.below(1000) / 1000;
  const counts = { attempts: 0, accepted: 0, running: 0, most: 0 };
  const transport: Transport = async () => {
    counts.attempts += 1;
    counts.most = Math.max(counts.most, ++counts.running);
    await sleep(latency * random());
    const wait = limiter(now());
    await sleep(latency * random());
    counts.running -= 1;
    if (wait === undefined) {
      counts.accepted += 1;
      return { status: 200, headers: {}, body: body() };
    }
    const headers = retryAfter ? { "retry-after": String(Math.ceil(wait / 1000)) } : {};
    return { status, headers, body: body() };
  };
  const paces = new Paces({ now, sleep, random });
  const open = (options: Partial<ClientOptions> = {}) =>
    new ConsoleClient({
      baseUrl: "console",
      credentials: { method: "basic", username: "admin", password: "long-password-1" },
      ...{ transport, now, sleep, random, paces },
      ...options,
    });
  return { machine, counts, open, paces };
}

async function* body(text = "[]"): AsyncGenerator<Uint8Array> {
  await Promise.resolve();
  yield Buffer.from(text);
}

const write = (client: ConsoleClient) => client.request("putCompliancePolicies", { body: [] });

const perMinute = fc.constantFrom(2, 5, 10, 30, 60, 100, 600, 3000);
const limiters = fc.oneof(
  fc.record({ burst: fc.integer({ min: 1, max: 50 }), perMinute }).map(tokenBucket),
  fc.record({ perMinute, offset: fc.nat(60_000) }).map(fixedWindow),
  fc.record({ perMinute }).map(slidingWindow),
);

test("writes everything in a few more attempts than a limit accepts", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.record({
        limiter: limiters,
        latency: fc.constantFrom(2, 50, 500),
        status: fc.constantFrom(429 as const, 503 as const),
        retryAfter: fc.boolean(),
      }),
      fc.integer({ min: 1, max: 150 }),
      fc.integer({ min: 1, max: 4 }),
      fc.nat(),
      async (console, writes, projects, seed) => {
        const { machine, counts, open } = limited(console, seed);
        const clients = Array.from({ length: projects }, (_, at) => open({ project: `p${at}` }));
        const all = Array.from({ length: writes }, (_, at) => write(clients[at % projects]!));
        await machine.until(Promise.all(all));
        expect(counts.accepted).toBe(writes);
        expect(counts.attempts).toBeLessThanOrEqual(2 * writes + 10);
        expect(counts.most).toBeLessThanOrEqual(8);
      },
    ),
    { numRuns: Number(process.env.PACED_RUNS ?? 60) },
  );
});

test("counts reads and writes apart", async () => {
  const { machine, counts, open } = limited({ limiter: fixedWindow({ perMinute: 2 }), latency: 5 });
  const client = open();
  const reading = open({
    transport: () => Promise.resolve({ status: 200, headers: {}, body: body() }),
  });
  const writes = Array.from({ length: 6 }, () => write(client));
  const started = machine.time;
  await machine.until(Promise.all(Array.from({ length: 6 }, () => reading.getPolicies())));
  expect(machine.time).toBe(started);
  await machine.until(Promise.all(writes));
  expect(counts.accepted).toBe(6);
});

describe("a console that accepts nothing", () => {
  const never: Limiter = () => 1000;
  const failures = async (machine: Machine, all: readonly Promise<unknown>[]) => {
    const ended = await machine.until(Promise.allSettled(all));
    return ended.map((one) => (one.status === "rejected" ? (one.reason as ApiError) : undefined));
  };

  test.each([429, 503] as const)("costs all requests one wait: %d", async (status) => {
    const { machine, counts, open } = limited({ limiter: never, latency: 5, status });
    const client = open();
    const started = machine.time;
    const waiting = Array.from({ length: 100 }, () => client.getPolicies());
    for (const failure of await failures(machine, waiting)) {
      expect(failure).toMatchObject({ status, ended: { setting: "retry_timeout" } });
    }
    expect(machine.time - started).toBeGreaterThanOrEqual(300_000);
    expect(machine.time - started).toBeLessThan(302_000);
    // A later one finds that nothing was accepted since.
    await failures(machine, [client.getPolicies()]);
    expect(machine.time - started).toBeLessThan(302_000);
    expect(counts.attempts).toBeLessThan(130);
  });

  test("is waited for until the retry timeout, and again by a later run", async () => {
    const { machine, open } = limited({ limiter: never, latency: 5 });
    const client = open({ retryTimeout: 20_000 });
    for (let run = 0; run < 2; run += 1) {
      const started = machine.time;
      await failures(machine, [client.getPolicies()]);
      expect(machine.time - started).toBeGreaterThanOrEqual(20_000);
      expect(machine.time - started).toBeLessThan(21_000);
      machine.time += 60_000;
    }
  });

  test("does not delay another console of its host that accepts requests", async () => {
    const { machine, open } = limited({ limiter: never, latency: 5, status: 503 });
    const other = open({
      baseUrl: "console/other",
      transport: () => Promise.resolve({ status: 200, headers: {}, body: body() }),
    });
    const waiting = failures(machine, [open().getPolicies()]);
    await machine.until(Promise.all(Array.from({ length: 20 }, () => other.getPolicies())));
    expect(machine.time).toBeLessThan(1_700_000_000_100);
    await waiting;
  });

  test("is down, not limited, if it does not answer a probe either", async () => {
    const { machine, counts, open } = limited({ limiter: never, latency: 5, status: 503 });
    const client = open();
    await failures(machine, [client.ping()]);
    const started = machine.time;
    await failures(machine, [client.getPolicies()]);
    expect(machine.time - started).toBeLessThan(10_000);
    expect(counts.attempts).toBe(1 + 5);
  });

  test("that cannot be connected to costs all requests one wait", async () => {
    const { machine, open } = limited({ limiter: never, latency: 5 });
    let attempts = 0;
    const client = open({
      transport: () => {
        attempts += 1;
        return Promise.reject(new NothingSent(new Error("refused")));
      },
    });
    await failures(machine, [client.getPolicies()]);
    expect(attempts).toBe(5);
    const started = machine.time;
    await failures(
      machine,
      Array.from({ length: 100 }, () => client.getPolicies()),
    );
    expect(machine.time).toBe(started);
    expect(attempts).toBe(5);
    machine.time += 10_000;
    await failures(machine, [client.getPolicies()]);
    expect(attempts).toBe(10);
  });
});

test("gets the token of a request when its turn has come", async () => {
  const { machine, open } = limited({ limiter: () => undefined, latency: 5 });
  const limiter = tokenBucket({ burst: 1, perMinute: 2 });
  const tokens: number[] = [];
  let refused = 0;
  const client = open({
    credentials: { method: "token-login", username: "admin", password: "long-password-1" },
    transport: ({ path, headers }) => {
      const answer = (status: number, text = "[]") =>
        Promise.resolve({ status, headers: {}, body: body(text) });
      if (path.endsWith("authenticate")) {
        tokens.push(machine.time + 120_000);
        const claims = Buffer.from(JSON.stringify({ exp: tokens.at(-1)! / 1000 }));
        return answer(200, JSON.stringify({ token: `a.${claims.toString("base64url")}.b` }));
      }
      if (limiter(machine.time) !== undefined) return answer(429);
      const [, claims = ""] = headers.authorization?.split(".") ?? [];
      const { exp } = JSON.parse(Buffer.from(claims, "base64url").toString()) as { exp: number };
      if (machine.time < 1000 * exp) return answer(200);
      refused += 1;
      return answer(401);
    },
  });
  await machine.until(Promise.all(Array.from({ length: 20 }, () => write(client))));
  expect(refused).toBe(0);
  expect(tokens.length).toBeGreaterThan(4);
});

test("an aborted request leaves the queue at once", async () => {
  const { machine, open } = limited({ limiter: fixedWindow({ perMinute: 2 }), latency: 5 });
  const client = open();
  const abort = new AbortController();
  const all = Array.from({ length: 30 }, () => client.getPolicies(abort.signal));
  const ended = Promise.allSettled(all);
  await machine.until(new Promise<void>((resolve) => machine.schedule(5_000, resolve)));
  abort.abort();
  const results = await machine.until(ended);
  expect(machine.time).toBeLessThan(1_700_000_006_000);
  expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(2);
});

test("describes a console that accepts nothing by its answer, and how long it is waited for", async () => {
  const { machine, open, paces } = limited({
    limiter: tokenBucket({ burst: 0, perMinute: 0.001 }),
    latency: 5,
  });
  const client = open();
  const ended = Promise.allSettled([client.getPolicies()]);
  await machine.until(new Promise<void>((resolve) => machine.schedule(15_000, resolve)));
  expect(paces.describe()).toEqual([
    expect.stringMatching(/^answers 429 to reads, at most 2[78]\d s more$/),
  ]);
  await machine.until(ended);
  await client.close();
});

test("describes the limits that refuse requests", async () => {
  const { machine, open, paces } = limited({
    limiter: tokenBucket({ burst: 1, perMinute: 60 }),
    latency: 5,
  });
  const client = open();
  expect(paces.describe()).toEqual([]);
  await machine.until(Promise.all(Array.from({ length: 30 }, () => write(client))));
  expect(paces.describe()).toEqual([
    expect.stringMatching(/^limits writes: about (1 per second|[3-6]0 per minute)$/),
  ]);
  machine.time += 600_000;
  expect(paces.describe()).toEqual([]);
  await client.close();
});
