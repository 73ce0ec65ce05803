import { Provider } from "../../../src/core/provider";
import type { ObjectValue } from "../../../src/core/values";
import { cwpProvider } from "../../../src/provider/cwp-provider";
import { ManualClock } from "../../../src/simulator";
import { ready } from "../support/consoles";

const TYPE = "cwp_container_scan";
const { actions } = new Provider(cwpProvider);

/** A console whose time passes while the client waits. */
async function open() {
  const clock = new ManualClock("2021-03-01T09:00:00Z");
  const waits: number[] = [];
  const { console, connection } = await ready(
    { clock },
    {
      now: () => clock.now().getTime(),
      sleep: (milliseconds) => {
        waits.push(milliseconds);
        clock.advance({ seconds: milliseconds / 1000 });
        return Promise.resolve();
      },
    },
  );
  const progress: string[] = [];
  const invoke = (config: ObjectValue, beforeWrite = () => true) =>
    actions.invoke(
      TYPE,
      { timeout: null, poll_interval: null, ...config },
      {
        connection,
        signal: new AbortController().signal,
        progress: (message) => progress.push(message),
        beforeWrite,
      },
    );
  return { console, waits, progress, invoke };
}

test("scans with the defaults of the resource, and reports the result", async () => {
  const { waits, progress, invoke } = await open();
  expect(await invoke({})).toEqual([]);
  expect(waits).toEqual([10_000, 10_000, 10_000]);
  expect(progress.at(0)).toMatch(/^0 of \d+ containers scanned$/);
  expect(progress.at(-1)).toMatch(/^Scan complete\. Containers: \d+, compliance issues: \d+$/);
});

test("names what is missing of a scan that does not end in time, and how to repeat it", async () => {
  const { invoke } = await open();
  expect(await invoke({ timeout: 12 })).toEqual([
    {
      severity: "error",
      summary: "Scan did not end in time",
      path: ["timeout"],
      detail: expect.stringMatching(
        /not complete after 12 s: .*invoke the action with -invoke/s,
      ) as string,
    },
  ]);
});

test("sends nothing if the run allows no effect, or if a value is invalid", async () => {
  const { console, invoke } = await open();
  expect(await invoke({}, () => false)).toMatchObject([{ summary: "Change was not started" }]);
  expect(await invoke({ timeout: -1 })).toMatchObject([{ summary: "Invalid attribute value" }]);
  expect(console.requests).toEqual([]);
});
