import { memberOf } from "../../core/member-of";
import { types } from "node:util";
import { aborted } from "./abort";
import {
  AbortedError,
  ConsoleError,
  TimeoutError,
  TlsError,
  type TlsProblem,
  UnreachableError,
} from "../errors";
import { redact, wouldReveal } from "../../core/redact";
import { secretsRepeatedIn } from "../../core/io/secrets-in-use";
import { NothingSent, ProxyFailure } from "../../core/io/proxy";

const TRUST =
  "Set ca_certificate or CONSOLE_CA_FILE to the authority that signed it; insecure_skip_verify disables verification.";

const TLS_ADVICE: Readonly<Record<TlsProblem, string>> = {
  "unknown-authority": `its certificate is not signed by a trusted authority. ${TRUST}`,
  expired: "its certificate has expired. Renew it on the console.",
  "not-yet-valid": "its certificate is not valid yet. Compare the clocks of console and client.",
  "hostname-mismatch":
    "its certificate is for another host name. Use a host name of the certificate in the console's address.",
  "client-certificate":
    "it refuses the client's certificate. The console must trust the authority that signed client_certificate.",
  protocol:
    "the server there does not answer the TLS handshake. Correct the host or the port of the console's address: it must be the console's HTTPS port.",
};

const TLS_CODES: Readonly<Record<string, TlsProblem>> = {
  SELF_SIGNED_CERT_IN_CHAIN: "unknown-authority",
  DEPTH_ZERO_SELF_SIGNED_CERT: "unknown-authority",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "unknown-authority",
  UNABLE_TO_GET_ISSUER_CERT: "unknown-authority",
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: "unknown-authority",
  CERT_UNTRUSTED: "unknown-authority",
  // An authority of the same name with another key, as after a reinstallation.
  CERT_SIGNATURE_FAILURE: "unknown-authority",
  CERT_HAS_EXPIRED: "expired",
  CERT_NOT_YET_VALID: "not-yet-valid",
  ERR_TLS_CERT_ALTNAME_INVALID: "hostname-mismatch",
  EPROTO: "protocol",
};

const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: "the connection was refused; nothing listens there, or not yet",
  ENOTFOUND: "the host name does not resolve",
  EAI_AGAIN: "the host name does not resolve at the moment",
  EHOSTUNREACH: "there is no route to the host",
  ENETUNREACH: "there is no route to the host's network",
  ECONNRESET: "the connection was reset",
  EPIPE: "the connection was closed",
  UND_ERR_SOCKET: "the connection was closed before the answer was complete",
};

const PROXY_REASONS: Readonly<Record<string, string>> = {
  UND_ERR_SOCKET: "it closed the connection",
  UND_ERR_HEADERS_TIMEOUT: "it took too long to answer CONNECT",
  UND_ERR_CONNECT_TIMEOUT: "it took too long to connect",
};

/** Codes of a host name without an address. */
const UNRESOLVED: ReadonlySet<string> = new Set(["ENOTFOUND", "EAI_AGAIN"]);

/** Codes that mean that there was no connection, from any transport. */
const NOTHING_SENT: ReadonlySet<string> = new Set([
  ...UNRESOLVED,
  "ECONNREFUSED",
  "EHOSTUNREACH",
  "ENETUNREACH",
]);

const TIMEOUTS: Readonly<Record<string, TimeoutError["phase"]>> = {
  UND_ERR_CONNECT_TIMEOUT: "connect",
  ETIMEDOUT: "connect",
  UND_ERR_HEADERS_TIMEOUT: "headers",
  UND_ERR_BODY_TIMEOUT: "body",
};

const TIMEOUT_TEXTS: Readonly<Record<TimeoutError["phase"], string>> = {
  connect: "it took too long to connect",
  headers: "the console took too long to answer",
  body: "the console's answer stalled for too long",
};

/** Returns the kind of a TLS failure; undefined for other errors. */
export function tlsProblem(error: unknown): TlsProblem | undefined {
  const code = codeOf(error) ?? "";
  const known = memberOf(TLS_CODES, code);
  if (known) return known;
  if (!code.startsWith("ERR_SSL_")) return undefined;
  return /CERTIFICATE|UNKNOWN_CA/.test(code) ? "client-certificate" : "protocol";
}

/**
 * Converts the error of a transport to a ConsoleError. Only code and message of the error are kept,
 * without `secrets`, because undici's errors quote what the server sent. Programming errors are
 * thrown unchanged.
 */
export function explainFailure(
  error: unknown,
  { url, secrets, signal }: FailureContext,
): ConsoleError {
  if (error instanceof ConsoleError) return error;
  if (signal?.aborted) return aborted(signal);
  if (error instanceof NothingSent && error.cause instanceof ProxyFailure) {
    return explainProxy(error.cause, url, secrets);
  }
  const inner = error instanceof NothingSent ? error.cause : error;
  const code = codeOf(inner) ?? "";
  if (code === "" && isProgrammingError(inner)) throw inner;
  const maybeSent = inner === error && !NOTHING_SENT.has(code);
  const text = messageOf(inner, secrets);
  const cause = Object.assign(new Error(text), code !== "" && { code });

  const tls = tlsProblem(inner);
  const phase = memberOf(TIMEOUTS, code);
  // Without a connection the path does not matter; the message names the host only.
  const where = tls || phase === "connect" || !maybeSent ? new URL(url).origin : url;
  if (tls) {
    const names = tls === "hostname-mismatch" ? certificateNames(inner) : "";
    return new TlsError(tls, `TLS with ${where} failed: ${TLS_ADVICE[tls]}${names}`, { cause });
  }
  if (phase) {
    return new TimeoutError(`Time-out at ${where}: ${TIMEOUT_TEXTS[phase]}.`, phase, { cause });
  }
  if (code === "UND_ERR_CLOSED" || code === "UND_ERR_DESTROYED") {
    return new AbortedError("The client is closed.", { cause });
  }
  const reason =
    memberOf(REASONS, code) ?? (code.startsWith("HPE_") ? "its answer is not HTTP" : text);
  const problem = UNRESOLVED.has(code) ? "unresolved" : "no-answer";
  return new UnreachableError(`${where} cannot be reached: ${reason}.`, maybeSent, problem, {
    cause,
  });
}

/** Most names that a message has of a certificate. */
const MOST_NAMES = 5;

/** The host names of a certificate that is for another host. */
function certificateNames(failure: unknown): string {
  const cert = typeof failure === "object" && failure !== null && "cert" in failure && failure.cert;
  if (typeof cert !== "object" || cert === null || !("subjectaltname" in cert)) return "";
  const names = String(cert.subjectaltname)
    .split(", ")
    .map((name) => name.replace(/^(?:DNS|IP Address):/, ""));
  const more = names.length > MOST_NAMES ? ` and ${names.length - MOST_NAMES} more` : "";
  return ` It is for ${names.slice(0, MOST_NAMES).join(", ")}${more}.`;
}

function explainProxy(
  failure: ProxyFailure,
  url: string,
  secrets: readonly string[],
): UnreachableError {
  const inner = failure.cause;
  const code = codeOf(inner) ?? "";
  const text = messageOf(inner, secrets);
  const status = /^Proxy response \((\d+)\)/.exec(text)?.[1];
  const reason =
    status === undefined
      ? (memberOf(PROXY_REASONS, code) ?? memberOf(REASONS, code) ?? text)
      : `it answered CONNECT with ${status}${status === "407" ? "; check its credentials" : ""}`;
  return new UnreachableError(
    `${new URL(url).origin} cannot be reached through the proxy ${failure.proxy} (HTTPS_PROXY): ${reason}.`,
    false,
    UNRESOLVED.has(code) ? "unresolved" : "proxy",
    { cause: Object.assign(new Error(text), code !== "" && { code }), proxy: failure.proxy },
  );
}

function messageOf(failure: unknown, secrets: readonly string[]): string {
  if (!types.isNativeError(failure)) return "unknown";
  const { message } = failure;
  const all = [...secrets, ...secretsRepeatedIn(message)];
  return wouldReveal(message, all) ? "unknown" : redact(message, all);
}

export interface FailureContext {
  /** Without a query. */
  readonly url: string;
  readonly secrets: readonly string[];
  readonly signal?: AbortSignal | undefined;
}

function codeOf(error: unknown): string | undefined {
  if (!types.isNativeError(error) || !("code" in error)) return undefined;
  return typeof error.code === "string" ? error.code : undefined;
}

function isProgrammingError(error: unknown): boolean {
  return (
    error instanceof TypeError || error instanceof ReferenceError || error instanceof RangeError
  );
}
