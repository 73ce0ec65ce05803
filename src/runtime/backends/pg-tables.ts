import { randomUUID } from "node:crypto";
import type { Client } from "pg";
import { emptyState } from "../state/state";
import { formatState } from "../state/write";
import type { PgSettings } from "./pg-settings";

/** How long to wait for runs that create a table or a row, which takes milliseconds. */
const CREATION_WAIT_MS = 5_000;

type Place = Pick<PgSettings, "schema" | "table">;

function escapeIdentifier(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** `"schema"."table"` */
export function tableOf({ schema, table }: Place): string {
  return `${escapeIdentifier(schema)}.${escapeIdentifier(table)}`;
}

/**
 * The advisory locks under which Terraform and OpenTofu create rows: -1 for the whole database, and a
 * number of each table.
 */
export function creationLocks({ schema, table }: Place): readonly [string, string] {
  return ["-1", String(-fnv1(`${schema}\0${table}`))];
}

/** FNV-1 with 32 bits, as Go's `fnv.New32`. */
function fnv1(text: string): number {
  let hash = 0x811c9dc5;
  for (const byte of Buffer.from(text)) hash = (Math.imul(hash, 0x01000193) ^ byte) >>> 0;
  return hash;
}

/** Returns the ID of the row of a state, which is that of its lock. Creates what is missing. */
export async function ensureRow(client: Client, settings: PgSettings): Promise<string> {
  const table = tableOf(settings);
  const { rows } = await client.query<{ found: boolean }>(
    "SELECT to_regclass($1) IS NOT NULL AS found",
    [table],
  );
  const isThere = rows[0]?.found === true;
  const present = isThere ? await findRow(client, settings) : undefined;
  if (present !== undefined) return present;
  await underCreationLocks(client, settings, async () => {
    if (!isThere) await createTable(client, settings);
    // While there is no row, Terraform and OpenTofu hold a creation lock for the whole run. With
    // this row the lock of the row is enough, and other stacks need not wait.
    const empty = formatState(emptyState(randomUUID()));
    await client.query(
      `INSERT INTO ${table} (name, data) VALUES ($1, $2) ON CONFLICT (name) DO NOTHING`,
      [settings.name, empty],
    );
  });
  const created = await findRow(client, settings);
  if (created === undefined) throw new Error("the row of the state was removed");
  return created;
}

async function findRow(client: Client, settings: PgSettings): Promise<string | undefined> {
  const { rows } = await client.query<{ id: string }>(
    `SELECT id FROM ${tableOf(settings)} WHERE name = $1`,
    [settings.name],
  );
  return rows[0]?.id;
}

async function underCreationLocks(
  client: Client,
  settings: PgSettings,
  create: () => Promise<void>,
): Promise<void> {
  await client.query("BEGIN");
  try {
    await client.query(`SET LOCAL lock_timeout = ${CREATION_WAIT_MS}`);
    for (const id of creationLocks(settings)) {
      await client.query("SELECT pg_advisory_xact_lock($1)", [id]);
    }
    await create();
    await client.query("COMMIT");
  } catch (cause) {
    await client.query("ROLLBACK").catch(() => undefined);
    throw cause;
  }
}

/** The statements of Terraform's backend. */
async function createTable(client: Client, settings: PgSettings): Promise<void> {
  const { schema, creates, index } = settings;
  const table = tableOf(settings);
  if (creates.schema) {
    const { rows } = await client.query(
      "SELECT 1 FROM information_schema.schemata WHERE schema_name = $1",
      [schema],
    );
    // The user may lack the right to create schemas.
    if (rows.length === 0) {
      await client.query(`CREATE SCHEMA IF NOT EXISTS ${escapeIdentifier(schema)}`);
    }
  }
  if (creates.table) {
    // One sequence for all schemas: the IDs are locks of the whole database.
    await client.query("CREATE SEQUENCE IF NOT EXISTS public.global_states_id_seq AS bigint");
    await client.query(
      `CREATE TABLE IF NOT EXISTS ${table} (
         id bigint NOT NULL DEFAULT nextval('public.global_states_id_seq') PRIMARY KEY,
         name text UNIQUE,
         data text
       )`,
    );
  }
  if (creates.index) {
    const name = escapeIdentifier(index);
    await client.query(`CREATE UNIQUE INDEX IF NOT EXISTS ${name} ON ${table} (name)`);
  }
}
