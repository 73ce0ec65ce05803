import { resolve } from "node:path";
import { readTextFile } from "../../core/io/read-file";
import { ConsoleClient } from "../../api/client";
import { DEFAULTS, type ClientOptions } from "../../api/client-options";
import { ConfigurationError } from "../../api/errors";
import { DEFAULT_RELEASE } from "../../api/release";
import { checkTls } from "../../api/http/tls";
import type { Transport } from "../../api/http/transport";
import { configurationAttributes, CONFIGURABLE_RELEASES } from "./configuration-attributes";
import { CheckpointFolder } from "../console/checkpoint-folder";
import type { Console } from "../console/connection";
import type { Environment } from "../../core/environment";
import type { Configured } from "../../core/definitions/provider-definition";
import { error, hasErrors, warning, type Diagnostic } from "../../core/diagnostics";
import { fileFault } from "../../core/io/file-fault";
import { LEAST_SECRET_CHARACTERS } from "../../core/redact";
import type { Log } from "../../core/io/log";
import { configOf, type ConfigOf } from "../../core/schema/types";
import {
  CREDENTIAL_VARIABLES,
  mergeEnvironment,
  withVariable,
  type Settings,
  type TextOrFile,
} from "./settings";
import { isWhollyKnown, type KnownObject, type ObjectValue } from "../../core/values";
import { secretsOfCredentials, type Credentials } from "../../api/credentials";
import { useSecrets } from "../../core/io/secrets-in-use";

/** The module of log records. */
const MODULE = "provider.cwp";

/** The surroundings of a provider block. */
export interface BlockSurroundings {
  readonly environment: Environment;
  readonly log: Log;
  /** The directory of relative paths. */
  readonly directory: string;
  /** Replaces HTTPS. */
  readonly transport?: Transport;
  /** The most milliseconds to wait for a console that refuses or fails all requests. Default: as configured. */
  readonly patienceMs?: number | undefined;
}

/** The patience of commands that only look at consoles: who calls them wants to know which one is busy. */
export const LOOK_PATIENCE_MS = 20_000;

/**
 * Makes a connection of a provider block and the environment. Reads the files that they name, but
 * sends no request: a fresh console has no user to authenticate as.
 */
export async function configure(
  block: ObjectValue,
  surroundings: BlockSurroundings,
): Promise<Configured<Console>> {
  if (!isWhollyKnown(block)) return { connection: undefined, diagnostics: [] };
  const found = await connect(block, surroundings);
  const diagnostics = found.diagnostics.map((one) =>
    withVariable(one, block, surroundings.environment),
  );
  return { ...found, diagnostics };
}

/** Like `configure`, with diagnostics that do not name the variables of the environment. */
export async function connect(
  block: ObjectValue & KnownObject,
  { environment, log, directory, transport, patienceMs = Infinity }: BlockSurroundings,
): Promise<Configured<Console>> {
  const config = located(configOf(configurationAttributes, block), directory);
  const settings = mergeEnvironment(config, environment);
  const diagnostics: Diagnostic[] = [];
  const read = (source: TextOrFile | undefined) => readText(source, diagnostics);
  const files: PemTexts = {
    cert: await read(settings.clientCertificate),
    key: await read(settings.clientKey),
    ca: await read(settings.caCertificate),
  };
  const release = readRelease(settings.release, diagnostics);
  const credentials = chooseCredentials(settings, files);
  // A file that cannot be read has its own error.
  const isRead = !settings.clientCertificate === !files.cert && !settings.clientKey === !files.key;
  if (!credentials && isRead) diagnostics.push(noCredentials(settings));
  if (settings.baseUrl === undefined) diagnostics.push(missingBaseUrl());
  if (config.insecure_skip_verify === true) diagnostics.push(notVerified());
  diagnostics.push(...shortSecrets(credentials));
  if (credentials) useSecrets(secretsOfCredentials(credentials));
  if (hasErrors(diagnostics) || settings.baseUrl === undefined) {
    return { connection: undefined, diagnostics };
  }
  const tls = { ...files, insecureSkipVerify: config.insecure_skip_verify === true };
  try {
    // Else the first request of any resource would report invalid PEM.
    checkTls(tls);
    const client = new ConsoleClient({
      baseUrl: settings.baseUrl,
      project: settings.project,
      consoleId: settings.consoleId,
      previousBaseUrls: settings.previousBaseUrls,
      release,
      credentials,
      tls,
      requestTimeout: milliseconds(config.request_timeout),
      maxRetries: config.max_retries ?? undefined,
      maxElapsed: Math.min(DEFAULTS.maxElapsed, patienceMs),
      retryTimeout: Math.min(
        milliseconds(config.retry_timeout) ?? DEFAULTS.retryTimeout,
        patienceMs,
      ),
      maxConcurrency: config.max_concurrency ?? undefined,
      transport,
      ...loggingTo(log),
    });
    const { username, password } = settings;
    const checkpoints = new CheckpointFolder(directory, environment);
    const assumesRelease = settings.release === undefined;
    const connection = {
      client,
      release,
      assumesRelease,
      username,
      password,
      directory,
      checkpoints,
    };
    const identity = {
      credentials: [{ ...credentials }, username ?? null, password ?? null],
      destination: { address: client.baseUrl, authorities: files.ca ?? null, configuration: block },
      address: client.baseUrl,
    };
    return { connection, diagnostics, ...(credentials && { identity }) };
  } catch (failure) {
    if (!(failure instanceof ConfigurationError)) throw failure;
    const path = [attributeOf(failure.option, settings)];
    return {
      connection: undefined,
      diagnostics: [...diagnostics, error("Invalid provider configuration", failure.message, path)],
    };
  }
}

function milliseconds(seconds: number | null): number | undefined {
  return seconds === null ? undefined : seconds * 1000;
}

type Configuration = ConfigOf<typeof configurationAttributes>;

/** Makes the paths of a configuration absolute. */
function located(config: Configuration, directory: string): Configuration {
  const from = (path: string | null) => (path === null ? null : resolve(directory, path));
  return {
    ...config,
    client_certificate_file: from(config.client_certificate_file),
    client_key_file: from(config.client_key_file),
    ca_certificate_file: from(config.ca_certificate_file),
  };
}

/** The attributes of options with another name. */
const ATTRIBUTES = new Map([
  ["baseUrl", "base_url"],
  ["previousBaseUrls", "previous_base_urls"],
]);

/** The attribute that sets an option of the client, by text or by file. */
function attributeOf(option: string, { caCertificate, clientCertificate }: Settings): string {
  if (option === "ca_certificate") return caCertificate?.attribute ?? option;
  if (option === "client_certificate") return clientCertificate?.attribute ?? option;
  return ATTRIBUTES.get(option) ?? option;
}

async function readText(
  source: TextOrFile | undefined,
  diagnostics: Diagnostic[],
): Promise<string | undefined> {
  if (source?.file === undefined) return source?.text;
  try {
    return await readTextFile(source.file);
  } catch (failure) {
    const detail = source.file.includes("-----BEGIN")
      ? "It has the PEM text itself. Write the text to a file, and name that file."
      : `${source.file}: ${fileFault(failure, source.file)}`;
    diagnostics.push(error("File cannot be read", detail, [source.attribute]));
    return undefined;
  }
}

function readRelease(text: string | undefined, diagnostics: Diagnostic[]): Console["release"] {
  const release =
    text === undefined ? DEFAULT_RELEASE : CONFIGURABLE_RELEASES.find((one) => one === text);
  if (release) return release;
  diagnostics.push(
    error(
      "Unknown release",
      `The value of CONSOLE_RELEASE is ${JSON.stringify(text)}. Supported values are ${CONFIGURABLE_RELEASES.join(", ")}.`,
      ["release"],
    ),
  );
  return DEFAULT_RELEASE;
}

function missingBaseUrl(): Diagnostic {
  return error(
    "Missing console address",
    "Set base_url in the provider block, or the environment variable CONSOLE_URL.",
    ["base_url"],
  );
}

/** Names no address, which could hold a password. */
function notVerified(): Diagnostic {
  return warning(
    "TLS is not verified",
    "insecure_skip_verify is set, so anybody between this machine and the console can read and change requests, including credentials. Set ca_certificate to the authority of the console instead.",
    ["insecure_skip_verify"],
  );
}

/** Warns of secrets that cannot be masked in the texts of a console. */
function shortSecrets(credentials: Credentials | undefined): readonly Diagnostic[] {
  const used = { password: undefined, token: undefined, ...credentials };
  return (["password", "token"] as const).flatMap((attribute) => {
    const secret = used[attribute];
    if (secret === undefined || secret.length >= LEAST_SECRET_CHARACTERS) return [];
    return [
      warning(
        "Short secret",
        `It has fewer than ${LEAST_SECRET_CHARACTERS} characters, so it cannot be masked in messages of the console: those that contain it are left out. Set a longer one.`,
        [attribute],
      ),
    ];
  });
}

/** Logs the events of a client. */
function loggingTo(
  log: Log,
): Required<Pick<ClientOptions, "onRequest" | "onRelease" | "onDeprecated">> {
  return {
    onRequest: ({ method, path, attempt, durationMs, result }) => {
      const fields = { method, path, attempt, duration_ms: Math.round(durationMs), ...result };
      log({ level: "debug", module: MODULE, message: `${method} ${path}`, fields });
    },
    onRelease: ({ release, why }) => {
      log({ level: release ? "info" : "debug", module: MODULE, message: why });
    },
    onDeprecated: ({ message }) => {
      log({ level: "warn", module: MODULE, message });
    },
  };
}

/** Texts in PEM format, by the names of TLS. */
type PemTexts = Readonly<Record<"cert" | "key" | "ca", string | undefined>>;

/**
 * Chooses the credentials: an explicit `auth`, else a token, a client certificate, username and
 * password, in this order. Undefined if none is complete.
 */
function chooseCredentials(settings: Settings, { cert, key }: PemTexts): Credentials | undefined {
  const { auth, username, password, token } = settings;
  const allows = (method: Settings["auth"]) => auth === undefined || auth === method;
  if (allows("token") && token !== undefined) return { method: "static-token", token };
  if (allows("client_certificate") && cert !== undefined && key !== undefined) {
    return { method: "client-certificate", cert, key };
  }
  const isPassword = auth !== "client_certificate" && missingHalf(settings) === undefined;
  if (!isPassword || username === undefined || password === undefined) return undefined;
  const method = auth === "basic" ? "basic" : "token-login";
  return { method, username, password };
}

/** The attribute that completes a client certificate which would win. */
function missingHalf({ auth, clientCertificate, clientKey }: Settings): string | undefined {
  if (auth === "token" || auth === "basic") return undefined;
  if (clientCertificate && !clientKey) return "client_key";
  return clientKey && !clientCertificate ? "client_certificate" : undefined;
}

function noCredentials(settings: Settings): Diagnostic {
  const missing = missingHalf(settings);
  if (missing !== undefined) {
    return error(
      "Incomplete client certificate",
      `A client certificate needs its private key: ${missing} is not set, nor ${missing}_file.`,
      [missing],
    );
  }
  const needed = {
    token: "a token, or username and password",
    basic: "username and password",
    client_certificate: "client_certificate and client_key",
    any: "username and password, a token, or client_certificate and client_key",
  }[settings.auth ?? "any"];
  return error(
    "Missing credentials",
    `The provider needs ${needed}, from its block or from the environment (${CREDENTIAL_VARIABLES.join(", ")}).`,
  );
}
