import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { backendOf } from "../../src/language/config/open-backend";
import type { PgBackendConfig } from "../../src/language/config/pg-backend";
import { parseAddress } from "../../src/core/documents/address";
import { setInstance } from "../../src/backends/state/instances";
import { emptyState, newInstance, type State } from "../../src/core/documents/state";
import { describeWithPostgres, Postgres } from "../support/postgres";
import { Bench } from "../runtime/engine/bench";
import { freshFolder } from "./folder";
import { checkpoint, created } from "./records";

const withInstance = (state: State, address: string) =>
  setInstance(state, parseAddress(address)!, "p", newInstance({ id: address }));

describeWithPostgres("a state in PostgreSQL", () => {
  let postgres: Postgres;
  beforeAll(async () => {
    postgres = await Postgres.open();
  });
  afterAll(() => postgres.close());

  let schemas = 0;
  const newSchema = () => `schema_${++schemas}`;

  function open(
    schema: string,
    {
      workspace = "default",
      ...settings
    }: PgBackendConfig["settings"] & { workspace?: string } = {},
  ) {
    const workingDirectory = freshFolder();
    const { backend, diagnostics } = backendOf(
      { type: "pg", settings: { ...postgres.backend(schema).pg, ...settings } },
      { directory: workingDirectory, workspace, environment: {}, workingDirectory },
    );
    expect(diagnostics).toEqual([]);
    return { backend: backend!, workingDirectory };
  }

  test("is none before its first write, for which nothing needs to exist", async () => {
    const { backend } = open(newSchema());
    expect(await backend.read()).toEqual({ state: undefined, interrupted: [], diagnostics: [] });
    const { lock } = await backend.lock({ operation: "apply" });
    expect(await backend.read()).toEqual({ state: undefined, interrupted: [], diagnostics: [] });
    const { state } = await backend.write(withInstance(emptyState(), "t_t.a"));
    expect(state).toMatchObject({ serial: 1 });
    expect(await lock!.release()).toEqual([]);
    expect((await backend.read()).state).toEqual(state);
  });

  test("has another text next to it, in another table", async () => {
    const schema = newSchema();
    const { backend } = open(schema, { workspace: "blue" });
    const text = backend.beside!("night-1/a.jsonl");
    expect(await text.get()).toBeUndefined();
    const { lock } = await backend.lock({ operation: "apply" });
    for (const lines of ["one\n", "one\ntwo\n"]) {
      await text.put(Buffer.from(lines));
      expect((await text.get())?.toString("utf8")).toBe(lines);
    }
    const rows = await postgres.query(`SELECT name FROM ${schema}.states`);
    expect(rows).toEqual([{ name: "blue" }]);
    await lock!.release();
  });

  test("is kept with the rights that the guide names in a table that exists", async () => {
    const schema = newSchema();
    const { lock: creating } = await open(schema).backend.lock({ operation: "apply" });
    await creating!.release();
    for (const statement of [
      "CREATE ROLE ci LOGIN PASSWORD 'ci'",
      `GRANT USAGE ON SCHEMA ${schema} TO ci`,
      `GRANT SELECT, INSERT, UPDATE, DELETE ON ${schema}.states TO ci`,
      "GRANT USAGE ON SEQUENCE public.global_states_id_seq TO ci",
    ]) {
      await postgres.query(statement);
    }
    const conn_str = postgres.url.replace(/\/\/.*@/, "//ci:ci@");
    const { backend } = open(schema, { workspace: "blue", conn_str });
    const { lock, diagnostics } = await backend.lock({ operation: "state migrate" });
    expect(diagnostics).toEqual([]);
    expect((await backend.read()).diagnostics).toEqual([]);
    expect((await backend.write(withInstance(emptyState(), "t_t.a"))).diagnostics).toEqual([]);
    await backend.read();
    expect((await backend.retire("a")).diagnostics).toEqual([]);
    expect(await lock!.release()).toEqual([]);
  });

  test("is in tables as Terraform creates them", async () => {
    const schema = newSchema();
    const { backend } = open(schema);
    const { lock } = await backend.lock({ operation: "apply" });
    await lock!.release();
    const columns = await postgres.query(
      `SELECT column_name AS name, data_type AS type, column_default AS value
       FROM information_schema.columns WHERE table_schema = $1 ORDER BY ordinal_position`,
      [schema],
    );
    expect(columns).toEqual([
      { name: "id", type: "bigint", value: "nextval('global_states_id_seq'::regclass)" },
      { name: "name", type: "text", value: null },
      { name: "data", type: "text", value: null },
    ]);
    const indexes = await postgres.query<{ indexname: string }>(
      "SELECT indexname FROM pg_indexes WHERE schemaname = $1 ORDER BY indexname",
      [schema],
    );
    expect(indexes.map(({ indexname }) => indexname)).toEqual([
      "states_by_name",
      "states_name_key",
      "states_pkey",
    ]);
  });

  test("locks out others of the same workspace until it is released", async () => {
    const schema = newSchema();
    const [one, other] = [open(schema).backend, open(schema).backend];
    const { lock } = await one.lock({ operation: "apply" });
    const { lock: none, diagnostics } = await other.lock({ operation: "plan" });
    expect(none).toBeUndefined();
    expect(diagnostics).toMatchObject([{ summary: "State is locked" }]);
    expect(diagnostics[0]?.detail).toMatch(
      /Operation: cdktf-console apply by .*ends with the connection/su,
    );
    const blue = await open(schema, { workspace: "blue" }).backend.lock({ operation: "plan" });
    expect(await blue.lock!.release()).toEqual([]);
    const waiting = other.lock({ operation: "plan", waitMs: 30_000 });
    await lock!.release();
    expect(await (await waiting).lock!.release()).toEqual([]);
  });

  test("lets the first runs of many states start together, over a few connections", async () => {
    const schema = newSchema();
    const names = Array.from({ length: 12 }, (_, index) => `tenant-${index}`);
    const locks = await Promise.all(
      names.map(async (workspace) => {
        const { lock, diagnostics } = await open(schema, { workspace }).backend.lock({
          operation: "apply",
        });
        expect(diagnostics).toEqual([]);
        return lock;
      }),
    );
    // A server has a hundred connections by default, and a run may have thousands of stacks.
    const [{ count } = { count: "" }] = await postgres.query<{ count: string }>(
      "SELECT count(*) FROM pg_stat_activity WHERE application_name LIKE 'cdktf-console%'",
    );
    expect(Number(count)).toBeLessThanOrEqual(4);
    for (const lock of locks) expect(await lock!.release()).toEqual([]);
  });

  test("stores a checkpoint at once and other records within seconds", async () => {
    const { backend } = open(newSchema());
    const { lock } = await backend.lock({ operation: "apply" });
    await backend.read();
    const { journal } = await backend.journal();
    await journal!.append(checkpoint("t_t.a"));
    expect((await backend.read()).state?.resources).toHaveLength(1);
    await journal!.append(created("t_t.b"));
    await journal!.close();
    await lock!.release();
  });

  test("keeps a state that another program has changed since it was read", async () => {
    const schema = newSchema();
    const { backend, workingDirectory } = open(schema);
    const { lock } = await backend.lock({ operation: "apply" });
    await backend.read();
    await postgres.query(`UPDATE ${schema}.states SET data = '{}'`);
    const { state, diagnostics } = await backend.write(withInstance(emptyState(), "t_t.a"));
    expect(state).toBeUndefined();
    expect(diagnostics[0]?.detail).toContain("another program changed or removed it since");
    const rescued = join(workingDirectory, "errored.tfstate");
    expect(diagnostics[0]?.detail).toContain(`state push ${rescued}`);
    expect(existsSync(rescued) && readFileSync(rescued, "utf8")).toContain("t_t");
    expect(await postgres.query(`SELECT data FROM ${schema}.states`)).toEqual([{ data: "{}" }]);
    await lock!.release();
  });

  test("reports a lost connection whose lock another run has taken", async () => {
    const schema = newSchema();
    const [one, other] = [open(schema).backend, open(schema).backend];
    await one.lock({ operation: "apply" });
    await one.read();
    const [{ pid }] = (await postgres.query<{ pid: number }>(
      "SELECT pid FROM pg_locks WHERE locktype = 'advisory'",
    )) as [{ pid: number }];
    expect(await other.forceUnlock(String(pid))).toEqual([]);
    const { lock } = await other.lock({ operation: "apply", waitMs: 30_000 });
    expect(lock).toBeDefined();
    const { diagnostics } = await one.write(withInstance(emptyState(), "t_t.a"));
    expect(diagnostics[0]?.detail).toMatch(/the connection was lost, and cdktf-console apply/u);
    await lock!.release();
  });

  test.each<[string, () => PgBackendConfig["settings"], RegExp]>([
    [
      "a wrong password",
      () => ({ conn_str: postgres.url.replace(postgres.password, "s3cret-wrong") }),
      /password authentication failed.*PGPASSWORD/su,
    ],
    [
      "a server without TLS",
      () => ({ conn_str: postgres.url.replace("?sslmode=disable", "") }),
      /does not support SSL.*sslmode=disable/su,
    ],
    [
      "a missing database",
      () => ({ conn_str: postgres.url.replace("/postgres?", "/none?") }),
      /"none" does not exist.*Create the database/su,
    ],
    [
      "a missing schema",
      () => ({ schema_name: "missing", skip_schema_creation: true }),
      /"missing" does not exist.*omit skip_schema_creation/su,
    ],
    [
      "a missing table",
      () => ({ schema_name: "public", skip_table_creation: true, skip_index_creation: true }),
      /"public\.states" does not exist.*omit skip_table_creation/su,
    ],
  ])("reports %s with what to do", async (_, settings, detail) => {
    const { lock, diagnostics } = await open(newSchema(), settings()).backend.lock({
      operation: "plan",
    });
    expect(lock).toBeUndefined();
    expect(diagnostics).toMatchObject([
      { summary: "State cannot be locked", detail: expect.stringMatching(detail) as string },
    ]);
    expect(JSON.stringify(diagnostics)).not.toContain("s3cret-wrong");
  });

  test("connects by a Unix socket", async () => {
    const { user, password } = { user: "ann", password: postgres.password };
    const conn_str = `host=${postgres.socketFolder} port=${postgres.port} user=${user} password=${password} dbname=postgres`;
    const { lock, diagnostics } = await open(newSchema(), { conn_str }).backend.lock({
      operation: "plan",
    });
    expect(diagnostics).toEqual([]);
    await lock!.release();
  });

  test("gives other stacks its outputs", async () => {
    const bench = await Bench.open();
    const { pg } = postgres.backend(newSchema());
    const up = { terraform: { backend: { pg } }, output: { name: { value: "given" } } };
    const down = {
      data: { terraform_remote_state: { up: { backend: "pg", config: pg } } },
      resource: { memory_thing: { d: { name: "${data.terraform_remote_state.up.outputs.name}" } } },
    };
    await bench.synth({ up, down }, { down: ["up"] });
    await bench.apply({ stacks: ["up"] });
    const { plan, problems } = await bench.planOnly({ stacks: ["down"] });
    expect({ plan, problems }).toMatchObject({ problems: [] });
    await bench.apply();
    const { plan: again } = await bench.planOnly();
    expect(again).toEqual([]);
    await bench.close();
  });
});
