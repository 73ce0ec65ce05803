import { RELEASES } from "../../../src/api/release";
import { ManualClock, type ConsoleOptions } from "../../../src/simulator";
import { inventoryOf } from "../../../src/simulator/inventory";
import { ready } from "../support/consoles";
import { Engine, errorsOf, summaries } from "../support/engine";

const TYPE = "cwp_container_scan";
const START = "GET /api/v1/containers/scan";
const { containers } = inventoryOf("");

/** A console whose time passes while the client waits. */
async function open(options: ConsoleOptions = {}) {
  const clock = new ManualClock("2021-03-01T09:00:00Z");
  const waits: number[] = [];
  const simulated = await ready(
    { clock, ...options },
    {
      now: () => clock.now().getTime(),
      sleep: (milliseconds) => {
        waits.push(milliseconds);
        clock.advance({ seconds: milliseconds / 1000 });
        return Promise.resolve();
      },
    },
  );
  const scans = () =>
    simulated.console.requests.filter(({ method, path }) => `${method} ${path}` === START).length;
  return { ...simulated, clock, waits, scans };
}

test.each(RELEASES)(
  "release %s: waits for one scan, then has nothing to change",
  async (release) => {
    const { connection, scans, waits } = await open({ release });
    const config = { triggers: { policies: "1" } };
    const engine = await new Engine(connection, TYPE).applied(config);
    expect(engine.state).toEqual({
      id: "container-scan",
      console: connection.client.identity.name,
      triggers: { policies: "1" },
      timeout: 300,
      poll_interval: 10,
      started_at: "2021-03-01T09:00:00.000Z",
      // A simulated scan takes 25 seconds.
      completed_at: "2021-03-01T09:00:25.000Z",
      container_count: containers.length,
      issue_count: containers.flatMap(({ issues }) => issues).length,
    });
    expect(waits).toEqual([10_000, 10_000, 10_000]);
    expect(engine.progress.at(0)).toBe(`0 of ${containers.length} containers scanned`);
    expect(engine.progress.at(-1)).toBe(
      `${containers.length} of ${containers.length} containers scanned`,
    );
    expect(await engine.isConverged(config)).toBe(true);
    expect(scans()).toBe(1);
  },
);

test("plans known values, and starts no scan", async () => {
  const { connection, console } = await open();
  const { planned } = await new Engine(connection, TYPE).plan({ timeout: 60 });
  expect(planned).toMatchObject({ id: "container-scan", triggers: null, poll_interval: 10 });
  expect(console.requests).toEqual([]);
});

test("scans again for a changed trigger, not for a changed wait", async () => {
  const { connection, scans } = await open();
  const engine = await new Engine(connection, TYPE).applied({ triggers: { policies: "1" } });
  const first = engine.state;

  const patient = { triggers: { policies: "1" }, timeout: 600, poll_interval: 5 };
  const plan = await engine.plan(patient);
  expect(plan.requiresReplace).toEqual([]);
  expect(plan.planned).toEqual({ ...first, timeout: 600, poll_interval: 5 });
  expect(await engine.applyPlan(patient, plan)).toEqual([]);
  expect(scans()).toBe(1);

  const again = { ...patient, triggers: { policies: "2" } };
  expect((await engine.plan(again)).requiresReplace).toEqual([["triggers"]]);
  await engine.applied(again);
  expect(scans()).toBe(2);
  expect(engine.state?.started_at).not.toBe(first?.started_at);
});

test("completes at once without containers", async () => {
  const { connection, console } = await open();
  const handle = console.handle.bind(console);
  console.handle = async (request) => {
    const response = await handle(request);
    return request.path.startsWith("/api/v1/containers?")
      ? { ...response, headers: { ...response.headers, "total-count": "0" }, body: "null" }
      : response;
  };
  const engine = await new Engine(connection, TYPE).applied({});
  expect(engine.state).toMatchObject({
    completed_at: "2021-03-01T09:00:00.000Z",
    container_count: 0,
    issue_count: 0,
  });
});

describe("a scan that times out", () => {
  test("names the remaining containers, and stores no state", async () => {
    const { connection, scans } = await open();
    const engine = new Engine(connection, TYPE);
    const [problem, ...others] = await engine.apply({ timeout: 12 });
    expect(problem).toMatchObject({
      severity: "error",
      summary: "Scan did not end in time",
      path: ["timeout"],
    });
    expect(problem?.detail).toMatch(/not complete after 12 s: \d+ of \d+ containers/);
    // Scanned one after the other.
    expect(problem?.detail).toMatch(/: [\w-]+(, [\w-]+){9}, and \d+ more\./);
    expect(problem?.detail).toContain("Increase timeout");
    expect(others).toEqual([]);
    expect(engine.stored).toBeUndefined();

    await engine.applied({ timeout: 60 });
    expect(scans()).toBe(2);
    expect(await engine.isConverged({ timeout: 60 })).toBe(true);
  });
});

test.each(["reset-after", "reset-before", "status=503"])(
  "%s of the start: fails, and starts no second scan",
  async (fault) => {
    const { connection, fault: inject, scans } = await open();
    inject(`startContainerScan:${fault}:1`);
    const engine = new Engine(connection, TYPE);
    expect(errorsOf(await engine.apply({}))).toHaveLength(1);
    expect(scans()).toBe(1);
    expect(engine.stored).toBeUndefined();
    await engine.applied({});
    expect(scans()).toBe(2);
  },
);

test("retries reads of the results", async () => {
  const { connection, fault, scans } = await open();
  fault("getContainers:status=503,skip=2:2");
  await new Engine(connection, TYPE).applied({});
  expect(scans()).toBe(1);
});

test("stops at an interrupt; the next apply scans", async () => {
  const { connection, console } = await open();
  const abort = new AbortController();
  const engine = new Engine(connection, TYPE, { signal: abort.signal });
  const handle = console.handle.bind(console);
  console.handle = (request) => {
    if (request.path === "/api/v1/containers/scan") abort.abort();
    return handle(request);
  };
  expect(summaries(await engine.apply({}))).toEqual(["Interrupted"]);
  expect(engine.stored).toBeUndefined();
});

test("plans a new scan for a reinstalled console", async () => {
  const { connection, console, clock } = await open();
  const engine = await new Engine(connection, TYPE).applied({});
  await console.reset();
  await console.addUser("admin", "canary-password");
  clock.advance({ hours: 1 });
  expect(await engine.refresh()).toEqual([]);
  expect(engine.stored).toBeUndefined();
});

test("destroys without a request or a warning", async () => {
  const { connection, console } = await open();
  const engine = await new Engine(connection, TYPE).applied({});
  const before = console.requests.length;
  const plan = await engine.plan(null);
  expect(plan.diagnostics).toEqual([]);
  expect(await engine.applyPlan(null, plan)).toEqual([]);
  expect(engine.stored).toBeUndefined();
  expect(console.requests).toHaveLength(before);
});

test.each([{ timeout: 0 }, { poll_interval: 0 }, { poll_interval: -1 }])(
  "refuses %j",
  async (config) => {
    const { connection } = await open();
    const [found] = new Engine(connection, TYPE).validate(config);
    expect(found?.path).toEqual(Object.keys(config));
  },
);
