/** The settings of Terraform's pg backend for one state. */
export interface PgSettings {
  readonly connection: PgConnection;
  readonly schema: string;
  readonly table: string;
  readonly index: string;
  /** The objects of the database that are created where they are missing. */
  readonly creates: { readonly schema: boolean; readonly table: boolean; readonly index: boolean };
  /** The name of the row: that of the workspace. */
  readonly name: string;
}

export interface PgConnection {
  /** A name, an address, or the folder of a Unix socket. */
  readonly host: string;
  readonly port: number;
  readonly database: string;
  readonly user: string;
  /** Absent: that of the user's password file, if any. */
  readonly password?: string;
  readonly applicationName?: string;
  /** Settings of the session, as on the command line of `postgres`. */
  readonly options: string;
  /** 0: the default. */
  readonly timeoutMs: number;
  /** Absent: without TLS. */
  readonly tls?: PgTls;
}

export interface PgTls {
  /** `name`: the certificate and the host's name in it; `chain`: the certificate only. */
  readonly verifies: "name" | "chain" | "no";
  readonly caFile?: string;
  readonly certificateFile?: string;
  readonly keyFile?: string;
}
