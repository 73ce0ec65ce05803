import { unlessAborted } from "./http/abort";
import { basicAuthorization, type Credentials } from "./credentials";
import { ConfigurationError } from "./errors";
import { TokenCache } from "./token";

/** The Authorization header of requests, from the configured credentials (section 5). */
export class Authorization {
  readonly #tokens: TokenCache;

  constructor(
    private readonly credentials: Credentials | undefined,
    fetchToken: (credentials: TokenCredentials) => Promise<string>,
    now: () => number,
  ) {
    this.#tokens = new TokenCache(() => fetchToken(tokenCredentials(credentials)), now);
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
