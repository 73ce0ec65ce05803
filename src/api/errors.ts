import type { Release } from "./release";

/**
 * Base of all errors of the client. `code` is stable; `name` is the class's name. No message,
 * property or cause contains a credential, a token or a license key.
 */
export abstract class ConsoleError extends Error {
  abstract override readonly name: string;
  abstract readonly code: string;
}

/** An invalid client option. `option` names it. */
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
  /** The address of the proxy that was asked for the connection. */
  readonly proxy: string | undefined;

  constructor(
    message: string,
    /** False if the request was certainly not sent. */
    readonly maybeSent: boolean,
    /** `unresolved`: the host name has no address. `proxy`: the proxy opens no tunnel. */
    readonly problem: "unresolved" | "no-answer" | "proxy" = "no-answer",
    options?: ErrorOptions & { readonly proxy?: string },
  ) {
    super(message, options);
    this.proxy = options?.proxy;
  }
}

/** The cause of a TLS failure. `protocol`: none of the others. */
export type TlsProblem =
  | "unknown-authority"
  | "expired"
  | "not-yet-valid"
  | "hostname-mismatch"
  | "client-certificate"
  | "protocol";

/** A TLS failure. The message says how to resolve it. */
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

/** A time-out while connecting or waiting for the answer. */
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

/** The caller's signal or `close` ended the request. */
export class AbortedError extends ConsoleError {
  override readonly name = "AbortedError";
  readonly code = "CONSOLE_ABORTED";
}

/** The parts of a refusal that errors show. */
export interface Answer {
  readonly status: number;
  /** The console's message: one line, bounded, free of secrets; "" if there is none. */
  readonly serverMessage: string;
}

/** The setting that ends the retries of a request. */
export type RetryLimit =
  | { readonly setting: "max_retries" }
  /** The console accepts nothing within this time. */
  | { readonly setting: "retry_timeout"; readonly withinMs: number };

/** The console answered with a status other than 2xx. */
export class ApiError extends ConsoleError implements Answer {
  override readonly name: "ApiError" | "UnauthorizedError" | "LicenseRequiredError" = "ApiError";
  readonly code: "CONSOLE_API" | "CONSOLE_UNAUTHORIZED" | "CONSOLE_LICENSE_REQUIRED" =
    "CONSOLE_API";
  readonly status: number;
  readonly serverMessage: string;

  constructor(
    readonly endpoint: string,
    message: string,
    answer: Answer,
    /** The setting that has ended the retries of a request that may be repeated. */
    readonly ended?: RetryLimit,
  ) {
    super(message);
    this.status = answer.status;
    this.serverMessage = answer.serverMessage;
  }
}

/** The console does not have the path, or refuses it to this user: other paths may work. */
export function isPathRefused(failure: unknown): failure is ApiError {
  return failure instanceof ApiError && [403, 404, 405].includes(failure.status);
}

/** 401: the credentials are wrong, or a token is invalid and could not be renewed. */
export class UnauthorizedError extends ApiError {
  override readonly name = "UnauthorizedError";
  override readonly code = "CONSOLE_UNAUTHORIZED";
}

/** 402: the console does not work without a license (section 3). */
export class LicenseRequiredError extends ApiError {
  override readonly name = "LicenseRequiredError";
  override readonly code = "CONSOLE_LICENSE_REQUIRED";
}

/** A 2xx body that does not match the specification. `path` leads into the body. */
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

/** A list that is not proved whole: rows are missing, or come and go while it is read. */
export class ListNotWholeError extends ConsoleError {
  override readonly name = "ListNotWholeError";
  readonly code = "CONSOLE_LIST_NOT_WHOLE";

  constructor(
    message: string,
    /** The number of rows that were read. */
    readonly rows: number,
    /** The number that the console announces; undefined if it announces none. */
    readonly total: number | undefined,
  ) {
    super(message);
  }
}

/** The configured release has no such endpoint. */
export class EndpointNotInReleaseError extends ConsoleError {
  override readonly name = "EndpointNotInReleaseError";
  readonly code = "CONSOLE_ENDPOINT_NOT_IN_RELEASE";

  constructor(
    readonly endpoint: string,
    readonly release: Release,
    /** The releases that have it, oldest first. */
    readonly availableIn: readonly Release[],
  ) {
    super(
      `The endpoint ${endpoint} does not exist in release ${release}, only in ${availableIn.join(", ")}.`,
    );
  }
}

/** An answer shows that the console runs another release, in which the request means something else. */
export class WrongReleaseError extends ConsoleError {
  override readonly name = "WrongReleaseError";
  readonly code = "CONSOLE_WRONG_RELEASE";
}

/** The answers to the release detection match no release. */
export class ReleaseUndecidedError extends ConsoleError {
  override readonly name = "ReleaseUndecidedError";
  readonly code = "CONSOLE_RELEASE_UNDECIDED";

  constructor() {
    super(
      "The console's release cannot be detected, because its answers match no release. Check the console's address, or configure the release.",
    );
  }
}

/** A scan did not reach all containers in time. The console continues it. */
export class ScanTimeoutError extends ConsoleError {
  override readonly name = "ScanTimeoutError";
  readonly code = "CONSOLE_SCAN_TIMEOUT";

  constructor(
    message: string,
    readonly startedAt: Date,
    /** `_id`s of the containers that the scan did not reach. */
    readonly unfinished: readonly string[],
  ) {
    super(message);
  }
}
