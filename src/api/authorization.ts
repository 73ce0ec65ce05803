import { unlessAborted } from "./http/abort";
import { basicAuthorization, type Credentials } from "./credentials";
import { ConfigurationError } from "./errors";
import { type Joined, Shared } from "./shared";
import { z } from "zod";

/** The Authorization header of requests, from the configured credentials (section 5). */
export class Authorization {
  readonly #tokens: TokenCache;

  constructor(
    private readonly credentials: Credentials | undefined,
    fetchToken: (credentials: TokenCredentials) => Promise<string>,
    now: () => number,
    kept?: KeptToken,
  ) {
    this.#tokens = new TokenCache(() => fetchToken(tokenCredentials(credentials)), now, kept);
  }

  /** Returns the header's value. Fetches a token if none is cached or the cached one ends soon. */
  async header(signal?: AbortSignal): Promise<string> {
    switch (this.credentials?.method) {
      case undefined:
        throw new ConfigurationError(
          "credentials",
          "The console requires credentials, but none are configured.",
        );
      case "basic":
        return basicAuthorization(this.credentials.username, this.credentials.password);
      case "static-token":
        return bearer(this.credentials.token);
      case "token-login":
      case "client-certificate":
        return bearer(await unlessAborted(this.#tokens.get(), signal));
    }
  }

  /** Reports that the console answered 401. Returns true when a new header may help. */
  refused(header: string): boolean {
    if (!this.fetchesTokens) return false;
    this.#tokens.refuse(header.slice(bearer("").length));
    return true;
  }

  /** True for credentials that are exchanged for a token. */
  get fetchesTokens(): boolean {
    const method = this.credentials?.method;
    return method === "token-login" || method === "client-certificate";
  }

  /** Exchanges the credentials for a new token, regardless of the cache. */
  async renew(signal?: AbortSignal): Promise<void> {
    await unlessAborted(this.#tokens.renew(), signal);
  }
}

export type TokenCredentials = Extract<
  Credentials,
  { readonly method: "token-login" | "client-certificate" }
>;

function tokenCredentials(credentials: Credentials | undefined): TokenCredentials {
  if (credentials?.method === "token-login" || credentials?.method === "client-certificate") {
    return credentials;
  }
  throw new Error("no token belongs to these credentials");
}

function bearer(token: string): string {
  return `Bearer ${token}`;
}

const HOUR_MS = 3_600_000;
const MAX_LIFE_MS = 24 * HOUR_MS;
const MARGIN_MS = HOUR_MS / 6;

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
  return Math.min(tokenExpiry(token) ?? Infinity, receivedAt + MAX_LIFE_MS);
}

/** Returns when to renew a token: ten minutes before it ends, or after half of a shorter life. */
export function renewalTime(token: string, receivedAt: number): number {
  const expiry = endOfLife(token, receivedAt);
  const early = expiry - MARGIN_MS;
  return early > receivedAt ? early : (receivedAt + expiry) / 2;
}

/** A token, and its renewal while it is under way. */
interface KeptToken {
  current?: { readonly token: string; readonly renewAt: number } | undefined;
  renewal?: Promise<string> | undefined;
}

const sharedTokens = new Shared<KeptToken>();

/**
 * Returns the token that all open clients of a console with the same credentials share: the projects
 * of a console have one token.
 */
export function shareToken(
  baseUrl: string,
  credentials: Credentials | undefined,
): Joined<KeptToken> {
  return sharedTokens.join([baseUrl, credentials], () => ({}));
}

/** Caches one token for all requests. Concurrent requests share one renewal. */
export class TokenCache {
  readonly #kept: KeptToken;

  constructor(
    private readonly fetchToken: () => Promise<string>,
    private readonly now: () => number,
    kept: KeptToken = {},
  ) {
    this.#kept = kept;
  }

  /** Returns the token, renewed if necessary. A failed renewal is not cached. */
  get(): Promise<string> {
    if (this.#kept.current && this.now() < this.#kept.current.renewAt) {
      return Promise.resolve(this.#kept.current.token);
    }
    this.#kept.renewal ??= this.renew().finally(() => {
      this.#kept.renewal = undefined;
    });
    return this.#kept.renewal;
  }

  /** Fetches a new token, regardless of the cache. */
  async renew(): Promise<string> {
    const token = await this.fetchToken();
    this.#kept.current = { token, renewAt: renewalTime(token, this.now()) };
    return token;
  }

  /** Forgets a token that the console refused, unless it has already been replaced. */
  refuse(token: string): void {
    if (this.#kept.current?.token === token) this.#kept.current = undefined;
  }
}
