import {
  ApiError,
  ConsoleError,
  LicenseRequiredError,
  TimeoutError,
  TlsError,
  UnauthorizedError,
  UnreachableError,
} from "../../api/errors";

/**
 * Undefined where the console has no license: whatever needs one is gone with it, since a license
 * is lost only when the console is installed anew.
 */
export async function unlessGone<T>(read: () => Promise<T>): Promise<T | undefined> {
  try {
    return await read();
  } catch (failure) {
    if (failure instanceof LicenseRequiredError) return undefined;
    throw failure;
  }
}

/** Whether a console may just not serve yet: refused connections, TLS that is not up, 5xx. */
export function isNotServing(failure: unknown): boolean {
  return (
    failure instanceof UnreachableError ||
    failure instanceof TimeoutError ||
    (failure instanceof TlsError && failure.problem === "protocol") ||
    (failure instanceof ApiError && failure.status >= 500)
  );
}

/** What was read, or what tells that the console is not set up yet. */
export type Reading<T> = { readonly value: T } | { readonly notReady: ConsoleError };

/** Not set up yet: not serving, no such user, no license. */
export async function readIfReady<T>(read: () => Promise<T>): Promise<Reading<T>> {
  try {
    return { value: await read() };
  } catch (failure) {
    const isNotSetUp =
      failure instanceof LicenseRequiredError || failure instanceof UnauthorizedError;
    if (failure instanceof ConsoleError && (isNotSetUp || isNotServing(failure))) {
      return { notReady: failure };
    }
    throw failure;
  }
}

/** A failure on the way back, or inside the console, says nothing about what was done. */
export function mayHaveBeenDone(failure: unknown): boolean {
  return (
    failure instanceof TimeoutError ||
    (failure instanceof UnreachableError && failure.maybeSent) ||
    (failure instanceof ApiError && failure.status >= 500)
  );
}
