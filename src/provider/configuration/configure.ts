import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { ConsoleClient } from "../../api/client";
import type { ClientOptions } from "../../api/client-options";
import type { Credentials } from "../../api/credentials";
import { ConfigurationError } from "../../api/errors";
import { DEFAULT_RELEASE } from "../../api/release";
import { secureContexts } from "../../api/http/tls";
import { configurationAttributes, CONFIGURABLE_RELEASES } from "./configuration-attributes";
import type { Console } from "../console/connection";
import type { Configured, Environment } from "../definitions/provider-definition";
import { error, hasErrors, warning, type Diagnostic } from "../diagnostics";
import { fileProblem } from "../file-problem";
import type { Log } from "../log";
import { configOf, type ConfigOf } from "../schema/types";
import { mergeEnvironment, type Settings, type TextOrFile } from "./settings";
import { isWhollyKnown, type ObjectValue } from "../values";

/** Of what is logged. */
const MODULE = "provider.cwp";

/**
 * From a provider block and the environment to a console that can be called. Reads the files that
 * are named; connects to nothing: a fresh console has no user yet to authenticate as.
 */
export async function configure(
  block: ObjectValue,
  environment: Environment,
  log: Log,
  directory: string,
): Promise<Configured<Console>> {
  if (!isWhollyKnown(block)) return { connection: undefined, diagnostics: [] };
  const config = located(configOf(configurationAttributes, block), directory);
  const settings = mergeEnvironment(config, environment);
  const diagnostics: Diagnostic[] = [];
  const read = (source: TextOrFile | undefined) => readText(source, diagnostics);
  const files: Files = {
    cert: await read(settings.clientCertificate),
    key: await read(settings.clientKey),
    ca: await read(settings.caCertificate),
  };
  const release = readRelease(settings.release, diagnostics);
  const credentials = chooseCredentials(settings, files);
  // A file that cannot be read has been told of already.
  const isRead = !settings.clientCertificate === !files.cert && !settings.clientKey === !files.key;
  if (!credentials && isRead) diagnostics.push(noCredentials(settings));
  if (settings.baseUrl === undefined) diagnostics.push(missingBaseUrl());
  if (config.insecure_skip_verify === true) diagnostics.push(notVerified());
  if (hasErrors(diagnostics) || settings.baseUrl === undefined) {
    return { connection: undefined, diagnostics };
  }
  const tls = { ...files, insecureSkipVerify: config.insecure_skip_verify === true };
  try {
    // The client would say so at its first request, in the name of whichever resource is first.
    if (files.ca !== undefined || files.cert !== undefined) secureContexts(tls);
    const client = new ConsoleClient({
      baseUrl: settings.baseUrl,
      release,
      credentials,
      tls,
      requestTimeout: config.request_timeout === null ? undefined : config.request_timeout * 1000,
      maxRetries: config.max_retries ?? undefined,
      maxConcurrency: config.max_concurrency ?? undefined,
      ...loggingTo(log),
    });
    const { username, password } = settings;
    return { connection: { client, release, username, password, directory }, diagnostics };
  } catch (failure) {
    if (!(failure instanceof ConfigurationError)) throw failure;
    const path = [attributeOf(failure.option, settings)];
    return {
      connection: undefined,
      diagnostics: [...diagnostics, error("Invalid provider configuration", failure.message, path)],
    };
  }
}

/** PEM texts, by the names of TLS. */
type Files = Readonly<Record<"cert" | "key" | "ca", string | undefined>>;

type Configuration = ConfigOf<typeof configurationAttributes>;

/** With the paths that it names from the root. */
function located(config: Configuration, directory: string): Configuration {
  const from = (path: string | null) => (path === null ? null : resolve(directory, path));
  return {
    ...config,
    client_certificate_file: from(config.client_certificate_file),
    client_key_file: from(config.client_key_file),
    ca_certificate_file: from(config.ca_certificate_file),
  };
}

/** The attribute that set the client's option, be it by a file. */
function attributeOf(option: string, { caCertificate, clientCertificate }: Settings): string {
  if (option === "ca_certificate") return caCertificate?.attribute ?? option;
  if (option === "client_certificate") return clientCertificate?.attribute ?? option;
  return option === "baseUrl" ? "base_url" : option;
}

async function readText(
  source: TextOrFile | undefined,
  diagnostics: Diagnostic[],
): Promise<string | undefined> {
  if (source?.file === undefined) return source?.text;
  try {
    return await readFile(source.file, "utf8");
  } catch (failure) {
    const problem = fileProblem(failure)?.text ?? "unreadable";
    diagnostics.push(
      error("File cannot be read", `${source.file}: ${problem}.`, [source.attribute]),
    );
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
      `CONSOLE_RELEASE is ${JSON.stringify(text)}; it may be ${CONFIGURABLE_RELEASES.join(", ")}.`,
      ["release"],
    ),
  );
  return DEFAULT_RELEASE;
}

/** What wins: an explicit `auth`; else token, client certificate, username and password. */
function chooseCredentials(settings: Settings, { cert, key }: Files): Credentials | undefined {
  const { auth, username, password, token } = settings;
  const wants = (method: Settings["auth"]) => auth === undefined || auth === method;
  if (wants("token") && token !== undefined) return { method: "static-token", token };
  if (wants("client_certificate") && cert !== undefined && key !== undefined) {
    return { method: "client-certificate", cert, key };
  }
  if (missingHalf(settings)) return undefined;
  if (auth !== "client_certificate" && username !== undefined && password !== undefined) {
    return auth === "basic"
      ? { method: "basic", username, password }
      : { method: "token-login", username, password };
  }
  return undefined;
}

/** Of a client certificate that would win, but lacks its key, or of a key that lacks it. */
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
      `Certificate and key go together: ${missing} is not set, nor ${missing}_file.`,
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
    `The provider needs ${needed}, from its block or from the environment (CONSOLE_USERNAME, CONSOLE_PASSWORD, CONSOLE_TOKEN, CONSOLE_CLIENT_CERT_FILE, CONSOLE_CLIENT_KEY_FILE).`,
  );
}

function missingBaseUrl(): Diagnostic {
  return error(
    "Missing console address",
    "Set base_url in the provider block, or the environment variable CONSOLE_URL.",
    ["base_url"],
  );
}

/** Names no address, which might hold a password. */
function notVerified(): Diagnostic {
  return warning(
    "TLS is not verified",
    "insecure_skip_verify is set: anybody between here and the console can read and change what is sent, credentials too. Give the console's authority in ca_certificate instead.",
    ["insecure_skip_verify"],
  );
}

/** What a client tells, as lines of the log. */
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
