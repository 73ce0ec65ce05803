import { ConfigurationError } from "./errors";

/** The authentication of requests (section 5). */
export type Credentials =
  /** Basic authorization on every request. */
  | { readonly method: "basic"; readonly username: string; readonly password: string }
  /** A token for username and password, renewed before it ends. */
  | { readonly method: "token-login"; readonly username: string; readonly password: string }
  /** This token, sent unchanged and never renewed. */
  | { readonly method: "static-token"; readonly token: string }
  /** A token for a client certificate, renewed before it ends. PEM texts. */
  | { readonly method: "client-certificate"; readonly cert: string; readonly key: string };

/** Validates credentials. Throws a ConfigurationError for those that no request can carry. */
export function validateCredentials(credentials: Credentials): void {
  switch (credentials.method) {
    case "basic":
      if (credentials.username.includes(":")) {
        throw new ConfigurationError(
          "username",
          "A username with a colon cannot be sent by basic authorization; use the token method.",
        );
      }
      return;
    case "static-token":
      if (!/^[\x21-\x7e]+$/.test(credentials.token)) {
        throw new ConfigurationError(
          "token",
          "The token is empty or has white space or characters that no HTTP header can carry. Set the token alone, on one line and without Bearer in front.",
        );
      }
      return;
    case "token-login":
    case "client-certificate":
  }
}

/** Formats the header of basic authorization: UTF-8, one backslash in `DOMAIN\name` (section 5). */
export function basicAuthorization(username: string, password: string): string {
  return `Basic ${Buffer.from(`${username}:${password}`, "utf8").toString("base64")}`;
}

/** Returns the parts of the credentials that must not be shown. */
export function secretsOfCredentials(credentials: Credentials | undefined): readonly string[] {
  switch (credentials?.method) {
    case undefined:
      return [];
    case "basic":
    case "token-login": {
      const { username, password } = credentials;
      return [password, basicAuthorization(username, password).slice("Basic ".length)];
    }
    case "static-token":
      return [credentials.token];
    case "client-certificate":
      return [credentials.key.trim()];
  }
}
