import { createHash } from "node:crypto";
import type { Client } from "pg";
import { codeOf, connect, storeError } from "./pg-client";
import { endHolder, releaseLock, takeLock } from "./pg-locks";
import type { PgSettings } from "./pg-settings";
import { creationLocks, ensureRow, tableOf } from "./pg-tables";
import type { RunInfo } from "./run-info";
import { StoreError, type LockAnswer, type StateStore } from "./state-store";

/** SQLSTATEs of a schema or a table that does not exist. */
const MISSING = ["3F000", "42P01"];

/** The session that holds the lock. */
interface Held {
  readonly by?: never;
  readonly client: Client;
  readonly row: string;
  readonly info: RunInfo;
}

/**
 * Keeps a state in a row of PostgreSQL, in the tables and under the advisory locks of Terraform's
 * `pg` backend. A lock ends with its connection, so that a run that dies leaves none.
 *
 * A connection that is lost during a run is opened again, with the lock. A write replaces only what
 * this store has read or written last.
 */
export class PgStore implements StateStore {
  readonly location: string;
  readonly caution?: string;
  private held: Held | undefined;
  private seen: string | undefined;

  constructor(private readonly settings: PgSettings) {
    const { connection, schema, table, name } = settings;
    const { host, port, database, tls } = connection;
    this.location = `postgres://${host}:${port}/${database} (${schema}.${table}, workspace "${name}")`;
    if (tls?.verifies === "no" && !LOOPBACK.test(host)) {
      this.caution = `The certificate of ${host} is not verified, because sslmode is "require". Set sslmode=verify-full in conn_str, or PGSSLMODE.`;
    }
  }

  async get(): Promise<Buffer | undefined> {
    this.seen = await this.with(async (client) => {
      try {
        const { rows } = await client.query<{ data: string | null }>(
          `SELECT data FROM ${tableOf(this.settings)} WHERE name = $1`,
          [this.settings.name],
        );
        return rows[0]?.data ?? undefined;
      } catch (cause) {
        if (MISSING.includes(codeOf(cause))) return undefined;
        throw cause;
      }
    });
    return this.seen === undefined ? undefined : Buffer.from(this.seen);
  }

  async put(bytes: Buffer): Promise<void> {
    const data = bytes.toString("utf8");
    await this.with(async (client) => {
      const row = this.held?.row ?? (await ensureRow(client, this.settings));
      // The last write before a connection was lost may have arrived.
      const expected = [data, ...(this.seen === undefined ? [] : [this.seen])].map(digest);
      const { rowCount } = await client.query(
        `UPDATE ${tableOf(this.settings)} SET data = $2
         WHERE id = $1 AND ($4 OR encode(sha256(convert_to(data, 'UTF8')), 'hex') = ANY($3))`,
        [row, data, expected, this.seen === undefined],
      );
      if (rowCount !== 1) {
        throw new StoreError("another program changed or removed it since it was read");
      }
    });
    this.seen = data;
  }

  async lock(info: RunInfo): Promise<LockAnswer> {
    try {
      const { by } = await this.hold(info);
      return by ? { by, release: releaseAdvice(by) } : {};
    } catch (cause) {
      throw storeError(cause);
    }
  }

  /** Without this store's own lock, the ID is that of the server process that holds it. */
  async unlock(id: string): Promise<void> {
    const { held } = this;
    this.held = undefined;
    if (held?.info.ID === id) {
      // The lock ends with the connection in any case.
      await releaseLock(held.client, held.row).catch(() => undefined);
      await end(held.client);
      return;
    }
    const isEnded = await this.with(async (client) => {
      const row = await ensureRow(client, this.settings);
      return endHolder(client, [row, ...creationLocks(this.settings)], id);
    });
    if (!isEnded) throw new StoreError(`no server process ${id} holds its lock`);
  }

  /** Opens a connection with the lock. Returns the run that holds it instead. */
  private async hold(info: RunInfo): Promise<Held | { readonly by: RunInfo }> {
    const client = await this.connect(info);
    try {
      const taken = await takeLock(client, this.settings);
      if (!taken.by) return (this.held = { client, row: taken.row, info });
      await end(client);
      return taken;
    } catch (cause) {
      await end(client);
      throw cause;
    }
  }

  /** Runs statements on the connection with the lock, or on a new one. */
  private async with<T>(work: (client: Client) => Promise<T>): Promise<T> {
    try {
      return await (this.held ? this.withHeld(this.held, work) : this.withOwn(work));
    } catch (cause) {
      throw storeError(cause);
    }
  }

  private async withOwn<T>(work: (client: Client) => Promise<T>): Promise<T> {
    const client = await this.connect();
    try {
      return await work(client);
    } finally {
      await end(client);
    }
  }

  private async withHeld<T>(
    { client, info }: Held,
    work: (client: Client) => Promise<T>,
  ): Promise<T> {
    try {
      return await work(client);
    } catch (cause) {
      if (!isLost(cause)) throw cause;
      await end(client);
      const again = await this.hold(info);
      if (!again.by) return work(again.client);
      const { Operation, Who } = again.by;
      throw new StoreError(
        `the connection was lost, and ${Operation} (${Who}) has locked it since`,
      );
    }
  }

  private connect(info?: RunInfo): Promise<Client> {
    const name = info ? `cdktf-console ${info.Operation} by ${info.Who}` : "cdktf-console";
    return connect(this.settings.connection, name);
  }
}

const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|::1)$/;

/** Anything but an answer of the server ends the connection, as does the server when it stops. */
function isLost(cause: unknown): boolean {
  if (cause instanceof StoreError) return false;
  const isAnswer = typeof cause === "object" && cause !== null && "severity" in cause;
  return !isAnswer || /^(08|57P)/.test(codeOf(cause));
}

async function end(client: Client): Promise<void> {
  await client.end().catch(() => undefined);
}

function digest(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

function releaseAdvice({ ID }: RunInfo): string {
  return `The lock ends with the connection of its holder. If its machine is gone, run "cdktf-console force-unlock ${ID}", which ends the server process ${ID}.`;
}
