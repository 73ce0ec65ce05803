import { memberOf } from "../../core/member-of";
import { userInfo } from "node:os";
import { resolve } from "node:path";
import { z } from "zod";
import type { Environment } from "../../core/environment";
import type { Diagnostic } from "../../core/diagnostics";
import type { PgConnection, PgSettings, PgTls } from "../../backends";
import { argumentReader, flagArgument, invalidBackend, text } from "./backend-arguments";
import { parseConnectionString, type ConnectionParameters } from "./connection-string";

export interface PgBackendConfig {
  readonly type: "pg";
  /** Environment variables fill in absent settings. */
  readonly settings: z.infer<typeof pgBlock>;
}

export const pgBlock = z.strictObject({
  conn_str: text,
  schema_name: text,
  skip_schema_creation: flagArgument,
  skip_table_creation: flagArgument,
  skip_index_creation: flagArgument,
  // OpenTofu has these two, Terraform has not.
  table_name: text,
  index_name: text,
});

/** The variables of PostgreSQL's programs that fill in the connection string. */
const VARIABLES = {
  PGHOST: "host",
  PGPORT: "port",
  PGDATABASE: "dbname",
  PGUSER: "user",
  PGPASSWORD: "password",
  PGOPTIONS: "options",
  PGAPPNAME: "application_name",
  PGSSLMODE: "sslmode",
  PGSSLCERT: "sslcert",
  PGSSLKEY: "sslkey",
  PGSSLROOTCERT: "sslrootcert",
  PGCONNECT_TIMEOUT: "connect_timeout",
} as const;

const TLS_MODES = ["disable", "require", "verify-ca", "verify-full"] as const;

/** Parameters that this program sets up itself; all others are settings of the session. */
const KNOWN: readonly string[] = Object.values(VARIABLES);

interface Read {
  readonly settings?: PgSettings;
  readonly diagnostics: readonly Diagnostic[];
}

/** Returns the settings of a pg backend, with those of the environment, as Terraform completes it. */
export function pgSettings(
  { settings }: PgBackendConfig,
  environment: Environment,
  workspace: string,
  directory: string,
): Read {
  const given = argumentReader(settings, environment, "PG_");
  const parsed = parseConnectionString(given("conn_str") ?? "");
  if (!parsed) {
    return invalidBackend(
      'The "conn_str" of the "pg" backend is neither a URL with postgres:// nor a list of key=value.',
    );
  }
  const connection = connectionOf(parsed, environment, directory);
  if (typeof connection === "string") return invalidBackend(connection);
  const skips = (name: "schema" | "table" | "index") =>
    ["true", "1", "t"].includes((given(`skip_${name}_creation`) ?? "false").toLowerCase());
  return {
    settings: {
      connection,
      schema: given("schema_name") ?? "terraform_remote_state",
      table: given("table_name") ?? "states",
      index: given("index_name") ?? "states_by_name",
      creates: { schema: !skips("schema"), table: !skips("table"), index: !skips("index") },
      name: workspace,
    },
    diagnostics: [],
  };
}

/** Returns the block that finds the state again, without the password. */
export function pgRecord(
  { settings }: PgBackendConfig,
  environment: Environment,
): PgBackendConfig["settings"] | undefined {
  const given = argumentReader(settings, environment, "PG_");
  const parsed = parseConnectionString(given("conn_str") ?? "");
  if (!parsed) return undefined;
  const quoted = (value: string) => `'${value.replaceAll(/[\\']/g, String.raw`\$&`)}'`;
  const pairs = Object.entries({ ...parametersIn(environment), ...parsed })
    .filter(([name]) => name !== "password" && name !== "sslpassword")
    .map(([name, value]) => `${name}=${quoted(value)}`);
  return {
    ...settings,
    conn_str: pairs.join(" "),
    schema_name: given("schema_name"),
    table_name: given("table_name"),
  };
}

function parametersIn(environment: Environment): ConnectionParameters {
  return Object.fromEntries(
    Object.entries(VARIABLES).flatMap(([variable, name]) =>
      (memberOf(environment, variable) ?? "") === ""
        ? []
        : [[name, memberOf(environment, variable) ?? ""] as const],
    ),
  );
}

/** Completes the parameters as lib/pq does, which Terraform uses. Returns the reason if that fails. */
function connectionOf(
  parsed: ConnectionParameters,
  environment: Environment,
  directory: string,
): PgConnection | string {
  const given: ConnectionParameters = { ...parametersIn(environment), ...parsed };
  const { host = "localhost", port = "5432", password, sslmode = "require" } = given;
  const user = given.user ?? userName();
  const timeout = Number(given.connect_timeout ?? 0);
  if (!/^\d{1,5}$/.test(port)) return 'The "pg" backend has a port that is not a number.';
  if (!Number.isInteger(timeout) || timeout < 0) {
    return 'The connect_timeout of the "pg" backend is not a number of seconds.';
  }
  const mode = TLS_MODES.find((one) => one === sslmode);
  if (!mode) {
    return `The sslmode of the "pg" backend must be one of ${TLS_MODES.join(", ")}.`;
  }
  return {
    host,
    port: Number(port),
    database: given.dbname ?? user,
    user,
    ...(password !== undefined && { password }),
    ...(given.application_name !== undefined && { applicationName: given.application_name }),
    options: sessionOptions(given),
    timeoutMs: timeout * 1000,
    // Like lib/pq, no TLS on a Unix socket.
    ...(mode !== "disable" && !host.startsWith("/") && { tls: tlsOf(mode, given, directory) }),
  };
}

function tlsOf(
  mode: Exclude<(typeof TLS_MODES)[number], "disable">,
  { sslrootcert = "", sslcert = "", sslkey = "" }: ConnectionParameters,
  directory: string,
): PgTls {
  return {
    // With an authority, lib/pq verifies the certificate, but not the name.
    verifies: mode === "verify-full" ? "name" : mode === "require" && !sslrootcert ? "no" : "chain",
    ...(sslrootcert !== "" && { caFile: resolve(directory, sslrootcert) }),
    ...(sslcert !== "" && { certificateFile: resolve(directory, sslcert) }),
    ...(sslkey !== "" && { keyFile: resolve(directory, sslkey) }),
  };
}

/** Parameters that are no part of the connection are settings of the session. */
function sessionOptions(given: ConnectionParameters): string {
  const others = Object.entries(given)
    .filter(([name]) => !KNOWN.includes(name))
    .map(([name, value]) => `-c ${name}=${value.replaceAll(/[\s\\]/gu, String.raw`\$&`)}`);
  return [given.options ?? "", ...others].filter(Boolean).join(" ");
}

/** In a container the user may have no name. */
function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return "postgres";
  }
}
