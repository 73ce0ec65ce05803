import { underLease, type Lease } from "../../src/temporal/lease";

const LEASE_MS = 6_000;

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

/** Work that goes on until it is released, under a lease whose signs are answered by `renew`. */
function working(renew: () => Promise<boolean>, ending = new AbortController()) {
  let release: () => void = () => undefined;
  const ended = new Promise<void>((resolve) => (release = resolve));
  const leases: Lease[] = [];
  const request = { attempt: 1, leaseMs: LEASE_MS, renew, ending: ending.signal };
  const done = underLease({ ...request, now: () => Date.now() }, (given) => {
    leases.push(given);
    return ended;
  });
  const [lease] = leases;
  if (!lease) throw new Error("the work has not begun");
  return { lease, release, done, ending };
}

test("holds as long as the server answers", async () => {
  const { lease, release, done } = working(() => Promise.resolve(true));
  await jest.advanceTimersByTimeAsync(10 * LEASE_MS);
  expect([lease.holds(), lease.stop.aborted, lease.abort.aborted]).toEqual([true, false, false]);
  release();
  await done;
  expect(jest.getTimerCount()).toBe(0);
});

test("stops after half of its time without an answer, and cuts requests after the whole time", async () => {
  let isCut = false;
  const never = new Promise<boolean>(() => undefined);
  const { lease, release, done } = working(() => (isCut ? never : Promise.resolve(true)));
  await jest.advanceTimersByTimeAsync(3 * LEASE_MS);
  isCut = true;
  await jest.advanceTimersByTimeAsync(LEASE_MS / 2);
  expect([lease.holds(), lease.stop.aborted, lease.abort.aborted]).toEqual([false, true, false]);
  await jest.advanceTimersByTimeAsync(LEASE_MS / 2);
  expect(lease.abort.aborted).toBe(true);
  release();
  await done;
});

test("does not hold in a process that was suspended, before its timers run", () => {
  const { lease, release } = working(() => Promise.resolve(true));
  jest.setSystemTime(Date.now() + LEASE_MS);
  expect([lease.stop.aborted, lease.holds()]).toEqual([false, false]);
  release();
});

test("ends at once when the batch is another worker's", async () => {
  const { lease, release, done } = working(() => Promise.resolve(false));
  await jest.advanceTimersByTimeAsync(LEASE_MS / 6);
  expect([lease.holds(), lease.stop.aborted, lease.abort.aborted]).toEqual([false, true, true]);
  release();
  await done;
});

test("starts nothing new when the worker ends", async () => {
  const { lease, release, done, ending } = working(() => Promise.resolve(true));
  ending.abort();
  expect([lease.stop.aborted, lease.abort.aborted]).toEqual([true, false]);
  release();
  await done;
});
