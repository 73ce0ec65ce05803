import { setTimeout as sleep } from "node:timers/promises";
import type { Client } from "pg";
import { codeOf } from "./pg-client";
import type { PgSettings } from "./pg-settings";
import { creationLocks, ensureRow } from "./pg-tables";
import type { RunInfo } from "./run-info";

/** Terraform holds the creation lock for a moment in each run, and during the first run of a state. */
const MOMENT_MS = 3_000;
const POLL_MS = 100;
/** SQLSTATE of `lock_timeout`. */
const LOCK_NOT_AVAILABLE = "55P03";

/**
 * Takes the lock of a state for the session of a client, as Terraform does: the advisory lock with
 * the ID of its row, while no other session holds a creation lock. Returns the row, or the holder.
 */
export async function takeLock(
  client: Client,
  settings: PgSettings,
): Promise<{ readonly row: string; readonly by?: never } | { readonly by: RunInfo }> {
  const creation = creationLocks(settings);
  let row: string;
  try {
    row = await ensureRow(client, settings);
  } catch (cause) {
    if (codeOf(cause) !== LOCK_NOT_AVAILABLE) throw cause;
    return { by: (await holderOf(client, creation)) ?? NOBODY };
  }
  const { rows } = await client.query<{ locked: boolean }>(
    "SELECT pg_try_advisory_lock($1) AS locked",
    [row],
  );
  if (rows[0]?.locked !== true) return { by: (await holderOf(client, [row])) ?? NOBODY };
  const deadline = performance.now() + MOMENT_MS;
  for (;;) {
    const by = await holderOf(client, creation);
    if (!by) return { row };
    if (performance.now() > deadline) {
      await releaseLock(client, row);
      return { by };
    }
    await sleep(POLL_MS);
  }
}

export async function releaseLock(client: Client, row: string): Promise<void> {
  await client.query("SELECT pg_advisory_unlock($1)", [row]);
}

interface Holder {
  readonly pid: number;
  readonly usename: string | null;
  readonly client_addr: string | null;
  readonly application_name: string | null;
  readonly backend_start: Date | null;
}

/** Finds another session that holds one of the locks. Its ID is that of its server process. */
export async function holderOf(
  client: Client,
  locks: readonly string[],
): Promise<RunInfo | undefined> {
  const { rows } = await client.query<Holder>(
    `SELECT pid, usename, client_addr, application_name, backend_start
     FROM pg_locks JOIN pg_stat_activity USING (pid)
     WHERE locktype = 'advisory' AND granted AND objsubid = 1 AND pid <> pg_backend_pid()
       AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
       AND (classid::bigint << 32 | objid::bigint) = ANY($1::bigint[])
     LIMIT 1`,
    [locks],
  );
  const [found] = rows;
  return found && describe(found);
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
  client: Client,
  locks: readonly string[],
  pid: string,
): Promise<boolean> {
  const holder = await holderOf(client, locks);
  if (holder?.ID !== pid) return false;
  await client.query("SELECT pg_terminate_backend($1::int)", [pid]);
  return true;
}
