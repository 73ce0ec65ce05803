import { z } from "zod";

const HOUR = 3_600_000;
const MAX_LIFE = 24 * HOUR;
const MARGIN = HOUR / 6;

const claimsSchema = z.object({ exp: z.number() });

/** `exp` of a JWT in milliseconds; undefined for text that is no JWT or has none. */
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

/** When a token ends: the earlier of its `exp` and 24 hours from receipt (section 5). */
export function endOfLife(token: string, receivedAt: number): number {
  return Math.min(tokenExpiry(token) ?? Infinity, receivedAt + MAX_LIFE);
}

/**
 * When to get a new token: ten minutes before it ends. A token that does not live that long is
 * used for half of its life.
 */
export function renewalTime(token: string, receivedAt: number): number {
  const expiry = endOfLife(token, receivedAt);
  const early = expiry - MARGIN;
  return early > receivedAt ? early : (receivedAt + expiry) / 2;
}

/** Keeps one token for all requests; those that need a new one at the same time wait for one. */
export class TokenCache {
  #current: { readonly token: string; readonly renewAt: number } | undefined;
  #renewal: Promise<string> | undefined;

  constructor(
    private readonly fetchToken: () => Promise<string>,
    private readonly now: () => number,
  ) {}

  /** The token, renewed when it is due. A failed renewal is not remembered. */
  get(): Promise<string> {
    if (this.#current && this.now() < this.#current.renewAt) {
      return Promise.resolve(this.#current.token);
    }
    this.#renewal ??= this.renew().finally(() => {
      this.#renewal = undefined;
    });
    return this.#renewal;
  }

  /** Gets a new token in any case. */
  async renew(): Promise<string> {
    const token = await this.fetchToken();
    this.#current = { token, renewAt: renewalTime(token, this.now()) };
    return token;
  }

  /** Forgets a token that the console refused, unless another one has taken its place. */
  refuse(token: string): void {
    if (this.#current?.token === token) this.#current = undefined;
  }
}
