import { readSnapshot } from "../../../../src/provider/collections/snapshot";
import { ready, storing } from "../../support/consoles";
import { Engine, errorsOf, summaries, type Stored } from "../../support/engine";

const TYPE = "cwp_compliance_policy_set";
const PUT = "putCompliancePolicies";
const wanted = { policies: [{ name: "a", checks: { 41: true } }] };
const changed = { policies: [{ name: "a", checks: { 41: false } }] };

/** Requests are sent once only, so that what recovers is the provider, not the client. */
const once = { maxRetries: 0 };

async function applied(options = once) {
  const simulated = await ready({}, options);
  const engine = await new Engine(simulated.connection, TYPE).applied(wanted);
  simulated.console.requests.length = 0;
  return { ...simulated, engine };
}

describe("the checkpoint", () => {
  test("is stored after the read and before the write, with the found policies", async () => {
    const { console, connection } = await ready();
    const before = console.policies();
    const points: (Stored & { requests: readonly string[] })[] = [];
    const engine = new Engine(connection, TYPE, {
      onCheckpoint: (point) =>
        points.push({ ...point, requests: console.requests.map(({ method }) => method) }),
    });
    await engine.applied(wanted);
    expect(points).toHaveLength(1);
    expect(points[0]?.requests).not.toContain("PUT");
    expect(console.requests.map(({ method }) => method)).toContain("PUT");
    expect(readSnapshot(points[0]?.private ?? {})).toEqual(before);
    expect(points[0]?.state).toEqual(engine.state);
  });

  test("is enough to continue after a kill", async () => {
    const { console, connection } = await ready();
    const defaults = console.policies().map(({ name }) => name);
    const points: Stored[] = [];
    await new Engine(connection, TYPE, { onCheckpoint: (one) => points.push(one) }).applied(wanted);
    for (const policies of [console.policies(), []]) {
      await console.load({ policies });
      const engine = new Engine(connection, TYPE);
      engine.stored = points[0];
      await engine.applied(wanted);
      expect(await engine.isConverged(wanted)).toBe(true);
      await engine.applied(null);
      expect(console.policies().map(({ name }) => name)).toEqual(defaults);
    }
  });

  test.each([true, false])(
    "of an update has the entries of both, whether they are written or not: %s",
    async (isWritten) => {
      const { console, connection } = await ready();
      const names = () => console.policies().map(({ name }) => name);
      const prefix = (...own: string[]) => ({
        ownership: "prefix",
        policies: own.map((name) => ({ name, checks: { 41: true } })),
      });
      const points: Stored[] = [];
      const engine = new Engine(connection, TYPE, { onCheckpoint: (one) => points.push(one) });
      const defaults = names();
      await engine.applied(prefix("a", "d"));
      const policies = console.policies();
      await engine.applied(prefix("b", "c"));
      if (!isWritten) await console.load({ policies });
      const next = new Engine(connection, TYPE);
      next.stored = points.at(-1);
      // Without the checkpoint, those of the killed run would be unmanaged.
      await next.applied(prefix("c"));
      expect(names()).toEqual(["c", ...defaults]);
      expect(points).toHaveLength(2);
    },
  );

  test("prevents the write if it cannot be stored", async () => {
    const { connection, writes } = await ready();
    const engine = new Engine(connection, TYPE, {
      onCheckpoint: () => {
        throw new Error("ENOSPC: no space left on device");
      },
    });
    const [problem] = errorsOf(await engine.apply(wanted));
    expect(problem?.summary).toBe("Failed to save state");
    expect(problem?.detail).toContain("ENOSPC");
    expect(problem?.detail).not.toContain("bug");
    expect(writes()).toEqual([]);
    expect(engine.stored).toBeUndefined();
  });
});

describe("a write without an answer", () => {
  test.each([`${PUT}:reset-after:1`, `${PUT}:truncate:1`])(
    "%s is found to be done",
    async (fault) => {
      const set = await applied();
      set.fault(fault);
      expect(await set.engine.apply(changed)).toEqual([]);
      expect(set.writes()).toHaveLength(1);
      expect(await set.engine.isConverged(changed)).toBe(true);
    },
  );

  test.each([`${PUT}:reset-before:1`, `${PUT}:status=500:1`, `${PUT}:status=503,body=html:1`])(
    "%s is found not to be done",
    async (fault) => {
      const set = await applied();
      set.fault(fault);
      const problems = errorsOf(await set.engine.apply(changed));
      expect(problems).toHaveLength(1);
      expect(problems[0]?.detail).not.toContain("<");
      expect(set.engine.state).toMatchObject(wanted);
      await set.engine.applied(changed);
      expect(await set.engine.isConverged(changed)).toBe(true);
    },
  );

  test("stores state in a create only if the write was done", async () => {
    for (const [fault, isThere] of [
      [`${PUT}:reset-after:1`, true],
      [`${PUT}:reset-before:1`, false],
      [`${PUT}:status=502:1`, false],
    ] as const) {
      const { connection, fault: inject } = await ready({}, once);
      inject(fault);
      const engine = new Engine(connection, TYPE);
      expect(errorsOf(await engine.apply(wanted))).toHaveLength(isThere ? 0 : 1);
      expect(engine.stored !== undefined).toBe(isThere);
      await engine.applied(wanted);
      expect(await engine.isConverged(wanted)).toBe(true);
    }
  });

  test("stores state if the console cannot be read", async () => {
    const { console, connection, fault } = await ready({}, once);
    fault(`${PUT}:reset-after:1`);
    // The plan and the apply each read before the write; the read after it fails.
    fault("getCompliancePolicies:skip=2,status=503:1");
    const engine = new Engine(connection, TYPE);
    expect(errorsOf(await engine.apply(wanted))).toHaveLength(1);
    expect(engine.state).toMatchObject(wanted);
    expect(engine.stored?.private.snapshot).toBeDefined();
    expect(console.policies().map(({ name }) => name)).toEqual(["a"]);
    expect(await engine.isConverged(wanted)).toBe(true);
  });

  test("is repeated by the client if that is safe", async () => {
    const { engine, fault, writes } = await applied({ maxRetries: 4 });
    fault(`${PUT}:reset-after:1`);
    fault(`${PUT}:status=503:1`);
    fault("getCompliancePolicies:status=429,body=html:2");
    expect(await engine.apply(changed)).toEqual([]);
    expect(writes()).toHaveLength(3);
    expect(await engine.isConverged(changed)).toBe(true);
  });
});

describe("an interruption", () => {
  test("during the first write stores what the next run needs", async () => {
    const { console, connection, fault } = await ready({}, once);
    fault(`${PUT}:delay=30`);
    const abort = new AbortController();
    const engine = new Engine(connection, TYPE, {
      signal: abort.signal,
      onCheckpoint: () =>
        setTimeout(() => {
          abort.abort();
        }, 5),
    });
    expect(summaries(errorsOf(await engine.apply(wanted)))).toEqual(["Interrupted"]);
    expect(console.policies().map(({ name }) => name)).toEqual(["a"]);
    expect(engine.state).toMatchObject(wanted);
    const next = new Engine(connection, TYPE);
    next.stored = engine.stored;
    expect(await next.isConverged(wanted)).toBe(true);
  });
});

describe("a console that refuses or changes what is written", () => {
  test("shows the answer of a 4xx, and stores no state", async () => {
    const { connection, fault } = await ready({}, once);
    fault(`${PUT}:status=400:1`);
    const engine = new Engine(connection, TYPE);
    const [problem] = errorsOf(await engine.apply(wanted));
    expect(problem?.detail).toContain("400");
    expect(problem?.detail).toContain("injected fault");
    expect(engine.stored).toBeUndefined();
  });

  test("reports a value that is read back differently", async () => {
    const stub = storing("/api/v1/policies/compliance/container", "[]");
    const engine = new Engine(stub.connection, TYPE);
    const { client } = stub.connection;
    const request = client.request.bind(client);
    client.request = (name, options) => {
      const body: unknown = options?.body;
      const disabled = (one: object) => ({ ...one, disabled: true });
      return request(name, { ...options, body: Array.isArray(body) ? body.map(disabled) : body });
    };
    const problems = errorsOf(await engine.apply(wanted));
    expect(summaries(problems)).toEqual([
      "Console changed the compliance policies that were written",
    ]);
    expect(engine.state).toMatchObject({ policies: [{ disabled: true }] });
  });

  test.each(["getCompliancePolicies:html:1", "getCompliancePolicies:truncate:9"])(
    "a read answered with %s does not count as an empty collection",
    async (fault) => {
      const { engine, fault: inject, writes } = await applied();
      inject(fault);
      const before = engine.stored;
      expect(errorsOf(await engine.refresh())).toHaveLength(1);
      expect(engine.stored).toEqual(before);
      expect(writes()).toEqual([]);
    },
  );
});
