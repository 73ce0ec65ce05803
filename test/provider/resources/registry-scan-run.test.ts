import type { ObjectValue } from "../../../src/core/values";
import { cwpProvider } from "../../../src/provider/cwp-provider";
import { Provider } from "../../../src/core/provider";
import { ManualClock } from "../../../src/simulator";
import { inventoryOf } from "../../../src/simulator/inventory";
import { ready } from "../support/consoles";
import { Engine, summaries } from "../support/engine";
import { closeSecondConsoles, connectToSecond } from "../support/second-console";

const TYPE = "cwp_registry_scan_run";
const { images } = inventoryOf("");

afterEach(closeSecondConsoles);

/** A console whose time passes while the client waits. */
async function open() {
  const clock = new ManualClock("2021-03-01T09:00:00Z");
  const simulated = await ready(
    { clock },
    {
      now: () => clock.now().getTime(),
      sleep: (milliseconds) => {
        clock.advance({ seconds: milliseconds / 1000 });
        return Promise.resolve();
      },
    },
  );
  clock.advance({ seconds: 60 });
  return simulated;
}

test("waits for one scan of all images, then has nothing to change", async () => {
  const { connection, writes } = await open();
  const config: ObjectValue = { triggers: { settings: "1" } };
  const engine = await new Engine(connection, TYPE).applied(config);
  expect(engine.state).toMatchObject({
    id: "registry-scan",
    timeout: 3600,
    started_at: "2021-03-01T09:01:00.000Z",
    completed_at: "2021-03-01T09:01:25.000Z",
    image_count: images.length,
  });
  expect(engine.progress.at(-1)).toBe(`${images.length} of ${images.length} images scanned`);
  expect(await engine.isConverged(config)).toBe(true);
  await engine.applied({ triggers: { settings: "2" } });
  expect(writes()).toEqual(["POST /api/v1/registry/scan", "POST /api/v1/registry/scan"]);
});

test("names the images that a scan does not reach in time, and keeps no state", async () => {
  const { connection } = await open();
  const engine = new Engine(connection, TYPE);
  const failed = await engine.apply({ timeout: 20 });
  expect(summaries(failed)).toEqual(["Scan did not end in time"]);
  expect(JSON.stringify(failed[0]?.detail)).toContain(
    `${images.length} of ${images.length} images`,
  );
  expect(engine.state).toBeUndefined();
});

test("reads the images of a console in pages, and waits for a later result of each", async () => {
  const count = 60;
  let polls = 0;
  const { connection, served } = await connectToSecond({
    intercept: ({ method, path, query }) => {
      if (method !== "GET" || path !== "registry") return undefined;
      const offset = Number(new URLSearchParams(query).get("offset") ?? 0);
      if (offset === 0) polls += 1;
      const rows = Array.from({ length: count }, (_, index) => ({
        _id: `i${index}`,
        // The last one is scanned by the second poll after the start only.
        scanTime: polls > (index === count - 1 ? 2 : 1) ? "2026-02-02T00:00:00Z" : "2026-01-01",
        repoTag: { registry: "r", repo: `app-${index}`, tag: "1" },
        vulnerabilitiesCount: 2,
      }));
      const json = rows.slice(offset, offset + 50);
      return { status: 200, json, headers: { "Total-Count": String(count) } };
    },
  });
  const engine = new Engine(connection, TYPE);
  await engine.applied({ poll_interval: 0.01 });
  expect(engine.state).toMatchObject({ image_count: count, vulnerability_count: 2 * count });
  expect(engine.progress).toContain(`${count - 1} of ${count} images scanned`);
  expect(served.writes()).toEqual(["POST registry/scan"]);
});

test("a console without such scans is named in the error", async () => {
  const { connection } = await connectToSecond({ missing: ["registry", "registry/scan"] });
  const failed = await new Engine(connection, TYPE).apply({});
  expect(JSON.stringify(failed)).toContain("/api/v1/registry");
});

test("the action scans too, and reports the result", async () => {
  const { connection, writes } = await open();
  const progress: string[] = [];
  const found = await new Provider(cwpProvider).actions.invoke(
    TYPE,
    { timeout: null, poll_interval: null },
    {
      connection,
      signal: new AbortController().signal,
      progress: (message) => progress.push(message),
      beforeWrite: () => true,
    },
  );
  expect(found).toEqual([]);
  expect(progress.at(-1)).toBe(`Scan complete. Images: ${images.length}, vulnerabilities: 0`);
  expect(writes()).toEqual(["POST /api/v1/registry/scan"]);
});
