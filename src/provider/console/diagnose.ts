import { memberOf } from "../../core/member-of";
import { printed } from "../../core/printed";
import { ENDPOINT_NAMES, variesByRelease } from "../../api/endpoints";
import {
  ApiError,
  ConsoleError,
  LicenseRequiredError,
  ListNotWholeError,
  SchemaMismatchError,
  TimeoutError,
  UnreachableError,
} from "../../api/errors";
import { diagnoseFailure } from "../../core/definitions/failure";
import { error, type Diagnostic } from "../../core/diagnostics";

/** Converts an error of the API. Its messages contain no credentials. */
export function diagnoseConsole(failure: unknown): Diagnostic | undefined {
  if (!(failure instanceof ConsoleError)) return undefined;
  const advice = adviceFor(failure);
  const detail = advice === undefined ? failure.message : printed`${failure.message}\n\n${advice}`;
  return error(summaryOf(failure), detail);
}

/** Converts any error to a diagnostic. */
export function diagnose(failure: unknown): Diagnostic {
  return diagnoseFailure(failure, diagnoseConsole);
}

function summaryOf(failure: ConsoleError): string {
  const isBroken = failure instanceof ApiError && failure.status >= 500;
  return memberOf(SUMMARIES, failure.name) ?? (isBroken ? "Console failed" : REFUSED);
}

/** Advice for errors whose message has none. */
function adviceFor(failure: ConsoleError): string | undefined {
  if (failure instanceof UnreachableError) {
    if (failure.proxy !== undefined) {
      return "Check the proxy, or add the host of the console to NO_PROXY.";
    }
    return `Check that the console is running, and that ${ADDRESS} is its address.`;
  }
  if (failure instanceof TimeoutError) {
    return "Run this again; for a console that is always slow, set the provider's request_timeout.";
  }
  if (failure instanceof ListNotWholeError) {
    return "Nothing is written or reported as missing on the ground of an incomplete list. Run this again when the console is not being changed. If the numbers stay, the console or a proxy in front of it withholds rows.";
  }
  if (failure instanceof SchemaMismatchError) return OTHER_ANSWER;
  if (!(failure instanceof ApiError)) return undefined;
  if (failure.status < 400) return ELSEWHERE;
  if (failure.status === 429) return limitAdvice(failure);
  if (failure.status === 400 && differsByRelease(failure.endpoint)) return STATUS_ADVICE[405];
  if (failure.status === 405 && /^(?:PUT|POST) /.test(failure.endpoint)) return OTHER_METHOD;
  if (failure.status >= 500) {
    return "The console, or a proxy in front of it, does not work at the moment. Completed changes are kept. Run this again later.";
  }
  // The message has the advice.
  if (failure instanceof LicenseRequiredError) return undefined;
  return STATUS_ADVICE[failure.status] ?? OTHER_REFUSAL;
}

function limitAdvice({ ended }: ApiError): string {
  const limits = "The console limits the rate of requests";
  const later = "Run this again when the limit allows it";
  switch (ended?.setting) {
    case "max_retries":
      return `${limits}, and the provider's max_retries allows no further attempt. Completed changes are kept. Remove max_retries, so that requests are sent again as long as the console accepts some.`;
    case "retry_timeout":
      return `${limits}, and accepts none within ${ended.withinMs / 1000} seconds. Completed changes are kept. ${later}, or set a longer retry_timeout.`;
    case undefined:
      return `${limits}. ${later}.`;
  }
}

function differsByRelease(endpoint: string): boolean {
  const name = ENDPOINT_NAMES.find((one) => one === endpoint);
  return name !== undefined && variesByRelease(name);
}

const ADDRESS = "the provider's base_url, or CONSOLE_URL,";

/** A login page and another host answer with a redirection. */
const ELSEWHERE = `Requests are sent to the console only, and follow no redirection. Set ${ADDRESS} to the address of the console itself.`;

const OTHER_ANSWER = `Check that ${ADDRESS} is the address of a console, and release, or CONSOLE_RELEASE, its release. If they are, "cdktf-console doctor" shows what else this console answers differently.`;

const OTHER_REFUSAL =
  "Correct what the console names. If it names nothing, its log may have the reason.";

const STATUS_ADVICE: Readonly<Record<number, string>> = {
  401: "Correct CONSOLE_TOKEN, or CONSOLE_USERNAME and CONSOLE_PASSWORD, or the arguments of the provider. A new console has no user, and refuses all credentials: create its user with a cwp_bootstrap, and let everything else depend on it.",
  403: "The user lacks the permission. Grant it a role that has it, or use another user.",
  404: `Check that ${ADDRESS} is the address of the console, that it runs the provider's release, and that it has the project, if one is set.`,
  405: 'Check that the console runs the provider\'s release. If it runs another one, set release, or CONSOLE_RELEASE, to that or to "auto".',
};

/** The name of an endpoint that the catalogue or a user describes begins with its method. */
const OTHER_METHOD =
  "Set the method that this console takes: update of a cwp_object, method of a cwp_list or a cwp_setting.";

const REFUSED = "Console refused the request";

const SUMMARIES: Readonly<Record<string, string>> = {
  ConfigurationError: "Invalid provider configuration",
  UnreachableError: "Console is not reachable",
  TlsError: "TLS connection refused",
  TimeoutError: "Console did not respond in time",
  AbortedError: "Interrupted",
  UnauthorizedError: "Console refused the credentials",
  LicenseRequiredError: "Console has no license",
  SchemaMismatchError: "Unexpected response from the console",
  ListNotWholeError: "Incomplete list from the console",
  ReleaseUndecidedError: "Cannot detect the release of the console",
  WrongReleaseError: "Console runs another release",
  EndpointNotInReleaseError: "Not supported by this release of the console",
};
