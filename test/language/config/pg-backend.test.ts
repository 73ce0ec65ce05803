import { userInfo } from "node:os";
import { pgSettings, type PgBackendConfig } from "../../../src/language/config/pg-backend";

function read(settings: PgBackendConfig["settings"], environment: Record<string, string> = {}) {
  return pgSettings({ type: "pg", settings }, environment, "default", "/stack");
}

test("has Terraform's defaults", () => {
  const user = userInfo().username;
  expect(read({}).settings).toEqual({
    connection: {
      host: "localhost",
      port: 5432,
      database: user,
      user,
      options: "",
      timeoutMs: 0,
      tls: { verifies: "no" },
    },
    schema: "terraform_remote_state",
    table: "states",
    index: "states_by_name",
    creates: { schema: true, table: true, index: true },
    name: "default",
  });
});

test("completes the block with Terraform's variables and PostgreSQL's", () => {
  const environment = {
    PG_CONN_STR: "host=db user=ann",
    PG_SCHEMA_NAME: "teams",
    PG_SKIP_TABLE_CREATION: "true",
    PGUSER: "bob",
    PGPASSWORD: "s3cret",
    PGDATABASE: "states",
    PGCONNECT_TIMEOUT: "7",
  };
  expect(read({ skip_index_creation: true }, environment).settings).toMatchObject({
    connection: {
      host: "db",
      user: "ann",
      password: "s3cret",
      database: "states",
      timeoutMs: 7_000,
    },
    schema: "teams",
    creates: { schema: true, table: false, index: false },
  });
  const block = { conn_str: "host=other", schema_name: "mine" };
  expect(read(block, environment).settings).toMatchObject({
    connection: { host: "other", user: "bob" },
    schema: "mine",
  });
});

test.each<[string, object | undefined]>([
  ["sslmode=disable", undefined],
  ["sslmode=require", { verifies: "no" }],
  ["sslmode=require sslrootcert=ca.pem", { verifies: "chain", caFile: "/stack/ca.pem" }],
  ["sslmode=verify-ca", { verifies: "chain" }],
  ["sslmode=verify-full sslrootcert=/ca.pem", { verifies: "name", caFile: "/ca.pem" }],
  [
    "sslcert=me.pem sslkey=me.key",
    { verifies: "no", certificateFile: "/stack/me.pem", keyFile: "/stack/me.key" },
  ],
  ["host=/run/postgresql", undefined],
])("verifies certificates as lib/pq does with %s", (text, tls) => {
  expect(read({ conn_str: text }).settings?.connection.tls).toEqual(tls);
});

test("passes other parameters to the session", () => {
  const text = String.raw`options='-c jit=off' search_path='a b' statement_timeout=5`;
  expect(read({ conn_str: text }).settings?.connection.options).toBe(
    String.raw`-c jit=off -c search_path=a\ b -c statement_timeout=5`,
  );
});

test.each([
  ["no connection string", "s3cret", /neither a URL with postgres:\/\/ nor a list/],
  ["an unknown mode of TLS", "password=s3cret sslmode=prefer", /sslmode .* one of disable,/],
  ["a port that is no number", "password=s3cret port=x", /port/],
  ["a time-out that is no number", "password=s3cret connect_timeout=x", /connect_timeout/],
])("refuses %s, without showing it", (_, text, detail) => {
  const { settings, diagnostics } = read({ conn_str: text });
  expect(settings).toBeUndefined();
  expect(diagnostics).toMatchObject([
    { summary: "Invalid backend configuration", detail: expect.stringMatching(detail) as string },
  ]);
  expect(JSON.stringify(diagnostics)).not.toContain("s3cret");
});
