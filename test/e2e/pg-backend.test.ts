import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describeWithPostgres, Postgres } from "../support/postgres";
import { temporaryFolder, writeStacks } from "../cli/stack-files";
import { startCli } from "./support/bundle";
import { continuesAfterKills, remoteTenant, succeed } from "./support/remote-tenant";
import { pgPlace } from "./support/state-places";
import { NOTHING } from "./support/tenant";

// States in PostgreSQL: a run on another machine continues from them.

jest.setTimeout(600_000);

describeWithPostgres("states in PostgreSQL", () => {
  let postgres: Postgres;
  beforeAll(async () => {
    postgres = await Postgres.open();
  });
  afterAll(() => postgres.close());

  const place = () => pgPlace(postgres);

  test.each(["apply --auto-approve", "destroy --auto-approve"] as const)(
    "a run on another machine continues after a kill of %s after any write, and no lock is left",
    // Reads are killed with the backend http, by the same code.
    (command) => continuesAfterKills(place(), command),
  );

  test("continues with its lock after the server has restarted", async () => {
    const own = await Postgres.open();
    const tenant = await remoteTenant(place());
    const file = join(tenant.outDir, "stacks", "quickstart", "cdk.tf.json");
    const text = readFileSync(file, "utf8");
    writeFileSync(file, text.replaceAll(JSON.stringify(postgres.url), JSON.stringify(own.url)));
    const handle = tenant.console.handle.bind(tenant.console);
    let restarted = false;
    tenant.console.handle = async (request) => {
      const response = await handle(request);
      if (!restarted && request.method === "PUT") {
        restarted = true;
        await own.restart();
      }
      return response;
    };
    expect((await tenant.apply()).errors).toEqual([]);
    expect(restarted).toBe(true);
    expect(await tenant.plan()).toEqual(NOTHING);
    await tenant.close();
    await own.close();
  });

  test("terraform reads a workspace that does not exist yet after another spelling of the address", async () => {
    const directory = temporaryFolder();
    const write = (address: string) => {
      const backend = { pg: { conn_str: address, schema_name: "spelled" } };
      const resource = { terraform_data: { gate: { input: "open" } } };
      return writeStacks(directory, { a: { resource, terraform: { backend } } });
    };
    const outDir = write(postgres.url);
    const done = (command: string, workspace: string) =>
      startCli([...command.split(" "), "--engine", "terraform", "--out-dir", outDir], {
        cwd: directory,
        environment: { TF_WORKSPACE: workspace },
      }).ended;
    expect(await done("apply --auto-approve", "stage")).toMatchObject({ code: 0, err: "" });
    write(`${postgres.url}${postgres.url.includes("?") ? "&" : "?"}connect_timeout=20`);
    expect(await done("state list", "later")).toMatchObject({ code: 0, out: "", err: "" });
    expect((await done("state list", "stage")).out).toBe("terraform_data.gate\n");
  });

  test("reports the holder of a lock, and ends it on force-unlock", async () => {
    const tenant = await remoteTenant(place());
    await succeed(tenant, "apply --auto-approve");
    const handle = tenant.console.handle.bind(tenant.console);
    let arrived: () => void = () => undefined;
    const waiting = new Promise<void>((resolve) => {
      arrived = resolve;
    });
    let release: () => void = () => undefined;
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    tenant.console.handle = async (request) => {
      arrived();
      await released;
      return handle(request);
    };
    const first = tenant.start("plan");
    await waiting;
    const { code, err } = await tenant.run("plan");
    expect(code).toBe(1);
    expect(err).toContain("Error: State is locked");
    expect(err).toContain("Operation: cdktf-console plan by ");
    const [, pid] = /force-unlock (\d+)/.exec(err.replaceAll("\n", " ")) ?? [];
    const wrong = await tenant.run("force-unlock --force 1");
    expect(wrong.code).toBe(1);
    expect(wrong.err).toContain("no server process 1 holds its lock");
    await succeed(tenant, `force-unlock --force ${pid ?? ""}`);
    release();
    expect((await first.ended).code).toBe(0);
    await tenant.close();
  });
});
