import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { isInShard } from "../../src/fleet/selection/shard";
import { startSimulator, type Simulator } from "../../src/simulator";
import { temporaryFolder } from "../cli/stack-files";
import { describeWithPostgres, Postgres } from "../support/postgres";
import { startCli } from "./support/bundle";

// Several processes share the work on many tenants, with their states in one PostgreSQL server.

jest.setTimeout(600_000);

const ROOT = join(__dirname, "../..");
const TENANTS = 20;
const SHARDS = [1, 2, 3, 4];
const SECRETS = {
  CONSOLE_PASSWORD: "correct-horse-battery",
  CONSOLE_LICENSE_KEY: "license-key-of-high-entropy",
};

/** A write to a console, and the server processes that had its tenant locked at that moment. */
interface Write {
  readonly tenant: string;
  readonly holders: readonly number[];
}

describeWithPostgres("four shards over PostgreSQL", () => {
  let postgres: Postgres;
  let simulator: Simulator;
  let directory: string;
  const writes: Write[] = [];
  /** Called at each write. */
  let wrote: (tenant: string) => Promise<void> | void = () => undefined;

  beforeAll(async () => {
    postgres = await Postgres.open();
    simulator = await startSimulator({ tenants: TENANTS });
    directory = temporaryFolder();
    for (const { name, console } of simulator.consoles) {
      const handle = console.handle.bind(console);
      console.handle = async (request) => {
        if (request.method !== "GET" && !request.path.endsWith("/authenticate")) {
          writes.push({ tenant: name, holders: await holdersOf(name) });
          await wrote(name);
        }
        return handle(request);
      };
    }
    const rows = simulator.consoles.map(({ name, url }) => `${name},${url}`);
    writeFileSync(join(directory, "tenants.csv"), ["name,url", ...rows, ""].join("\n"));
    const tsx = join(ROOT, "node_modules/tsx/dist/cli.mjs");
    await promisify(execFile)(process.execPath, [tsx, join(ROOT, "examples/tenants/main.ts")], {
      cwd: directory,
      env: {
        ...process.env,
        ...postgres.environment,
        CONSOLE_CA_FILE: simulator.caFile,
        CDKTF_OUTDIR: join(directory, "cdktf.out"),
      },
    });
  });
  afterAll(async () => {
    await simulator.close();
    await postgres.close();
  });

  const start = (command: string) =>
    startCli([...command.split(" "), "--out-dir", "cdktf.out"], {
      cwd: directory,
      environment: { ...SECRETS, ...postgres.environment },
    });

  async function holdersOf(tenant: string): Promise<readonly number[]> {
    const rows = await postgres.query<{ pid: number }>(
      `SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND granted
       AND (classid::bigint << 32 | objid::bigint) IN (SELECT id FROM "${tenant}".states)`,
    );
    return rows.map(({ pid }) => pid);
  }

  const namesOf = (shard: number) =>
    simulator.consoles
      .map(({ name }) => name)
      .filter((name) => isInShard(name, { index: shard, count: SHARDS.length }));

  const isDone = (tenant: string) =>
    simulator.consoles
      .find(({ name }) => name === tenant)
      ?.console.policies()
      .some(({ name }) => name === "No root in production") ?? false;

  test("finish when one of them is killed; the next run completes it", async () => {
    for (const shard of SHARDS) expect(namesOf(shard)).not.toEqual([]);
    const apply = (shard: number) => start(`apply --shard ${shard}/4 --auto-approve`);
    const shards = SHARDS.map(apply);
    let count = 0;
    let second: ReturnType<typeof start> | undefined;
    wrote = async (tenant) => {
      // A second process for a shard that runs already.
      if (namesOf(1).includes(tenant)) second ??= apply(1);
      if (!namesOf(2).includes(tenant) || ++count !== 3) return;
      shards[1]?.child.kill("SIGKILL");
      await shards[1]?.ended;
    };
    const ended = await Promise.all(shards.map((shard) => shard.ended));
    expect(ended.map(({ code, signal, err }) => ({ code, signal, err }))).toEqual(
      SHARDS.map((shard) => ({
        code: shard === 2 ? null : 0,
        signal: shard === 2 ? "SIGKILL" : null,
        err: "",
      })),
    );
    const refused = await second?.ended;
    // It is refused, or finds nothing to do if it came late.
    if (refused?.code !== 0) expect(refused?.err).toContain("State is locked");
    for (const shard of [1, 3, 4])
      expect(namesOf(shard).filter((name) => !isDone(name))).toEqual([]);
    expect(namesOf(2).every(isDone)).toBe(false);

    wrote = () => undefined;
    expect(await start("apply --auto-approve").ended).toMatchObject({ code: 0, err: "" });
    expect(simulator.consoles.filter(({ name }) => !isDone(name))).toEqual([]);
    expect(await start("plan --detailed-exitcode").ended).toMatchObject({ code: 0 });
  });

  test("never write to one tenant from two processes at a time", () => {
    expect(new Set(writes.map(({ tenant }) => tenant)).size).toBe(TENANTS);
    // A request that the killed process has sent may arrive after its locks are gone.
    const wrong = writes.filter(
      ({ tenant, holders }) =>
        holders.length > 1 || (holders.length === 0 && !namesOf(2).includes(tenant)),
    );
    expect(wrong).toEqual([]);
    for (const { name } of simulator.consoles) {
      const pids = writes.filter(({ tenant }) => tenant === name).flatMap(({ holders }) => holders);
      // Only the tenants of the killed process have a second one, which begins after the first.
      const turns = pids.filter((pid, at) => pid !== pids[at - 1]);
      expect(turns).toEqual([...new Set(pids)]);
      expect(turns.length).toBeLessThanOrEqual(namesOf(2).includes(name) ? 2 : 1);
    }
  });

  test("leave no locks", async () => {
    expect(await postgres.query("SELECT 1 FROM pg_locks WHERE locktype = 'advisory'")).toEqual([]);
  });
});
