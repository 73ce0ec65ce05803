import { AbortedError, ScanTimeoutError } from "../../../src/api/errors";
import type { ScanProgress } from "../../../src/api/areas/scan";
import { scripted } from "../support/scripted-console";

const START = Date.parse("2021-03-04T05:06:07Z");

/**
 * A console whose scan takes the given number of seconds for each container, one after the other.
 */
function scanning(seconds: readonly number[]) {
  let time = 0;
  const script = scripted(
    ({ path }) => {
      if (path.includes("/scan")) return { body: JSON.stringify({ started: START }) };
      const body = seconds.map((second, index) => ({
        _id: `c${index}`,
        scan_time: new Date(time >= second ? START + second * 1000 : 0).toISOString(),
        info: { name: `web-${index}` },
      }));
      return { body };
    },
    {
      now: () => time * 1000,
      sleep: (milliseconds, signal) => {
        time += milliseconds / 1000;
        return signal?.aborted ? Promise.reject(new AbortedError("aborted")) : Promise.resolve();
      },
    },
  );
  return { ...script, elapsed: () => time };
}

const STARTED = "GET /api/v1/containers/scan";

test("polls every ten seconds until all containers are scanned", async () => {
  const { client, calls, elapsed } = scanning([5, 12, 25]);
  const progress: ScanProgress[] = [];
  const { startedAt, containers } = await client.containers.scan({
    onProgress: (one) => progress.push(one),
  });
  expect(startedAt).toEqual(new Date(START));
  expect(containers).toHaveLength(3);
  expect(elapsed()).toBe(30);
  expect(progress.map(({ finished, count }) => `${finished}/${count}`)).toEqual([
    "0/3",
    "1/3",
    "2/3",
    "3/3",
  ]);
  expect(calls().filter((call) => call === STARTED)).toHaveLength(1);
  expect(calls()[3]).toBe(STARTED);
});

test("completes at once without containers", async () => {
  const { client, elapsed } = scanning([]);
  expect((await client.containers.scan()).containers).toEqual([]);
  expect(elapsed()).toBe(0);
});

test("names the unfinished containers after the time-out", async () => {
  const { client, elapsed } = scanning([5, 1000, 2000]);
  const scan = client.containers.scan({ interval: 20_000, timeout: 50_000 });
  await expect(scan).rejects.toThrow(ScanTimeoutError);
  await expect(scan).rejects.toMatchObject({
    unfinished: ["c1", "c2"],
    message:
      "The scan was not complete after 50 s: 2 of 3 containers have no new result: web-1, web-2.",
  });
  expect(elapsed()).toBe(50);
});

test("waits for five minutes by default", async () => {
  const { client, elapsed } = scanning([1000]);
  await expect(client.containers.scan()).rejects.toThrow("after 300 s");
  expect(elapsed()).toBe(300);
});

test("stops waiting on abort", async () => {
  const { client } = scanning([1000]);
  const abort = new AbortController();
  const scan = client.containers.scan({
    signal: abort.signal,
    onProgress: () => {
      abort.abort();
    },
  });
  await expect(scan).rejects.toThrow(AbortedError);
});
