import fc from "fast-check";
import { type Failure, parseRetryAfter, retryDelay } from "../../../src/api/http/retry";

const bounds = { maxRetries: 4, maxElapsed: 120_000 };
const half = () => 0.5;

function delay(failure: Failure, replaySafe: boolean, number = 1, elapsed = 0) {
  return retryDelay({ failure, number, elapsed, replaySafe }, bounds, half);
}

const status = (code: number, retryAfterMs?: number): Failure => ({
  kind: "status",
  status: code,
  ...(retryAfterMs !== undefined && { retryAfterMs }),
});

describe("a retry", () => {
  test.each<[string, Failure]>([
    ["nothing was sent", { kind: "nothing-sent" }],
    ["429", status(429)],
  ])("is allowed for any request after: %s", (_, failure) => {
    expect(delay(failure, false)).toBe(250);
    expect(delay(failure, true)).toBe(250);
  });

  test.each<[string, Failure]>([
    ["a broken connection", { kind: "connection-lost" }],
    ["408", status(408)],
    ["502", status(502)],
    ["503", status(503)],
    ["503 with Retry-After", status(503, 1000)],
    ["504", status(504)],
  ])("is allowed for requests that are safe to replay after: %s", (_, failure) => {
    expect(delay(failure, false)).toBeUndefined();
    expect(delay(failure, true)).toBeGreaterThan(0);
  });

  test.each([400, 401, 402, 403, 404, 405, 409, 500, 501])("is never allowed after: %d", (code) => {
    expect(delay(status(code), true)).toBeUndefined();
  });
});

test("doubles delays up to ten seconds, with full jitter", () => {
  const longest = [1, 2, 3, 4, 5, 6, 7].map((number) =>
    retryDelay(
      { failure: status(429), number, elapsed: 0, replaySafe: false },
      { maxRetries: 10, maxElapsed: 120_000 },
      () => 1,
    ),
  );
  expect(longest).toEqual([500, 1000, 2000, 4000, 8000, 10_000, 10_000]);
  fc.assert(
    fc.property(fc.double({ min: 0, max: 1, noNaN: true }), (random) => {
      const attempt = { failure: status(429), number: 3, elapsed: 0, replaySafe: false };
      expect(retryDelay(attempt, bounds, () => random)).toBe(random * 2000);
    }),
  );
});

test("adds jitter to Retry-After", () => {
  expect(delay(status(429, 7000), false)).toBe(7250);
  expect(delay(status(503, 7000), true)).toBe(7250);
});

test("limits the number of attempts and their time", () => {
  expect(delay(status(429), true, 4)).toBeDefined();
  expect(delay(status(429), true, 5)).toBeUndefined();
  expect(delay(status(429), true, 1, 119_750)).toBe(250);
  expect(delay(status(429), true, 1, 119_751)).toBeUndefined();
  expect(delay(status(429, 120_000), true)).toBeUndefined();
});

describe("Retry-After", () => {
  const now = Date.parse("Fri, 01 Jan 2021 00:00:00 GMT");
  test.each([
    ["0", 0],
    ["120", 120_000],
    [" 3 ", 3000],
    ["Fri, 01 Jan 2021 00:00:30 GMT", 30_000],
    ["Friday, 01-Jan-21 00:00:30 GMT", 30_000],
    ["Thu, 31 Dec 2020 23:59:00 GMT", 0],
    ["", undefined],
    ["soon", undefined],
    ["-1", undefined],
    ["1.5", undefined],
    ["2021-01-01", undefined],
    [undefined, undefined],
  ])("of %j", (value, expected) => {
    expect(parseRetryAfter(value, now)).toBe(expected);
  });
});
