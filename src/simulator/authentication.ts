import { createSecretKey, type KeyObject } from "node:crypto";
import type { SimulatedClock } from "./clock";
import type { ConsoleData } from "./console-state";

/**
 * Returns the user who sends a request, by basic or bearer authorization (section 5); undefined if
 * the header authenticates nobody.
 */
export async function callerOf(
  header: string | string[] | undefined,
  { users }: ConsoleData,
  tokens: TokenIssuer,
): Promise<string | undefined> {
  if (typeof header !== "string") return undefined;
  const [, scheme = "", credentials = ""] = /^(\S+) +(\S+)$/.exec(header.trim()) ?? [];
  switch (scheme.toLowerCase()) {
    case "bearer":
      return tokens.usernameOf(credentials);
    case "basic": {
      const [username, password] = splitBasic(credentials);
      return (await users.get(username)?.matches(password)) ? username : undefined;
    }
    default:
      return undefined;
  }
}

/** Decodes basic authorization: UTF-8, where the first colon ends the username. */
function splitBasic(credentials: string): [username: string, password: string] {
  const text = Buffer.from(credentials, "base64").toString("utf8");
  const colon = text.indexOf(":");
  return colon < 0 ? [text, ""] : [text.slice(0, colon), text.slice(colon + 1)];
}

/** Validity of a token in seconds (section 8). */
const TOKEN_LIFETIME_SECONDS = 24 * 60 * 60;

const REMEMBERED_TOKENS = 1000;

interface Claims {
  readonly username: string;
  readonly expiresAt: number;
}

/** Issues and verifies the console's access tokens: JWTs, signed by HS256. */
export class TokenIssuer {
  readonly #key: KeyObject;
  readonly #clock: SimulatedClock;
  /** Verified tokens: their signature does not change, only their expiry is checked again. */
  readonly #proved = new Map<string, Claims>();

  constructor(key: Uint8Array, clock: SimulatedClock) {
    this.#key = createSecretKey(key);
    this.#clock = clock;
  }

  async issue(username: string): Promise<string> {
    const { SignJWT } = await import("jose");
    const issuedAt = this.#seconds();
    return new SignJWT({ sub: username })
      .setProtectedHeader({ alg: "HS256", typ: "JWT" })
      .setIssuedAt(issuedAt)
      .setExpirationTime(issuedAt + TOKEN_LIFETIME_SECONDS)
      .sign(this.#key);
  }

  /** Returns the user of a token; undefined if another console issued it or it has expired. */
  async usernameOf(token: string): Promise<string | undefined> {
    const claims = this.#proved.get(token) ?? (await this.#prove(token));
    return claims && this.#seconds() < claims.expiresAt ? claims.username : undefined;
  }

  async #prove(token: string): Promise<Claims | undefined> {
    const { jwtVerify } = await import("jose");
    const claims = await jwtVerify(token, this.#key, {
      algorithms: ["HS256"],
      currentDate: this.#clock.now(),
    }).then(
      ({ payload: { sub, exp } }) =>
        sub === undefined || exp === undefined ? undefined : { username: sub, expiresAt: exp },
      () => undefined,
    );
    if (claims === undefined) return undefined;
    if (this.#proved.size >= REMEMBERED_TOKENS) this.#proved.clear();
    this.#proved.set(token, claims);
    return claims;
  }

  #seconds(): number {
    return Math.floor(this.#clock.now().getTime() / 1000);
  }
}
