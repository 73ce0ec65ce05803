import type { EndpointName } from "./endpoints";
import type { Release } from "./release";

/**
 * Whatever keeps the console's API from doing what was asked. `code` is stable; `name` is the
 * class's. No message, property or cause carries a credential, a token or a license key.
 */
export abstract class ConsoleError extends Error {
  abstract override readonly name: string;
  abstract readonly code: string;
}

/** What the client was given cannot work. `option` is the client's option at fault. */
export class ConfigurationError extends ConsoleError {
  override readonly name = "ConfigurationError";
  readonly code = "CONSOLE_CONFIGURATION";

  constructor(
    readonly option: string,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** No answer: the name does not resolve, nothing listens, or the connection broke. */
export class UnreachableError extends ConsoleError {
  override readonly name = "UnreachableError";
  readonly code = "CONSOLE_UNREACHABLE";

  constructor(
    message: string,
    /** False when the request certainly did not go out. */
    readonly maybeSent: boolean,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** What of TLS went wrong. `protocol`: none of the others. */
export type TlsProblem =
  | "unknown-authority"
  | "expired"
  | "not-yet-valid"
  | "hostname-mismatch"
  | "client-certificate"
  | "protocol";

/** The console and the client do not agree on TLS. The message says what to do about it. */
export class TlsError extends ConsoleError {
  override readonly name = "TlsError";
  readonly code = "CONSOLE_TLS";

  constructor(
    readonly problem: TlsProblem,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** The console did not connect or answer in time. */
export class TimeoutError extends ConsoleError {
  override readonly name = "TimeoutError";
  readonly code = "CONSOLE_TIMEOUT";

  constructor(
    message: string,
    readonly phase: "connect" | "headers" | "body",
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** The caller's signal, or `close`, ended the request. */
export class AbortedError extends ConsoleError {
  override readonly name = "AbortedError";
  readonly code = "CONSOLE_ABORTED";
}

/** What of a console's refusal is told. */
export interface Answer {
  readonly status: number;
  /** What the console's body says, one line, bounded, free of secrets; "" when it says nothing. */
  readonly serverMessage: string;
}

/** The console answered with a status that is not 2xx. */
export class ApiError extends ConsoleError implements Answer {
  override readonly name: "ApiError" | "UnauthorizedError" | "LicenseRequiredError" = "ApiError";
  readonly code: "CONSOLE_API" | "CONSOLE_UNAUTHORIZED" | "CONSOLE_LICENSE_REQUIRED" =
    "CONSOLE_API";
  readonly status: number;
  readonly serverMessage: string;

  constructor(
    readonly endpoint: EndpointName,
    message: string,
    answer: Answer,
  ) {
    super(message);
    this.status = answer.status;
    this.serverMessage = answer.serverMessage;
  }
}

/** 401: the credentials are wrong, or a token is no longer valid and could not be renewed. */
export class UnauthorizedError extends ApiError {
  override readonly name = "UnauthorizedError";
  override readonly code = "CONSOLE_UNAUTHORIZED";
}

/** 402: the console is not functional until a license is installed (section 3). */
export class LicenseRequiredError extends ApiError {
  override readonly name = "LicenseRequiredError";
  override readonly code = "CONSOLE_LICENSE_REQUIRED";
}

/** A 2xx body that is not what the specification shows. `path` leads into the body. */
export class SchemaMismatchError extends ConsoleError {
  override readonly name = "SchemaMismatchError";
  readonly code = "CONSOLE_SCHEMA_MISMATCH";

  constructor(
    message: string,
    readonly path: readonly (string | number)[],
  ) {
    super(message);
  }
}

/** The configured release has no such endpoint. */
export class EndpointNotInReleaseError extends ConsoleError {
  override readonly name = "EndpointNotInReleaseError";
  readonly code = "CONSOLE_ENDPOINT_NOT_IN_RELEASE";

  constructor(
    readonly endpoint: EndpointName,
    readonly release: Release,
    /** The releases that have it, oldest first. */
    readonly availableIn: readonly Release[],
  ) {
    super(
      `The endpoint ${endpoint} does not exist in release ${release}; it does in ${availableIn.join(", ")}.`,
    );
  }
}

/** `auto` met answers that no release gives; what keeps it from asking is another error. */
export class ReleaseUndecidedError extends ConsoleError {
  override readonly name = "ReleaseUndecidedError";
  readonly code = "CONSOLE_RELEASE_UNDECIDED";

  constructor() {
    super(
      "The console's release cannot be found out: it answers as no release does. Is this the console's address? If it is, name the release.",
    );
  }
}

/** A scan was not through with all containers in the time that it was given; it may go on. */
export class ScanTimeoutError extends ConsoleError {
  override readonly name = "ScanTimeoutError";
  readonly code = "CONSOLE_SCAN_TIMEOUT";

  constructor(
    message: string,
    readonly startedAt: Date,
    /** `_id`s of the containers that the scan had not come to. */
    readonly unfinished: readonly string[],
  ) {
    super(message);
  }
}
