import { normalizeBaseUrl } from "./base-url";
import { ConfigurationError } from "./errors";
import { namedProject } from "./project";

/** The names of a console, which distinguish it from all others. A console has no ID that can be read. */
export interface ConsoleIdentity {
  /** `host:port/prefix?project=NAME`, or the name that its user gives it in place of the address. */
  readonly name: string;
  /** All names of the console, such as those of earlier addresses. */
  readonly names: ReadonlySet<string>;
}

interface ConsoleAddresses {
  /** Normalized: see `normalizeBaseUrl`. */
  readonly baseUrl: string;
  readonly project: string | undefined;
  readonly consoleId: string | undefined;
  /** Other addresses, or names, of the same console. */
  readonly previousBaseUrls: readonly string[];
}

/**
 * Identifies a console by its address, or by an ID: then the address says nothing, such as that of a
 * tunnel. Previous addresses are names of the console, too.
 *
 * @throws ConfigurationError for a previous address that cannot be one
 */
export function identityOfConsole(addresses: ConsoleAddresses): ConsoleIdentity {
  const { baseUrl, project, consoleId, previousBaseUrls } = addresses;
  const name =
    consoleId === undefined ? nameOfAddress(baseUrl, project) : withProject(consoleId, project);
  const previous = previousBaseUrls.flatMap((one) => namesOfPreviousAddress(one, project));
  return { name, names: new Set([name, ...previous]) };
}

/** Adds the project to an address or a name: `https://host:8083?project=team%20a`. */
export function withProject(address: string, project: string | undefined): string {
  const named = namedProject(project);
  return named === undefined ? address : `${address}?project=${encodeURIComponent(named)}`;
}

/** Letter case of the host, the default port and trailing slashes make no difference. */
function nameOfAddress(baseUrl: string, project: string | undefined): string {
  const { hostname, port, pathname } = new URL(baseUrl);
  const prefix = pathname.replace(/\/+$/, "");
  return withProject(`${hostname}:${port === "" ? "443" : port}${prefix}`, project);
}

/** The names of a previous address, which may be a name that a state has. Throws a ConfigurationError. */
export function namesOfPreviousAddress(text: string, project?: string): readonly string[] {
  const given = text.trim();
  const [address = "", query] = given.split("?", 2);
  const own = query === undefined ? project : new URLSearchParams(query).get("project");
  try {
    if (own === null) throw new Error("The query of an address is ?project=NAME.");
    return [given, nameOfAddress(normalizeBaseUrl(address), own)];
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new ConfigurationError("previousBaseUrls", `A previous address is invalid. ${reason}`);
  }
}
