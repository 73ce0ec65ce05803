import { memberOf } from "../../core/member-of";
import { withParagraph, type Diagnostic } from "../../core/diagnostics";
import type { ObjectValue } from "../../core/values";
import type { Environment } from "../../core/environment";
import type { configurationAttributes } from "./configuration-attributes";
import type { ConfigOf } from "../../core/schema/types";

type Configuration = ConfigOf<typeof configurationAttributes>;

/** A text of the configuration, or of a file that the configuration names. */
export interface TextOrFile {
  readonly text?: string;
  readonly file?: string;
  /** The attribute that sets it, for diagnostics. */
  readonly attribute: string;
}

/** The provider block merged with the environment. */
export interface Settings {
  readonly baseUrl: string | undefined;
  readonly project: string | undefined;
  readonly previousBaseUrls: readonly string[];
  readonly consoleId: string | undefined;
  readonly release: string | undefined;
  readonly auth: "token" | "basic" | "client_certificate" | undefined;
  readonly username: string | undefined;
  readonly password: string | undefined;
  readonly token: string | undefined;
  readonly clientCertificate: TextOrFile | undefined;
  readonly clientKey: TextOrFile | undefined;
  readonly caCertificate: TextOrFile | undefined;
}

/** The variables that complete the credentials of a provider block. */
export const CREDENTIAL_VARIABLES = [
  "CONSOLE_USERNAME",
  "CONSOLE_PASSWORD",
  "CONSOLE_TOKEN",
  "CONSOLE_CLIENT_CERT_FILE",
  "CONSOLE_CLIENT_KEY_FILE",
] as const;

/** The variables that complete a provider block, by attribute. */
export const VARIABLES: Readonly<Record<string, string>> = {
  base_url: "CONSOLE_URL",
  project: "CONSOLE_PROJECT",
  previous_base_urls: "CONSOLE_PREVIOUS_URLS",
  console_id: "CONSOLE_ID",
  username: "CONSOLE_USERNAME",
  password: "CONSOLE_PASSWORD",
  token: "CONSOLE_TOKEN",
  client_certificate_file: "CONSOLE_CLIENT_CERT_FILE",
  client_key_file: "CONSOLE_CLIENT_KEY_FILE",
  ca_certificate_file: "CONSOLE_CA_FILE",
};

/** Names the variable in a diagnostic of an attribute that the environment sets. */
export function withVariable(
  diagnostic: Diagnostic,
  block: ObjectValue,
  environment: Environment,
): Diagnostic {
  const [attribute = ""] = diagnostic.path ?? [];
  const name = memberOf(VARIABLES, attribute);
  if (name === undefined || memberOf(block, attribute) !== null) return diagnostic;
  const text = memberOf(environment, name);
  if (text === undefined) return diagnostic;
  const what = text.trim() === "" ? "is empty" : `sets ${attribute} here`;
  return withParagraph(diagnostic, `The environment variable ${name} ${what}.`);
}

/**
 * Completes the provider block from the environment. Credentials in the block exclude those of
 * another kind in the environment, which could take precedence.
 */
export function mergeEnvironment(config: Configuration, environment: Environment): Settings {
  const variable = (name: string) => nonEmpty(memberOf(environment, name)?.trim());
  const kind = kindOf(config);
  const only = <T>(one: Kind, value: T) => (kind === undefined || kind === one ? value : undefined);
  const file = (name: string, attribute: string) => fileFrom(variable(name), attribute);
  const password = nonEmpty(environment.CONSOLE_PASSWORD); // May begin or end with a blank.
  const certificateFile = file("CONSOLE_CLIENT_CERT_FILE", "client_certificate_file");
  const keyFile = file("CONSOLE_CLIENT_KEY_FILE", "client_key_file");
  return {
    baseUrl: config.base_url ?? variable("CONSOLE_URL"),
    project: config.project ?? variable("CONSOLE_PROJECT"),
    previousBaseUrls: config.previous_base_urls ?? addresses(variable("CONSOLE_PREVIOUS_URLS")),
    consoleId: config.console_id ?? idOf(config.base_url, variable),
    release: config.release ?? variable("CONSOLE_RELEASE"),
    auth: readAuth(config.auth),
    username: config.username ?? only("password", variable("CONSOLE_USERNAME")),
    password: config.password ?? only("password", password),
    token: config.token ?? only("token", variable("CONSOLE_TOKEN")),
    clientCertificate:
      fromBlock(config, "client_certificate") ?? only("certificate", certificateFile),
    clientKey: fromBlock(config, "client_key") ?? only("certificate", keyFile),
    caCertificate:
      fromBlock(config, "ca_certificate") ?? file("CONSOLE_CA_FILE", "ca_certificate_file"),
  };
}

function addresses(text = ""): readonly string[] {
  return text.split(/[\s,]+/).filter((address) => address !== "");
}

/** The environment names the console of CONSOLE_URL only: a stack may have several. */
function idOf(
  baseUrl: string | null,
  variable: (name: string) => string | undefined,
): string | undefined {
  const own = variable("CONSOLE_URL");
  return baseUrl === null || baseUrl === own ? variable("CONSOLE_ID") : undefined;
}

/** An empty variable counts as not set. */
function nonEmpty(text: string | undefined): string | undefined {
  return text === "" ? undefined : text;
}

type Kind = "token" | "certificate" | "password";

function kindOf(config: Configuration): Kind | undefined {
  if (config.auth === "basic") return "password";
  if (config.auth === "client_certificate") return "certificate";
  if (config.token !== null) return "token";
  if (fromBlock(config, "client_certificate") ?? fromBlock(config, "client_key")) {
    return "certificate";
  }
  return config.username !== null || config.password !== null ? "password" : undefined;
}

function readAuth(auth: string | null): Settings["auth"] {
  return auth === "token" || auth === "basic" || auth === "client_certificate" ? auth : undefined;
}

function fromBlock(
  config: Configuration,
  attribute: "client_certificate" | "client_key" | "ca_certificate",
): TextOrFile | undefined {
  const text = config[attribute];
  if (text !== null) return { text, attribute };
  return fileFrom(config[`${attribute}_file`] ?? undefined, `${attribute}_file`);
}

function fileFrom(file: string | undefined, attribute: string): TextOrFile | undefined {
  return file === undefined ? undefined : { file, attribute };
}
