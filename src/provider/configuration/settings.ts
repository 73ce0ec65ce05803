import type { Environment } from "../definitions/provider-definition";
import type { configurationAttributes } from "./configuration-attributes";
import type { ConfigOf } from "../schema/types";

type Configuration = ConfigOf<typeof configurationAttributes>;

/** Texts that stand in the configuration, or in a file that it names. */
export interface TextOrFile {
  readonly text?: string;
  readonly file?: string;
  /** The attribute that names it, or the one to blame for the file. */
  readonly attribute: string;
}

/** What the provider block and the environment say together. */
export interface Settings {
  readonly baseUrl: string | undefined;
  readonly release: string | undefined;
  readonly auth: "token" | "basic" | "client_certificate" | undefined;
  readonly username: string | undefined;
  readonly password: string | undefined;
  readonly token: string | undefined;
  readonly clientCertificate: TextOrFile | undefined;
  readonly clientKey: TextOrFile | undefined;
  readonly caCertificate: TextOrFile | undefined;
}

/**
 * The environment fills in what the block leaves out, with one exception: where the block names
 * credentials of one kind, the environment gives none of another, which would win over them.
 */
export function mergeEnvironment(config: Configuration, environment: Environment): Settings {
  const variable = (name: string) => nonEmpty(environment[name]?.trim());
  const certificate = fromBlock(config, "client_certificate");
  const key = fromBlock(config, "client_key");
  const kind = kindOf(config);
  const allowed = (one: Kind) => kind === undefined || kind === one;
  return {
    baseUrl: config.base_url ?? variable("CONSOLE_URL"),
    release: config.release ?? variable("CONSOLE_RELEASE"),
    auth: readAuth(config.auth),
    username: config.username ?? (allowed("password") ? variable("CONSOLE_USERNAME") : undefined),
    // A password may begin or end with a blank.
    password:
      config.password ?? (allowed("password") ? nonEmpty(environment.CONSOLE_PASSWORD) : undefined),
    token: config.token ?? (allowed("token") ? variable("CONSOLE_TOKEN") : undefined),
    clientCertificate:
      certificate ??
      (allowed("certificate")
        ? fileFrom(variable("CONSOLE_CLIENT_CERT_FILE"), "client_certificate_file")
        : undefined),
    clientKey:
      key ??
      (allowed("certificate")
        ? fileFrom(variable("CONSOLE_CLIENT_KEY_FILE"), "client_key_file")
        : undefined),
    caCertificate:
      fromBlock(config, "ca_certificate") ??
      fileFrom(variable("CONSOLE_CA_FILE"), "ca_certificate_file"),
  };
}

/** An empty variable counts as not set, as it does everywhere. */
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
