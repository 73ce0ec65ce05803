import { ApiError, ConsoleError, TimeoutError, UnreachableError } from "../../api/errors";
import { error, type Diagnostic } from "../diagnostics";
import { errorText } from "../file-problem";

/** What must survive a kill could not be made durable; the console has not been touched. */
export class NotStoredError extends Error {
  override readonly name = "NotStoredError";

  constructor(cause: unknown) {
    super(errorText(cause), { cause });
  }
}

/** The diagnostic for what an operation threw. Messages of the API's errors carry no credential. */
export function diagnose(failure: unknown): Diagnostic {
  if (failure instanceof ConsoleError) {
    const advice = adviceFor(failure);
    const detail = advice === undefined ? failure.message : `${failure.message}\n\n${advice}`;
    return error(summaryOf(failure), detail);
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

function summaryOf(failure: ConsoleError): string {
  const isBroken = failure instanceof ApiError && failure.status >= 500;
  return SUMMARIES[failure.name] ?? (isBroken ? "The console failed" : REFUSED);
}

/** What a user can do, where the message does not say so itself. */
function adviceFor(failure: ConsoleError): string | undefined {
  if (failure instanceof UnreachableError) {
    return "Check that the console runs, and that the provider's base_url is its address.";
  }
  if (failure instanceof TimeoutError) {
    return "Run this again; for a console that is always slow, set the provider's request_timeout.";
  }
  if (!(failure instanceof ApiError)) return undefined;
  if (failure.status >= 500) {
    return "The console, or what stands in front of it, does not work at the moment. What was done so far is kept: run this again once it does.";
  }
  return STATUS_ADVICE[failure.status];
}

const STATUS_ADVICE: Readonly<Record<number, string>> = {
  403: "The user may not do this: give it a role on the console that may, or use another user.",
  404: "Either the provider's base_url is not the console's address, or the console runs another release than the provider's release says.",
  405: "The console may run another release than the provider's release says.",
  429: "The console takes no more requests for now. Run this again later, or lower the provider's max_concurrency.",
};

const REFUSED = "The console refused the request";

const SUMMARIES: Readonly<Record<string, string>> = {
  ConfigurationError: "Invalid provider configuration",
  UnreachableError: "Console is not reachable",
  TlsError: "TLS connection refused",
  TimeoutError: "Console did not answer in time",
  AbortedError: "Interrupted",
  UnauthorizedError: "Console refused the credentials",
  LicenseRequiredError: "Console has no license",
  SchemaMismatchError: "Console answered something unexpected",
  ReleaseUndecidedError: "The console's release is undecided",
  EndpointNotInReleaseError: "Not in this release of the console",
};
