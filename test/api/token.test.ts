import { renewalTime, TokenCache, tokenExpiry } from "../../src/api/authorization";
import { jwt } from "./support/jwt";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

describe("the expiry of a token", () => {
  test("is its exp, in milliseconds", () => {
    expect(tokenExpiry(jwt({ exp: 1_600_000_000 }))).toBe(1_600_000_000_000);
  });

  test.each([
    ["an opaque token", "opaque"],
    ["no exp", jwt({ sub: "admin" })],
    ["an exp of another type", jwt({ exp: "tomorrow" })],
    ["no JSON", "a.b.c"],
    ["another number of parts", `${jwt({ exp: 1 })}.d`],
  ])("is unknown for %s", (_, token) => {
    expect(tokenExpiry(token)).toBeUndefined();
  });
});

describe("a token is renewed", () => {
  test("ten minutes before 24 hours from receipt", () => {
    expect(renewalTime("opaque", 0)).toBe(24 * HOUR - 10 * MINUTE);
    expect(renewalTime(jwt({ exp: 48 * 3600 }), 0)).toBe(24 * HOUR - 10 * MINUTE);
  });

  test("ten minutes before its exp, if that is earlier", () => {
    expect(renewalTime(jwt({ exp: 3600 }), 0)).toBe(50 * MINUTE);
    expect(renewalTime(jwt({ exp: 11 * 60 }), 0)).toBe(MINUTE);
  });

  test("after half of its life, if it is shorter than ten minutes", () => {
    expect(renewalTime(jwt({ exp: 300 }), 0)).toBe(2.5 * MINUTE);
  });
});

describe("the token cache", () => {
  function cacheOf(expiries: (number | Error)[]) {
    let time = 0;
    let fetches = 0;
    const fetchToken = async () => {
      const exp = expiries[fetches++];
      await Promise.resolve();
      if (typeof exp !== "number") throw exp ?? new Error("one token too many");
      return jwt({ exp });
    };
    return {
      cache: new TokenCache(fetchToken, () => time),
      at: (milliseconds: number) => (time = milliseconds),
      fetches: () => fetches,
    };
  }

  test("returns one token until its renewal", async () => {
    const { cache, at, fetches } = cacheOf([3600, 7200]);
    await cache.get();
    at(50 * MINUTE - 1);
    expect(await cache.get()).toBe(jwt({ exp: 3600 }));
    expect(fetches()).toBe(1);
    at(50 * MINUTE);
    expect(await cache.get()).toBe(jwt({ exp: 7200 }));
    expect(fetches()).toBe(2);
  });

  test("renews once for all callers", async () => {
    const { cache, fetches } = cacheOf([3600]);
    const tokens = await Promise.all(Array.from({ length: 20 }, () => cache.get()));
    expect(new Set(tokens).size).toBe(1);
    expect(fetches()).toBe(1);
  });

  test("forgets a refused token, but not its replacement", async () => {
    const { cache, fetches } = cacheOf([3600, 7200]);
    const first = await cache.get();
    cache.refuse(first);
    const second = await cache.get();
    cache.refuse(first);
    expect(await cache.get()).toBe(second);
    expect(fetches()).toBe(2);
  });

  test("rejects all waiting callers on failure and tries again for the next", async () => {
    const { cache } = cacheOf([new Error("refused"), 3600]);
    const results = await Promise.allSettled([cache.get(), cache.get()]);
    expect(results.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    expect(await cache.get()).toBe(jwt({ exp: 3600 }));
  });
});
