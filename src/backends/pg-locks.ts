import { codeOf } from "./pg-client";
import { SESSION_NAME, type Database, type PgSession } from "./pg-session";
import type { PgSettings } from "./pg-settings";
import { creationLocks, ensureRow } from "./pg-tables";
import type { RunInfo } from "./run-info";
import { untilSettled } from "./state-store";
import { world } from "../core/io/world";

/** Terraform holds the creation lock for a moment in each run, and during the first run of a state. */
const MOMENT_MS = 3_000;
const POLL_MS = 100;
/** SQLSTATE of `lock_timeout`. */
const LOCK_NOT_AVAILABLE = "55P03";

/** A lock that a session holds. It ends with the connection. */
export interface HeldLock {
  readonly by?: never;
  readonly row: string;
  readonly database: Database;
}

/**
 * Takes the lock of a state on a connection, as Terraform does: the advisory lock with the ID of its
 * row, while no other session holds a creation lock. Returns the holder instead.
 *
 * @param session - of the connection
 */
export async function takeLock(
  database: Database,
  session: PgSession,
  settings: PgSettings,
): Promise<HeldLock | { readonly by: RunInfo }> {
  const found = await rowOrHolder(database, session, settings);
  if (typeof found !== "string") return { by: found };
  const row = found;
  if (database.locked.has(row)) return { by: await ownHolder(database) };
  database.locked.add(row);
  let isTaken = false;
  try {
    const by = await holderAfterAttempt(database, settings, row);
    isTaken = !by;
    return by ? { by } : { row, database };
  } finally {
    if (!isTaken) database.locked.delete(row);
  }
}

/** Returns the row of a state, or the run whose creation lock keeps it from being created. */
async function rowOrHolder(
  database: Database,
  session: PgSession,
  settings: PgSettings,
): Promise<string | RunInfo> {
  return untilSettled(async () => {
    try {
      return await ensureRow(database, session, settings);
    } catch (cause) {
      if (codeOf(cause) !== LOCK_NOT_AVAILABLE) throw cause;
      // Other runs of this program create rows, each in milliseconds.
      return creatorOf(database, settings);
    }
  }, "other sessions keep the table of states locked");
}

/** Attempts to lock a row. Returns the holder if that failed. */
async function holderAfterAttempt(
  database: Database,
  settings: PgSettings,
  row: string,
): Promise<RunInfo | undefined> {
  const { rows } = await database.query<{ locked: boolean }>(
    "SELECT pg_try_advisory_lock($1) AS locked",
    [row],
  );
  if (rows[0]?.locked !== true) return (await holderOf(database, [row])) ?? NOBODY;
  const deadline = world.clock.steady() + MOMENT_MS;
  for (;;) {
    const by = await creatorOf(database, settings);
    if (!by) return undefined;
    if (world.clock.steady() > deadline) {
      await unlockRow(database, row);
      return by;
    }
    await world.clock.sleep(POLL_MS);
  }
}

export async function releaseLock({ database, row }: HeldLock): Promise<void> {
  await unlockRow(database, row);
  database.locked.delete(row);
}

async function unlockRow(database: Database, row: string): Promise<void> {
  await database.query("SELECT pg_advisory_unlock($1)", [row]);
}

/** Finds a run of Terraform or OpenTofu that holds a creation lock, as it does until its end. */
function creatorOf(database: Database, settings: PgSettings): Promise<RunInfo | undefined> {
  return holderOf(database, creationLocks(settings), SESSION_NAME);
}

interface Holder {
  readonly pid: number;
  readonly usename: string | null;
  readonly client_addr: string | null;
  readonly application_name: string | null;
  readonly backend_start: Date | null;
}

/**
 * Finds another session that holds one of the locks. Its ID is that of its server process.
 *
 * @param without - sessions whose names begin so do not count
 */
async function holderOf(
  database: Database,
  locks: readonly string[],
  without?: string,
): Promise<RunInfo | undefined> {
  const { rows } = await database.query<Holder>(
    `SELECT pid, usename, client_addr, application_name, backend_start
     FROM pg_locks JOIN pg_stat_activity USING (pid)
     WHERE locktype = 'advisory' AND granted AND objsubid = 1 AND pid <> pg_backend_pid()
       AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
       AND (classid::bigint << 32 | objid::bigint) = ANY($1::bigint[])
       AND ($2::text IS NULL OR NOT starts_with(coalesce(application_name, ''), $2))
     LIMIT 1`,
    [locks, without ?? null],
  );
  const [found] = rows;
  return found && describe(found);
}

/** Describes this process as the holder. */
async function ownHolder(database: Database): Promise<RunInfo> {
  const { rows } = await database.query<Holder>(
    `SELECT pid, usename, client_addr, application_name, backend_start
     FROM pg_stat_activity WHERE pid = pg_backend_pid()`,
  );
  const [own] = rows;
  return own ? describe(own) : NOBODY;
}

function describe(holder: Holder): RunInfo {
  const { pid, usename, client_addr, application_name, backend_start } = holder;
  return {
    ...NOBODY,
    ID: String(pid),
    // Terraform sets no name.
    Operation: application_name === "" ? "not known" : (application_name ?? "not known"),
    Who: `${usename ?? ""}@${client_addr ?? "local socket"}`,
    Created: backend_start?.toISOString() ?? "",
  };
}

/** A holder that has released its lock since. */
const NOBODY: RunInfo = {
  ID: "",
  Operation: "",
  Info: "",
  Who: "",
  Version: "",
  Created: "",
  Path: "",
};

/** Ends the session of a server process that holds one of the locks. False if it holds none. */
export async function endHolder(
  database: Database,
  locks: readonly string[],
  pid: string,
): Promise<boolean> {
  const holder = await holderOf(database, locks);
  if (holder?.ID !== pid) return false;
  await database.query("SELECT pg_terminate_backend($1::int)", [pid]);
  return true;
}
