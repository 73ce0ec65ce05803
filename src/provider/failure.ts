import { ConsoleError } from "../api/errors";
import { error, type Diagnostic } from "./diagnostics";

/** What must survive a kill could not be made durable; the console has not been touched. */
export class NotStoredError extends Error {
  override readonly name = "NotStoredError";

  constructor(cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
  }
}

/** The diagnostic for what an operation threw. Messages of the API's errors carry no credential. */
export function diagnose(failure: unknown): Diagnostic {
  if (failure instanceof ConsoleError) {
    return error(SUMMARIES[failure.name] ?? "The console refused the request", failure.message);
  }
  if (failure instanceof NotStoredError) {
    return error(
      "State cannot be stored",
      `Nothing was written to the console, since what it does could not be recorded first: ${failure.message}`,
    );
  }
  const text = failure instanceof Error ? (failure.stack ?? failure.message) : String(failure);
  return error(
    "The provider failed",
    `This is a bug in the provider, not in the configuration: please report it.\n\n${text}`,
  );
}

const SUMMARIES: Readonly<Record<string, string>> = {
  ConfigurationError: "Invalid provider configuration",
  UnreachableError: "Console is not reachable",
  TlsError: "TLS connection refused",
  TimeoutError: "Console did not answer in time",
  AbortedError: "Interrupted",
  UnauthorizedError: "Console refused the credentials",
  LicenseRequiredError: "Console has no license",
  SchemaMismatchError: "Console answered something unexpected",
  EndpointNotInReleaseError: "Not in this release of the console",
};
