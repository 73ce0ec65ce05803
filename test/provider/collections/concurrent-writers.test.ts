import fc from "fast-check";
import { setTimeout as delay } from "node:timers/promises";
import { ConsoleClient } from "../../../src/api/client";
import type { ClientOptions } from "../../../src/api/client-options";
import type { Transport } from "../../../src/api/http/transport";
import type { ObjectValue } from "../../../src/core/values";
import { transportTo, type Console } from "../../../src/simulator";
import { ADMIN, connectTo, ready } from "../support/consoles";
import { Engine, summaries } from "../support/engine";

/* Each connection has its own address, so its writes are not ordered, like those of a process. */

const POLICIES = "cwp_compliance_policy_set";
const REGISTRY = "cwp_registry_scan";

/** `CONCURRENT_WRITERS=50 npx jest concurrent-writers` tries more pairs. */
const PAIRS = Number(process.env.CONCURRENT_WRITERS ?? 2);

const policySet = (ownership: string, names: readonly string[]): ObjectValue => ({
  ownership,
  policies: names.map((name) => ({ name, checks: { 41: true } })),
});

const registry = (names: readonly string[]): ObjectValue => ({
  ownership: "shared",
  specifications: names.map((name) => ({ registry: name, repository: "*", tag: "*" })),
});

/** A process: its requests are passed on after `before`. */
function processOf(
  console: Console,
  before: (method: string) => Promise<void>,
  options: Partial<ClientOptions> = {},
) {
  const transport: Transport = async (request) => {
    await before(request.method);
    return transportTo(console)(request);
  };
  return connectTo(transport, console.release, options);
}

const names = (console: Console) => console.policies().map(({ name }) => name);

async function registries(console: Console): Promise<readonly string[]> {
  const client = new ConsoleClient({
    baseUrl: "reader",
    credentials: { method: "basic", ...ADMIN },
    transport: transportTo(console),
  });
  const { items } = await client.read("registry");
  return items.map((one) => String(one.registry));
}

test(`two writers at once lose nothing where answers are slow, in ${PAIRS} pairs`, async () => {
  const waits = fc.array(fc.integer({ min: 50, max: 140 }), { minLength: 40, maxLength: 40 });
  await fc.assert(
    fc.asyncProperty(waits, waits, async (first, second) => {
      const { console } = await ready();
      await console.load({ policies: [{ name: "x" }] });
      const slow = (times: readonly number[]) => {
        const left = [...times];
        return processOf(console, () => delay(left.shift() ?? 50));
      };
      const one = slow(first);
      const two = slow(second);
      const engines = [
        [new Engine(one, POLICIES), policySet("prefix", ["a", "b"])],
        [new Engine(two, POLICIES), policySet("suffix", ["y", "z"])],
        [new Engine(one, REGISTRY), registry(["a", "b"])],
        [new Engine(two, REGISTRY), registry(["y", "z"])],
      ] as const;
      const each = (
        work: (engine: Engine, config: ObjectValue) => Promise<readonly { summary: string }[]>,
      ) => Promise.all(engines.map(async ([engine, config]) => work(engine, config)));

      const diagnostics = await each((engine, config) => engine.apply(config));
      expect(diagnostics.flat()).toEqual([]);
      expect(names(console)).toEqual(["a", "b", "x", "y", "z"]);
      expect([...(await registries(console))].sort()).toEqual(["a", "b", "y", "z"]);
      await each((engine) => engine.apply(null));
      // A destroy that found the collection changed since its plan is refused, and is run again.
      for (const [engine] of engines) {
        await engine.refresh();
        if (engine.stored) expect(summaries(await engine.apply(null))).toEqual([]);
      }
      expect(names(console)).toEqual(["x"]);
      expect(await registries(console)).toEqual([]);
    }),
    { numRuns: PAIRS, endOnFailure: true },
  );
}, 600_000);

describe("a writer between read and write", () => {
  /** Applies with a second writer who acts before each of the first `times` writes. */
  async function between(config: ObjectValue, times: number, act: (console: Console) => unknown) {
    const { console } = await ready();
    await console.load({ policies: [{ name: "x" }] });
    let left = times;
    let writes = 0;
    const connection = processOf(console, async (method) => {
      if (method !== "PUT") return;
      writes += 1;
      if (left-- > 0) await act(console);
    });
    const engine = new Engine(connection, POLICIES);
    return { console, engine, diagnostics: await engine.apply(config), writes: () => writes };
  }

  test("costs no second write if the first one holds", async () => {
    const { writes, diagnostics } = await between(policySet("prefix", ["a"]), 0, () => undefined);
    expect(writes()).toBe(1);
    expect(diagnostics).toEqual([]);
  });

  test("who is as slow as an earlier answer is noticed, though later answers are fast", async () => {
    const { console } = await ready();
    await console.load({ policies: [{ name: "x" }] });
    let slow = 2;
    let theirs: Promise<unknown> | undefined;
    const connection = processOf(console, async (method) => {
      if (method === "GET" && slow-- > 0) await delay(300);
      if (method !== "PUT") return;
      // They read before this write, and their own arrives when a fast read would be over.
      theirs ??= delay(400).then(() => console.load({ policies: [{ name: "x" }, { name: "y" }] }));
    });
    const engine = new Engine(connection, POLICIES);
    await engine.apply(policySet("prefix", ["a"]));
    await theirs;
    expect(names(console)).toEqual(["a", "x", "y"]);
  });

  test("with exclusive ownership is reported, and nothing is written over the change", async () => {
    const { console } = await ready();
    await console.load({ policies: [] });
    let reads = 0;
    const connection = processOf(console, async (method) => {
      // The read after the write finds what another writer wrote.
      if (method === "GET" && ++reads === 4) await console.load({ policies: [{ name: "theirs" }] });
    });
    const engine = new Engine(connection, POLICIES);
    const diagnostics = await engine.apply(policySet("exclusive", ["a"]));
    expect(reads).toBe(4);
    expect(summaries(diagnostics)).toEqual([
      "Console changed the compliance policies that were written",
    ]);
    expect(diagnostics[0]?.detail).toContain("another run wrote the same collection");
    expect(names(console)).toEqual(["theirs"]);
  });

  test("who overwrites an entry twice is reported", async () => {
    const { console } = await ready();
    await console.load({ policies: [{ name: "x" }] });
    let isWritten = false;
    const connection = processOf(console, async (method) => {
      if (isWritten && method === "GET") await console.load({ policies: [{ name: "x" }] });
      isWritten ||= method === "PUT";
    });
    const diagnostics = await new Engine(connection, POLICIES).apply(policySet("prefix", ["a"]));
    expect(summaries(diagnostics)).toEqual([
      "Console changed the compliance policies that were written",
    ]);
    expect(names(console)).toEqual(["x"]);
  });

  test("who puts removed entries back twice is reported, and the state keeps them", async () => {
    const { console, engine } = await between(policySet("prefix", ["a"]), 0, () => undefined);
    const [mine] = console.policies();
    const previousBaseUrls = [engine.connection.client.identity.name];
    const putBack = processOf(
      console,
      async (method) => {
        if (method === "GET") await console.load({ policies: mine ? [mine, { name: "x" }] : [] });
      },
      { previousBaseUrls },
    );
    const second = new Engine(putBack, POLICIES);
    second.stored = engine.stored;
    await second.refresh();
    const diagnostics = await second.apply(null);
    expect(summaries(diagnostics)).toEqual([
      "Console still has the compliance policies that were removed",
    ]);
    expect(second.state).toBeDefined();
  });
});

test.each(["prefix", "suffix"])(
  "removes one of two policies with the same name, with %s ownership",
  async (ownership) => {
    const { console } = await ready();
    await console.load({ policies: [] });
    const engine = new Engine(connectTo(transportTo(console), console.release), POLICIES);
    await engine.apply(policySet(ownership, ["c", "a"]));
    const theirs = { name: "c", notes: "theirs" };
    const present = console.policies();
    await console.load({
      policies: ownership === "prefix" ? [...present, theirs] : [theirs, ...present],
    });
    await engine.refresh();
    expect(summaries(await engine.apply(policySet(ownership, ["b", "a"])))).toEqual([]);
    expect([...names(console)].sort()).toEqual(["a", "b", "c"]);
    expect(console.policies()).toContainEqual(expect.objectContaining({ notes: "theirs" }));
    await engine.refresh();
    expect(summaries(await engine.apply(null))).toEqual([]);
    expect(names(console)).toEqual(["c"]);
  },
);
