import { execFileSync, spawn, spawnSync, type ChildProcess } from "node:child_process";
import {
  appendFileSync,
  chownSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";
import type { KeyedCertificate } from "../../src/simulator/certificates";
import { describeWhere, installed } from "./requirement";

/** The folder of the servers that Debian installs, which are not on PATH. */
const DEBIAN = "/usr/lib/postgresql";

function findPrograms(): string | undefined {
  const versions = existsSync(DEBIAN) ? readdirSync(DEBIAN).sort().reverse() : [];
  return [
    ...versions.map((version) => join(DEBIAN, version, "bin")),
    ...(process.env.PATH ?? "").split(delimiter),
  ].find((folder) => existsSync(join(folder, "initdb")));
}

const programs = findPrograms();

export const POSTGRES = installed(programs !== undefined, "PostgreSQL is not installed");

/** Tests that need PostgreSQL: skipped where it is missing, but never in CI. */
export function describeWithPostgres(promise: string, tests: () => void): void {
  describeWhere(POSTGRES, promise, tests);
}

/** The server refuses to run as root: then the user of Debian's package runs it. */
function owner(): { uid?: number; gid?: number } {
  if (process.getuid?.() !== 0) return {};
  const id = (flag: string) => Number(execFileSync("id", [flag, "postgres"], { encoding: "utf8" }));
  return { uid: id("-u"), gid: id("-g") };
}

const PASSWORD = "state-of-high-entropy";

/** A real PostgreSQL server on the loopback interface, with an empty cluster. */
export class Postgres {
  private constructor(
    private readonly folder: string,
    readonly port: number,
    private server: ChildProcess,
  ) {}

  /** @param tls - of the server, as PEM; default: without TLS */
  static async open(tls?: KeyedCertificate): Promise<Postgres> {
    if (programs === undefined) throw new Error("PostgreSQL is not installed");
    const folder = mkdtempSync(join(tmpdir(), "pg-"));
    const user = owner();
    if (user.uid !== undefined && user.gid !== undefined) chownSync(folder, user.uid, user.gid);
    const passwordFile = join(folder, "password");
    writeFileSync(passwordFile, PASSWORD, { mode: 0o644 });
    const data = join(folder, "data");
    const made = spawnSync(
      join(programs, "initdb"),
      [
        "-D",
        data,
        "-U",
        "ann",
        "-A",
        "scram-sha-256",
        `--pwfile=${passwordFile}`,
        "-N",
        "-E",
        "UTF8",
      ],
      { ...user, encoding: "utf8", cwd: folder },
    );
    if (made.status !== 0) throw new Error(`initdb: ${made.stderr}`);
    if (tls) {
      const { uid = process.getuid?.() ?? 0, gid = process.getgid?.() ?? 0 } = user;
      for (const [name, pem] of [
        ["server.crt", tls.certificate],
        ["server.key", tls.key],
      ] as const) {
        writeFileSync(join(data, name), pem, { mode: 0o600 });
        chownSync(join(data, name), uid, gid);
      }
      appendFileSync(join(data, "postgresql.conf"), "ssl = on\n");
    }
    const port = await freePort();
    const postgres = new Postgres(folder, port, Postgres.start(folder, port));
    await postgres.ready();
    return postgres;
  }

  private static start(folder: string, port: number): ChildProcess {
    const settings = ["fsync=off", "listen_addresses=127.0.0.1", "max_connections=60"];
    return spawn(
      join(programs ?? "", "postgres"),
      [
        ...["-D", join(folder, "data"), "-p", String(port), "-k", folder],
        ...settings.flatMap((setting) => ["-c", setting]),
      ],
      { ...owner(), cwd: folder, stdio: "ignore" },
    );
  }

  get url(): string {
    return `postgres://ann:${PASSWORD}@127.0.0.1:${this.port}/postgres?sslmode=disable`;
  }

  /** The folder of its Unix socket. */
  get socketFolder(): string {
    return this.folder;
  }

  get password(): string {
    return PASSWORD;
  }

  /** The variables of a client. */
  get environment() {
    return {
      PGHOST: "127.0.0.1",
      PGPORT: String(this.port),
      PGUSER: "ann",
      PGPASSWORD: PASSWORD,
      PGDATABASE: "postgres",
      PGSSLMODE: "disable",
    };
  }

  /** The `backend` block for states in a schema. */
  backend(schema: string) {
    return { pg: { conn_str: this.url, schema_name: schema } };
  }

  async query<Row extends object>(text: string, values: readonly unknown[] = []): Promise<Row[]> {
    const client = new Client({ connectionString: this.url });
    await client.connect();
    try {
      return (await client.query<Row>(text, [...values])).rows;
    } finally {
      await client.end();
    }
  }

  /** Ends the server at once, and starts it again. */
  async restart(): Promise<void> {
    await this.stop();
    this.server = Postgres.start(this.folder, this.port);
    await this.ready();
  }

  async close(): Promise<void> {
    await this.stop();
    rmSync(this.folder, { recursive: true, force: true });
  }

  private async stop(): Promise<void> {
    const ended = new Promise((resolve) => this.server.once("exit", resolve));
    // The immediate shutdown: it waits for no client.
    this.server.kill("SIGQUIT");
    await ended;
  }

  private async ready(): Promise<void> {
    for (;;) {
      try {
        await this.query("SELECT 1");
        return;
      } catch (cause) {
        if (this.server.exitCode !== null) throw new Error("postgres ended", { cause });
        await sleep(50);
      }
    }
  }
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
