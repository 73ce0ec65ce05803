import { emptyState } from "../core/documents/state";
import { formatState } from "../formats/state-file/write";
import { codeOf } from "./pg-client";
import type { Database, PgSession } from "./pg-session";
import type { PgSettings } from "./pg-settings";
import { world } from "../core/io/world";

/** How long to wait for runs that create a table or a row, which takes milliseconds. */
const CREATION_WAIT_MS = 5_000;

/** SQLSTATEs of a schema or a table that does not exist. */
export const MISSING_RELATION: readonly string[] = ["3F000", "42P01"];

type TableName = Pick<PgSettings, "schema" | "table">;

function escapeIdentifier(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** `"schema"."table"` */
export function tableOf({ schema, table }: TableName): string {
  return `${escapeIdentifier(schema)}.${escapeIdentifier(table)}`;
}

/**
 * The advisory locks under which Terraform and OpenTofu create rows: -1 for the whole database, and a
 * number of each table.
 */
export function creationLocks({ schema, table }: TableName): readonly [string, string] {
  return ["-1", String(-fnv1(`${schema}\0${table}`))];
}

/** FNV-1 with 32 bits, as Go's `fnv.New32`. */
function fnv1(text: string): number {
  let hash = 0x811c9dc5;
  for (const byte of Buffer.from(text)) hash = (Math.imul(hash, 0x01000193) ^ byte) >>> 0;
  return hash;
}

/** Returns the ID of the row of a state, which is that of its lock. Creates what is missing. */
export async function ensureRow(
  database: Database,
  session: PgSession,
  settings: PgSettings,
): Promise<string> {
  const present = await findRow(database, settings);
  if (present !== undefined) return present;
  return session.transact(async (other) => {
    await createRow(other, settings);
    const created = await findRow(other, settings);
    if (created === undefined) throw new Error("the row of the state was removed");
    return created;
  });
}

function createRow(database: Database, settings: PgSettings): Promise<void> {
  return underCreationLocks(database, settings, async () => {
    if (!(await hasTable(database, settings))) await createTable(database, settings);
    // While there is no row, Terraform and OpenTofu hold a creation lock for the whole run. With
    // this row the lock of the row is enough, and other stacks need not wait.
    const empty = formatState(emptyState(world.random.uuid()));
    await database.query(
      `INSERT INTO ${tableOf(settings)} (name, data) VALUES ($1, $2) ON CONFLICT (name) DO NOTHING`,
      [settings.name, empty],
    );
  });
}

async function hasTable(database: Database, settings: PgSettings): Promise<boolean> {
  const { rows } = await database.query<{ found: boolean }>(
    "SELECT to_regclass($1) IS NOT NULL AS found",
    [tableOf(settings)],
  );
  return rows[0]?.found === true;
}

async function findRow(database: Database, settings: PgSettings): Promise<string | undefined> {
  try {
    const { rows } = await database.query<{ id: string }>(
      `SELECT id FROM ${tableOf(settings)} WHERE name = $1`,
      [settings.name],
    );
    return rows[0]?.id;
  } catch (cause) {
    if (MISSING_RELATION.includes(codeOf(cause))) return undefined;
    throw cause;
  }
}

async function underCreationLocks(
  database: Database,
  settings: PgSettings,
  create: () => Promise<void>,
): Promise<void> {
  await database.query("BEGIN");
  try {
    await database.query(`SET LOCAL lock_timeout = ${CREATION_WAIT_MS}`);
    for (const id of creationLocks(settings)) {
      await database.query("SELECT pg_advisory_xact_lock($1)", [id]);
    }
    await create();
    await database.query("COMMIT");
  } catch (cause) {
    await database.query("ROLLBACK").catch(() => undefined);
    throw cause;
  }
}

/** The statements of Terraform's backend. */
async function createTable(database: Database, settings: PgSettings): Promise<void> {
  const { schema, creates, index } = settings;
  const table = tableOf(settings);
  if (creates.schema) {
    const { rows } = await database.query(
      "SELECT 1 FROM information_schema.schemata WHERE schema_name = $1",
      [schema],
    );
    // The user may lack the right to create schemas.
    if (rows.length === 0) {
      await database.query(`CREATE SCHEMA IF NOT EXISTS ${escapeIdentifier(schema)}`);
    }
  }
  if (creates.table) {
    // One sequence for all schemas: the IDs are locks of the whole database.
    await database.query("CREATE SEQUENCE IF NOT EXISTS public.global_states_id_seq AS bigint");
    await database.query(
      `CREATE TABLE IF NOT EXISTS ${table} (
         id bigint NOT NULL DEFAULT nextval('public.global_states_id_seq') PRIMARY KEY,
         name text UNIQUE,
         data text
       )`,
    );
  }
  if (creates.index) {
    const name = escapeIdentifier(index);
    await database.query(`CREATE UNIQUE INDEX IF NOT EXISTS ${name} ON ${table} (name)`);
  }
}
