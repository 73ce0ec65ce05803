import { STATUS_CODES } from "node:http";
import type { Credentials } from "../credentials";
import type { ResolvedEndpoint } from "../endpoints";
import { ApiError, LicenseRequiredError, UnauthorizedError } from "../errors";
import type { ConsoleResponse } from "./response";
import { serverMessage } from "./server-message";

export interface StatusContext {
  readonly endpoint: ResolvedEndpoint;
  /** Without a query. */
  readonly url: string;
  readonly attempts: number;
  readonly secrets: readonly string[];
  readonly credentials: Credentials | undefined;
}

/** Creates the error for an answer other than 2xx. */
export function statusError(response: ConsoleResponse, context: StatusContext): ApiError {
  const { endpoint, url, attempts, secrets, credentials } = context;
  const { status } = response;
  const said = serverMessage(response.text(), secrets);
  const reason = STATUS_CODES[status];
  const message = [
    `${endpoint.method} ${url} answered ${status}${reason === undefined ? "" : ` ${reason}`}`,
    ...(attempts > 1 ? [` at the ${ordinal(attempts)} attempt`] : []),
    said === "" ? "." : `: ${said}`,
  ].join("");
  const answer = { status, serverMessage: said };
  switch (status) {
    case 401:
      return new UnauthorizedError(
        endpoint.name,
        `${message}\n${unauthorized(credentials)}`,
        answer,
      );
    case 402:
      return new LicenseRequiredError(
        endpoint.name,
        `${message}\nThe console does not work without a license. Install one first.`,
        answer,
      );
    default:
      return new ApiError(endpoint.name, message, answer);
  }
}

function unauthorized(credentials: Credentials | undefined): string {
  switch (credentials?.method) {
    case "basic":
    case "token-login":
      return "The console refuses the username and password.";
    case "static-token":
      return "The console refuses the token. A token is valid for at most 24 hours, and a configured token is not renewed.";
    case "client-certificate":
      return "The console refuses the client certificate. The console must trust its authority, and its CN must be the name of a user.";
    case undefined:
      return "No credentials are configured.";
  }
}

function ordinal(count: number): string {
  const suffix = ["th", "st", "nd", "rd"][count % 100 >= 11 && count % 100 <= 13 ? 0 : count % 10];
  return `${count}${suffix ?? "th"}`;
}
