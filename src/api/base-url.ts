import { isIPv6 } from "node:net";
import { ConfigurationError } from "./errors";

const DEFAULT_PORT = 8083;

/** `https//host`, `https:/host` and `htps//host`. */
const MISSPELLED_SCHEME = /^(?:https?(?:[/\\]|:(?!\d))|[a-z]+[/\\]{2}[^/\\])/i;

const REPEATED_SCHEME = /^https:\/\/https?:(?!\d)/i;

/**
 * Normalizes a console's address to a URL without a trailing slash. A bare host gets `https://`
 * and, unless it names one, port 8083 (section 8). A URL keeps its port (default 443) and its path
 * prefix, which hosted consoles have. Throws a ConfigurationError.
 */
export function normalizeBaseUrl(text: string): string {
  const given = text.trim();
  if (given === "") throw invalid("The console's address is empty.");
  // Never shown in messages: it may contain a password.
  if (/^([^/?#]*:\/\/)?[^/?#]*@/.test(given)) {
    throw invalid(
      "The console's address contains a username or a password. Remove them, and set username and password of the provider, or CONSOLE_USERNAME and CONSOLE_PASSWORD.",
    );
  }
  const scheme = /^([a-z][a-z0-9+.-]*):\/\//i.exec(given)?.[1]?.toLowerCase();
  if (scheme !== undefined && scheme !== "https") {
    throw invalid(
      `The console's address must begin with https://, not ${scheme}://. Write https://HOST:PORT.`,
    );
  }
  if (scheme === undefined ? MISSPELLED_SCHEME.test(given) : REPEATED_SCHEME.test(given)) {
    throw invalid(
      "The console's address has a misspelled scheme, such as https//, https:/ or https://https://. Write https://HOST:PORT.",
    );
  }
  const url = parse(scheme === undefined ? `https://${withPort(given)}` : given);
  if (url.search !== "" || url.hash !== "") {
    throw invalid(
      `The console's address must not contain a query or a fragment: ${given}. Remove it. Name a project with the provider's project, or with CONSOLE_PROJECT.`,
    );
  }
  const prefix = url.pathname.replace(/\/+$/, "");
  if (/\/api(\/v\d+)?$/.test(prefix)) {
    throw invalid(
      `The console's address must not contain ${prefix}, which is added to every request. Remove it.`,
    );
  }
  return url.origin + prefix;
}

function withPort(bare: string): string {
  if (isIPv6(bare)) return `[${bare}]:${DEFAULT_PORT}`;
  const [authority, rest] = split(bare);
  return /:\d+$/.test(authority) && !authority.endsWith("]")
    ? bare
    : `${authority}:${DEFAULT_PORT}${rest}`;
}

function split(bare: string): [string, string] {
  const end = bare.search(/[/?#]/);
  return end === -1 ? [bare, ""] : [bare.slice(0, end), bare.slice(end)];
}

/** A name, or an IPv6 address. A URL may have other characters, such as those of `${CONSOLE_URL}`. */
const HOST = /^(?:[\w.-]+|\[[\da-f:.]+\])$/i;

function parse(url: string): URL {
  // Not kept as a cause: the message of a URL error quotes its input.
  if (!URL.canParse(url) || !HOST.test(new URL(url).hostname))
    throw invalid(
      "The console's address is neither a host name nor a URL, or its port is above 65535. Write https://HOST:PORT, without quotes.",
    );
  return new URL(url);
}

function invalid(message: string): ConfigurationError {
  return new ConfigurationError("baseUrl", message);
}
