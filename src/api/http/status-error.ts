import { memberOf } from "../../core/member-of";
import { STATUS_CODES } from "node:http";
import type { Credentials } from "../credentials";
import type { ResolvedEndpoint } from "../endpoints";
import { ApiError, LicenseRequiredError, type RetryLimit, UnauthorizedError } from "../errors";
import type { ConsoleResponse } from "./response";
import { z } from "zod";
import { isSecretName, redact, redactMembers, wouldReveal } from "../../core/redact";
import { secretsRepeatedIn } from "../../core/io/secrets-in-use";

export interface StatusContext {
  readonly endpoint: ResolvedEndpoint;
  /** Without a query. */
  readonly url: string;
  readonly attempts: number;
  /** The setting that has ended the retries. */
  readonly ended: RetryLimit | undefined;
  readonly secrets: readonly string[];
  /** The names of members that are secret, besides those that are named like one. */
  readonly secretNames: ReadonlySet<string>;
  readonly credentials: Credentials | undefined;
}

/** Creates the error for an answer other than 2xx. */
export function statusError(response: ConsoleResponse, context: StatusContext): ApiError {
  const { endpoint, url, attempts, ended, secrets, secretNames, credentials } = context;
  const { status } = response;
  const said = serverMessage(response.text(), secrets, secretNames);
  const reason = STATUS_CODES[status];
  const message = [
    `${endpoint.method} ${url} answered ${status}${reason === undefined ? "" : ` ${reason}`}`,
    ...(attempts > 1 ? [` at the ${ordinal(attempts)} attempt`] : []),
    ...redirection(response, url, secrets),
    said === "" ? "." : `: ${said}`,
  ].join("");
  const answer = { status, serverMessage: said };
  switch (status) {
    case 401:
      return new UnauthorizedError(
        endpoint.name,
        `${sentence(message)} ${unauthorized(credentials)}`,
        answer,
      );
    case 402:
      return new LicenseRequiredError(
        endpoint.name,
        `${sentence(message)} The console does not work without a license. Install one first.`,
        answer,
      );
    default:
      return new ApiError(endpoint.name, message, answer, ended);
  }
}

/** The place that an answer leads to, without its query, which may have a token. */
function redirection(
  response: ConsoleResponse,
  url: string,
  secrets: readonly string[],
): readonly string[] {
  const target = response.header("location");
  if (response.status >= 400 || target === undefined || !URL.canParse(target, url)) return [];
  const { origin, pathname } = new URL(target, url);
  const place = origin + pathname;
  return wouldReveal(place, secrets) ? [] : [`, which leads to ${redact(place, secrets)}`];
}

/** Ends a message of the console as a sentence. */
function sentence(message: string): string {
  return /[.!?…]$/.test(message) ? message : `${message}.`;
}

function unauthorized(credentials: Credentials | undefined): string {
  switch (credentials?.method) {
    case "basic":
    case "token-login": {
      const hasBlanks = credentials.password.trim() !== credentials.password;
      const blanks = " The password begins or ends with a blank or a line break; check it.";
      return `The console refuses the username and password.${hasBlanks ? blanks : ""}`;
    }
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

const MOST_MESSAGE_CHARACTERS = 300;
/** Maximum length of the text that is searched, because the sender may be hostile. */
const SEARCHED_CHARACTERS = 8192;
const jsonErrorSchema = z.object({
  err: z.string().optional().catch(undefined),
  error: z
    .union([z.string(), z.object({ message: z.string() }).transform(({ message }) => message)])
    .optional()
    .catch(undefined),
  message: z.string().optional().catch(undefined),
});

/**
 * Extracts the message of an error body: `err`, `error` or `message` of a JSON object, else the
 * first line of the text without HTML. One line of at most 300 characters, without `given` and other
 * secrets in use, and without members of JSON that are named like a secret. Empty if the text would
 * reveal a secret even if it is masked.
 */
export function serverMessage(
  body: string,
  given: readonly string[],
  secretNames: ReadonlySet<string> = new Set(),
): string {
  const said = jsonMessage(body) ?? body;
  const secrets = [...given, ...secretsRepeatedIn(said)];
  const isSecret = (name: string) => secretNames.has(name) || isSecretName(name);
  // Redacted first, because stripping could split a secret, and last, because it could uncover one.
  const text = redactMembers(redact(said, secrets), isSecret).slice(0, SEARCHED_CHARACTERS);
  const line = firstLine(stripHtml(text));
  if ([body, line].some((one) => wouldReveal(one, secrets))) return "";
  const safe = redact(line, secrets);
  return safe.length > MOST_MESSAGE_CHARACTERS
    ? `${safe.slice(0, MOST_MESSAGE_CHARACTERS)}…`
    : safe;
}

function jsonMessage(body: string): string | undefined {
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    return undefined;
  }
  if (typeof value === "string") return value;
  const { err, error, message } = jsonErrorSchema.safeParse(value).data ?? {};
  // Formatted again if it has no message, so that `redact` knows its escapes.
  return (
    [err, error, message].find((text) => text !== undefined && text !== "") ?? JSON.stringify(value)
  );
}

function stripHtml(text: string): string {
  if (!/<[a-z!/][^>]*>/i.test(text)) return text;
  return text
    .replace(/<!--[\s\S]*?-->/g, " ")
    .replace(/<(script|style|head)\b[\s\S]*?<\/\1\s*>/gi, (element) => titleOf(element))
    .replace(/<[^>]*>/g, "\n")
    .replace(/&(lt|gt|quot|amp|nbsp|#34|#39);/g, (entity) => memberOf(ENTITIES, entity) ?? entity);
}

/** An error page of a proxy has its message in the title at least. */
function titleOf(element: string): string {
  return /<title\b[^>]*>([\s\S]*?)<\/title/i.exec(element)?.[1] ?? " ";
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&lt;": "<",
  "&gt;": ">",
  "&quot;": '"',
  "&amp;": "&",
  "&nbsp;": " ",
  "&#34;": '"',
  "&#39;": "'",
};

/** Removes control characters, because the text is printed to terminals. */
function firstLine(text: string): string {
  const lines = text.split(/[\r\n]+/).map((line) => line.replace(/[\p{Cc}\s]+/gu, " ").trim());
  return lines.find((line) => line !== "") ?? "";
}
