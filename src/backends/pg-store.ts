import { createHash } from "node:crypto";
import type { Diagnostic } from "../core/diagnostics";
import { codeOf, storeError } from "./pg-client";
import { endHolder, releaseLock, takeLock, type HeldLock } from "./pg-locks";
import { PgSession, SESSION_NAME, type Database } from "./pg-session";
import type { PgSettings } from "./pg-settings";
import { creationLocks, ensureRow, MISSING_RELATION, tableOf } from "./pg-tables";
import { unlockCommand, type Advice, type RunInfo } from "./run-info";
import {
  CHANGED,
  NotHeldError,
  notVerified,
  StoreError,
  type LockAnswer,
  type StateStore,
  type TextStore,
} from "./state-store";

/** The lock of this store, and the session that holds it. */
interface Held {
  readonly session: PgSession;
  readonly info: RunInfo;
  lock: HeldLock;
}

/**
 * Keeps a state in a row of PostgreSQL, in the tables and under the advisory locks of Terraform's
 * `pg` backend. A lock ends with its connection, so that a run that dies leaves none. All stores of a
 * process share a few connections.
 *
 * A connection that is lost during a run is opened again, with the lock. A write replaces only what
 * this store has read or written last.
 */
export class PgStore implements StateStore {
  readonly location: string;
  readonly cautions: readonly Diagnostic[];
  private held: Held | undefined;
  private seen: string | undefined;

  constructor(private readonly settings: PgSettings) {
    const { connection, schema, table, name } = settings;
    const { host, port, database, tls } = connection;
    this.location = `postgres://${host}:${port}/${database} (${schema}.${table}, workspace "${name}")`;
    const isVerified = tls?.verifies !== "no" || LOOPBACK.test(host);
    const reason = 'sslmode is "require". Set sslmode=verify-full in conn_str, or PGSSLMODE';
    this.cautions = isVerified ? [] : [notVerified(host, reason)];
  }

  async get(): Promise<Buffer | undefined> {
    this.seen = await this.with(async ({ database }) => {
      try {
        const { rows } = await database.query<{ data: string | null }>(
          `SELECT data FROM ${tableOf(this.settings)} WHERE name = $1`,
          [this.settings.name],
        );
        return rows[0]?.data ?? undefined;
      } catch (cause) {
        if (MISSING_RELATION.includes(codeOf(cause))) return undefined;
        throw cause;
      }
    });
    return this.seen === undefined ? undefined : Buffer.from(this.seen);
  }

  async put(bytes: Buffer): Promise<void> {
    const data = bytes.toString("utf8");
    await this.with(async ({ database, session }) => {
      const row = this.held?.lock.row ?? (await ensureRow(database, session, this.settings));
      // The last write before a connection was lost may have arrived.
      const expected = [data, ...(this.seen === undefined ? [] : [this.seen])].map(digest);
      const { rowCount } = await database.query(
        `UPDATE ${tableOf(this.settings)} SET data = $2
         WHERE id = $1 AND ($4 OR encode(sha256(convert_to(data, 'UTF8')), 'hex') = ANY($3))`,
        [row, data, expected, this.seen === undefined],
      );
      if (rowCount !== 1) {
        throw new StoreError(CHANGED);
      }
    });
    this.seen = data;
  }

  async delete(): Promise<void> {
    const { seen } = this;
    if (seen === undefined) return;
    await this.with(async ({ database }) => {
      await database.query(
        `DELETE FROM ${tableOf(this.settings)} WHERE name = $1 AND encode(sha256(convert_to(data, 'UTF8')), 'hex') = $2`,
        [this.settings.name, digest(seen)],
      );
    });
    if ((await this.get()) !== undefined) throw new StoreError(CHANGED);
  }

  workspaces(): Promise<readonly string[]> {
    return this.with(async ({ database }) => {
      try {
        const { rows } = await database.query<{ name: string }>(
          `SELECT name FROM ${tableOf(this.settings)}`,
        );
        return rows.map(({ name }) => name);
      } catch (cause) {
        if (MISSING_RELATION.includes(codeOf(cause))) return [];
        throw cause;
      }
    });
  }

  /** In another table: the rows of this one are workspaces. */
  beside(name: string): TextStore {
    const { table, name: workspace, creates } = this.settings;
    const other = { table: `${table}_runs`, name: `${workspace} ${name}` };
    return new PgStore({ ...this.settings, ...other, creates: { ...creates, index: false } });
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
      // The lock ends with a lost connection in any case.
      await releaseLock(held.lock).catch(() => undefined);
      await held.session.leave();
      return;
    }
    const isEnded = await this.with(async ({ database, session }) => {
      const row = await ensureRow(database, session, this.settings);
      return endHolder(database, [row, ...creationLocks(this.settings)], id);
    });
    if (!isEnded) throw new NotHeldError(`no server process ${id} holds its lock`);
  }

  /** Takes the lock. Returns the run that holds it instead. */
  private async hold(info: RunInfo): Promise<HeldLock | { readonly by: RunInfo }> {
    const session = this.join(info);
    try {
      const lock = await session.run((database) => takeLock(database, session, this.settings));
      if (lock.by) await session.leave();
      else this.held = { session, info, lock };
      return lock;
    } catch (cause) {
      await session.leave();
      throw cause;
    }
  }

  /** Runs statements on the connection with the lock, or on any. */
  private async with<T>(work: (at: At) => Promise<T>): Promise<T> {
    const { held } = this;
    const session = held?.session ?? this.join();
    try {
      return await session.run(async (database) => {
        if (held) await this.relock(held, database);
        return work({ database, session });
      });
    } catch (cause) {
      throw storeError(cause);
    } finally {
      if (!held) await session.leave();
    }
  }

  /** Takes the lock again on a connection that replaces a lost one. */
  private async relock(held: Held, database: Database): Promise<void> {
    if (database === held.lock.database) return;
    const again = await takeLock(database, held.session, this.settings);
    if (again.by) {
      const { Operation, Who } = again.by;
      throw new StoreError(
        `the connection was lost, and ${Operation} (${Who}) has locked it since`,
      );
    }
    held.lock = again;
  }

  private join(info?: RunInfo): PgSession {
    const name = info ? `${SESSION_NAME} ${info.Operation} by ${info.Who}` : SESSION_NAME;
    return PgSession.join(this.settings.connection, this.location, name);
  }
}

/** The connection for statements, and its session. */
interface At {
  readonly database: Database;
  readonly session: PgSession;
}

const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|::1)$/;

function digest(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

function releaseAdvice({ ID }: RunInfo): (advice: Advice) => string {
  return (advice) =>
    `The lock ends with the connection of its holder. If its machine is gone, run "${unlockCommand(ID, advice)}", which ends the server process ${ID}.`;
}
