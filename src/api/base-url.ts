import { isIPv6 } from "node:net";
import { ConfigurationError } from "./errors";

const DEFAULT_PORT = 8083;

/**
 * A console's address as a URL without a trailing slash. A bare host gets `https://` and, unless
 * it names one, port 8083 (section 8); a URL keeps its port (443 if it names none) and its path
 * prefix, which hosted consoles have. Throws a ConfigurationError.
 */
export function normalizeBaseUrl(text: string): string {
  const given = text.trim();
  if (given === "") throw invalid("The console's address is empty.");
  // Not shown in what follows: it may hold a password.
  if (/^([^/?#]*:\/\/)?[^/?#]*@/.test(given)) {
    throw invalid("The console's address holds a username or a password; configure them apart.");
  }
  const scheme = /^([a-z][a-z0-9+.-]*):\/\//i.exec(given)?.[1]?.toLowerCase();
  if (scheme !== undefined && scheme !== "https") {
    throw invalid(`The console is served over HTTPS only, but its address starts ${scheme}://.`);
  }
  const url = parse(scheme === undefined ? `https://${withPort(given)}` : given);
  if (url.search !== "" || url.hash !== "") {
    throw invalid(`The console's address ends in a query or a fragment: ${given}`);
  }
  const prefix = url.pathname.replace(/\/+$/, "");
  if (/\/api(\/v\d+)?$/.test(prefix)) {
    throw invalid(`The console's address is given without ${prefix}: requests add it themselves.`);
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

function parse(url: string): URL {
  // Not kept as a cause: an error of URL quotes its input.
  if (!URL.canParse(url)) throw invalid("The console's address is neither a host name nor a URL.");
  return new URL(url);
}

function invalid(message: string): ConfigurationError {
  return new ConfigurationError("baseUrl", message);
}
