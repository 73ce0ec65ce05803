import { z } from "zod";

const HOUR = 3_600_000;
const MAX_LIFE = 24 * HOUR;
const MARGIN = HOUR / 6;

const claimsSchema = z.object({ exp: z.number() });

/** Returns `exp` of a JWT in milliseconds; undefined if the text is not a JWT or has none. */
export function tokenExpiry(token: string): number | undefined {
  const [, payload, signature, ...more] = token.split(".");
  if (payload === undefined || signature === undefined || more.length > 0) return undefined;
  try {
    const claims: unknown = JSON.parse(Buffer.from(payload, "base64url").toString("utf8"));
    const exp = claimsSchema.safeParse(claims).data?.exp;
    return exp === undefined ? undefined : exp * 1000;
  } catch {
    return undefined;
  }
}

/** Returns when a token ends: the earlier of its `exp` and 24 hours from receipt (section 5). */
export function endOfLife(token: string, receivedAt: number): number {
  return Math.min(tokenExpiry(token) ?? Infinity, receivedAt + MAX_LIFE);
}

/** Returns when to renew a token: ten minutes before it ends, or after half of a shorter life. */
export function renewalTime(token: string, receivedAt: number): number {
  const expiry = endOfLife(token, receivedAt);
  const early = expiry - MARGIN;
  return early > receivedAt ? early : (receivedAt + expiry) / 2;
}

/** Caches one token for all requests. Concurrent requests share one renewal. */
export class TokenCache {
  #current: { readonly token: string; readonly renewAt: number } | undefined;
  #renewal: Promise<string> | undefined;

  constructor(
    private readonly fetchToken: () => Promise<string>,
    private readonly now: () => number,
  ) {}

  /** Returns the token, renewed if necessary. A failed renewal is not cached. */
  get(): Promise<string> {
    if (this.#current && this.now() < this.#current.renewAt) {
      return Promise.resolve(this.#current.token);
    }
    this.#renewal ??= this.renew().finally(() => {
      this.#renewal = undefined;
    });
    return this.#renewal;
  }

  /** Fetches a new token, regardless of the cache. */
  async renew(): Promise<string> {
    const token = await this.fetchToken();
    this.#current = { token, renewAt: renewalTime(token, this.now()) };
    return token;
  }

  /** Forgets a token that the console refused, unless it has already been replaced. */
  refuse(token: string): void {
    if (this.#current?.token === token) this.#current = undefined;
  }
}
