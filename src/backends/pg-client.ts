import { memberOf } from "../core/member-of";
import { checkServerIdentity, type PeerCertificate } from "node:tls";
import { readFile } from "../core/io/read-file";
import type { Client } from "pg";
import { errorText } from "../core/io/file-problem";
import { world } from "../core/io/world";
import { useSecrets } from "../core/io/secrets-in-use";
import type { PgConnection, PgTls } from "./pg-settings";
import { StoreError } from "./state-store";

const CONNECT_TIMEOUT_MS = 30_000;
/** For one statement: a state has some megabytes at most. */
const STATEMENT_TIMEOUT_MS = 300_000;
/** Before the second attempt to connect, and twice that before the third. */
const RETRY_MS = 500;
const ATTEMPTS = 3;

/**
 * Codes after which a connection is tried again: the server starts or stops, has no connection left,
 * or was not reached.
 */
const TRANSIENT = [
  "57P03",
  "57P01",
  "53300",
  "ECONNREFUSED",
  "ECONNRESET",
  "ETIMEDOUT",
  "EAI_AGAIN",
];

/** Connects to a database. Rejects with a `StoreError`. */
export async function connectToDatabase(
  connection: PgConnection,
  applicationName: string,
): Promise<Client> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await connectOnce(connection, applicationName);
    } catch (cause) {
      if (attempt === ATTEMPTS || !TRANSIENT.includes(codeOf(cause))) throw storeError(cause);
      await world.clock.sleep(RETRY_MS * attempt);
    }
  }
}

async function connectOnce(connection: PgConnection, applicationName: string): Promise<Client> {
  const { Client: PgClient } = await import("pg");
  const { host, port, database, user, password, options, timeoutMs, tls } = connection;
  useSecrets(password === undefined ? [] : [password]);
  const client = new PgClient({
    host,
    port,
    database,
    user,
    // Undefined would be that of this process's environment.
    ...(password !== undefined && { password }),
    ...(options !== "" && { options }),
    // PostgreSQL cuts longer names.
    application_name: (connection.applicationName ?? applicationName).slice(0, 63),
    connectionTimeoutMillis: timeoutMs || CONNECT_TIMEOUT_MS,
    query_timeout: STATEMENT_TIMEOUT_MS,
    keepAlive: true,
    ssl: tls ? await tlsOptions(tls, host) : false,
  });
  // The next statement reports a connection that is lost.
  client.on("error", () => undefined);
  await client.connect();
  return client;
}

async function tlsOptions({ verifies, caFile, certificateFile, keyFile }: PgTls, host: string) {
  const [ca, cert, key] = await Promise.all([caFile, certificateFile, keyFile].map(readPem));
  return {
    rejectUnauthorized: verifies !== "no",
    // pg passes no name to Node if the host is an address, and Node then expects "localhost".
    checkServerIdentity: (_: string, certificate: PeerCertificate) =>
      verifies === "name" ? checkServerIdentity(host, certificate) : undefined,
    ...(ca && { ca }),
    ...(cert && { cert }),
    ...(key && { key }),
  };
}

async function readPem(path: string | undefined): Promise<Buffer | undefined> {
  if (path === undefined) return undefined;
  try {
    return await readFile(path);
  } catch (cause) {
    throw new StoreError(`${path}: ${errorText(cause)}`, { cause });
  }
}

/** The SQLSTATE of the server, or the code of the system; empty if there is none. */
export function codeOf(failure: unknown): string {
  const [first] = failure instanceof AggregateError ? (failure.errors as unknown[]) : [];
  const error = first ?? failure;
  return typeof error === "object" && error !== null && "code" in error ? String(error.code) : "";
}

const UNKNOWN_AUTHORITY =
  "Set sslrootcert in conn_str, or PGSSLROOTCERT, to the file with the server's certificate authority";

const HINTS: Readonly<Record<string, string>> = {
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNKNOWN_AUTHORITY,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNKNOWN_AUTHORITY,
  SELF_SIGNED_CERT_IN_CHAIN: UNKNOWN_AUTHORITY,
  DEPTH_ZERO_SELF_SIGNED_CERT: UNKNOWN_AUTHORITY,
  ERR_TLS_CERT_ALTNAME_INVALID:
    "Connect by a name that the certificate has. With sslmode=verify-ca, the name is not checked",
  "28P01": "Check the user and the password, or PGUSER and PGPASSWORD",
  "28000": "Check the user and the password, or PGUSER and PGPASSWORD",
  "3D000": "Create the database first",
  "3F000": "Create the schema, or omit skip_schema_creation",
  "42P01": "Create the table, or omit skip_table_creation",
  "42501":
    "Grant the user the rights, or create the schema and the table for it and set skip_schema_creation and skip_table_creation",
};

/** Describes a failure of the server or of the connection. */
export function storeError(cause: unknown): StoreError {
  if (cause instanceof StoreError) return cause;
  const [first] = cause instanceof AggregateError ? (cause.errors as unknown[]) : [];
  const hint = memberOf(HINTS, codeOf(cause));
  const text = errorText(first ?? cause);
  const tls = text.includes("does not support SSL")
    ? "Set sslmode=disable in conn_str, or PGSSLMODE"
    : hint;
  return new StoreError(tls === undefined ? text : `${text}. ${tls}`, { cause });
}
