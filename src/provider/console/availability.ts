import {
  ApiError,
  LicenseRequiredError,
  TimeoutError,
  TlsError,
  UnreachableError,
} from "../../api/errors";

/**
 * Reads from the console; undefined if the console has no license. A console loses its license only
 * by a new installation, so everything that needs one is gone too.
 */
export async function unlessGone<T>(read: () => Promise<T>): Promise<T | undefined> {
  try {
    return await read();
  } catch (failure) {
    if (failure instanceof LicenseRequiredError) return undefined;
    throw failure;
  }
}

/** The console may not have started yet: connection refused, no TLS, or a 5xx status. */
export function isNotServing(failure: unknown): boolean {
  return (
    failure instanceof UnreachableError ||
    failure instanceof TimeoutError ||
    (failure instanceof TlsError && failure.problem === "protocol") ||
    (failure instanceof ApiError && failure.status >= 500)
  );
}

/** The console may have executed a request that failed on the way back, or with a 5xx status. */
export function mayHaveBeenDone(failure: unknown): boolean {
  return (
    failure instanceof TimeoutError ||
    (failure instanceof UnreachableError && failure.maybeSent) ||
    (failure instanceof ApiError && failure.status >= 500)
  );
}
