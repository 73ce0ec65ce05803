import type { Credentials } from "../../api/credentials";
import { error, type Diagnostic } from "../diagnostics";
import type { Settings } from "./settings";

/** Texts in PEM format, by the names of TLS. */
export type PemTexts = Readonly<Record<"cert" | "key" | "ca", string | undefined>>;

/**
 * Chooses the credentials: an explicit `auth`, else a token, a client certificate, username and
 * password, in this order. Undefined if none is complete.
 */
export function chooseCredentials(
  settings: Settings,
  { cert, key }: PemTexts,
): Credentials | undefined {
  const { auth, username, password, token } = settings;
  const allows = (method: Settings["auth"]) => auth === undefined || auth === method;
  if (allows("token") && token !== undefined) return { method: "static-token", token };
  if (allows("client_certificate") && cert !== undefined && key !== undefined) {
    return { method: "client-certificate", cert, key };
  }
  const isPassword = auth !== "client_certificate" && missingHalf(settings) === undefined;
  if (!isPassword || username === undefined || password === undefined) return undefined;
  const method = auth === "basic" ? "basic" : "token-login";
  return { method, username, password };
}

/** The attribute that completes a client certificate which would win. */
function missingHalf({ auth, clientCertificate, clientKey }: Settings): string | undefined {
  if (auth === "token" || auth === "basic") return undefined;
  if (clientCertificate && !clientKey) return "client_key";
  return clientKey && !clientCertificate ? "client_certificate" : undefined;
}

export function noCredentials(settings: Settings): Diagnostic {
  const missing = missingHalf(settings);
  if (missing !== undefined) {
    return error(
      "Incomplete client certificate",
      `A client certificate needs its private key: ${missing} is not set, nor ${missing}_file.`,
      [missing],
    );
  }
  const needed = {
    token: "a token, or username and password",
    basic: "username and password",
    client_certificate: "client_certificate and client_key",
    any: "username and password, a token, or client_certificate and client_key",
  }[settings.auth ?? "any"];
  return error(
    "Missing credentials",
    `The provider needs ${needed}, from its block or from the environment (CONSOLE_USERNAME, CONSOLE_PASSWORD, CONSOLE_TOKEN, CONSOLE_CLIENT_CERT_FILE, CONSOLE_CLIENT_KEY_FILE).`,
  );
}
