import { createHash } from "node:crypto";
import type { Client, QueryResult, QueryResultRow } from "pg";
import { Limit } from "../core/io/limit";
import { codeOf, connectToDatabase } from "./pg-client";
import type { PgConnection } from "./pg-settings";
import { StoreError } from "./state-store";

/** A connection that runs statements. */
export interface Database {
  /** The rows that are locked. PostgreSQL grants a session a lock that it has already. */
  readonly locked: Set<string>;
  query<Row extends QueryResultRow>(
    text: string,
    values?: readonly unknown[],
  ): Promise<QueryResult<Row>>;
}

/** A connection that several states use, one statement at a time. */
class SharedConnection implements Database {
  readonly locked = new Set<string>();
  private readonly limit = new Limit(1);

  constructor(readonly client: Client) {}

  query<Row extends QueryResultRow>(text: string, values: readonly unknown[] = []) {
    return this.limit.run(() => this.client.query<Row>(text, [...values]));
  }
}

/** The sessions of this process, by database, name and number. */
const sessions = new Map<string, PgSession>();
/** The beginning of the names of sessions, unless the connection string has a name. */
export const SESSION_NAME = "cdktf-console";

/** For each database and name. */
const MOST_SESSIONS = 4;

/**
 * A session of this process with a database, for a quarter of the states in it: a server has a
 * hundred connections by default, and a run may have thousands of stacks.
 */
export class PgSession {
  private readonly transactions = new Limit(1);
  private users = 0;
  private opened: Promise<SharedConnection> | undefined;
  private latest: SharedConnection | undefined;

  private constructor(
    private readonly key: string,
    private readonly connection: PgConnection,
    private readonly name: string,
  ) {}

  /**
   * Returns the session for a state. Each `join` needs a `leave`.
   *
   * @param state - identifies the state in its database
   * @param name - of the session, as administrators see it
   */
  static join(connection: PgConnection, state: string, name: string): PgSession {
    const number = createHash("sha256").update(state).digest().readUInt8() % MOST_SESSIONS;
    const key = JSON.stringify([connection, name, number]);
    const session = sessions.get(key) ?? new PgSession(key, connection, name);
    sessions.set(key, session);
    session.users += 1;
    return session;
  }

  /** Runs statements, and once more if the connection was lost meanwhile. */
  async run<T>(work: (database: Database) => Promise<T>): Promise<T> {
    const first = await this.current();
    try {
      return await work(first);
    } catch (cause) {
      if (!isLost(cause)) throw cause;
      this.forget(first);
      return work(await this.current());
    }
  }

  /** The connection, which is opened if there is none. */
  private async current(): Promise<SharedConnection> {
    const opened = (this.opened ??= this.open());
    try {
      return await opened;
    } catch (cause) {
      if (this.opened === opened) this.opened = undefined;
      throw cause;
    }
  }

  private async open(): Promise<SharedConnection> {
    const shared = new SharedConnection(await connectToDatabase(this.connection, this.name));
    this.latest = shared;
    shared.client.once("end", () => {
      this.forget(shared);
    });
    return shared;
  }

  /** Leaves a connection that is lost, unless that was done already. */
  private forget(lost: SharedConnection): void {
    if (this.latest !== lost) return;
    this.latest = this.opened = undefined;
    void end(lost.client);
  }

  /** Runs statements that belong together on a separate connection. */
  async transact<T>(work: (database: Database) => Promise<T>): Promise<T> {
    return this.transactions.run(async () => {
      const client = await connectToDatabase(this.connection, this.name);
      try {
        return await work(new SharedConnection(client));
      } finally {
        await end(client);
      }
    });
  }

  /** Closes the connection, with its locks, after the last user. */
  async leave(): Promise<void> {
    this.users -= 1;
    if (this.users > 0) return;
    sessions.delete(this.key);
    const connection = await this.opened?.catch(() => undefined);
    if (connection) await end(connection.client);
  }
}

/** Anything but an answer of the server ends the connection, as does the server when it stops. */
function isLost(cause: unknown): boolean {
  if (cause instanceof StoreError) return false;
  const isAnswer = typeof cause === "object" && cause !== null && "severity" in cause;
  return !isAnswer || /^(08|57P)/.test(codeOf(cause));
}

async function end(client: Client): Promise<void> {
  await client.end().catch(() => undefined);
}
