import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describeWithPostgres, Postgres } from "../support/postgres";
import { describeWithTerraform } from "../support/terraform";
import { TERRAFORM } from "./support/engines";
import { killAt, momentsOf, together } from "./support/kill";
import { synthesizeQuickstart } from "./support/synthesized";
import { NOTHING, Tenant } from "./support/tenant";

// States in PostgreSQL: both engines share them, and a run on another machine continues from them.

jest.setTimeout(600_000);

describeWithPostgres("states in PostgreSQL", () => {
  const quickstart = synthesizeQuickstart();
  let postgres: Postgres;
  beforeAll(async () => {
    postgres = await Postgres.open();
  });
  afterAll(() => postgres.close());

  let opened = 0;

  /** A new console whose stack keeps its state in a separate schema. */
  async function remote(): Promise<Tenant & { readonly schema: string }> {
    const tenant = await Tenant.open(quickstart);
    const schema = `states_${++opened}`;
    const file = join(tenant.outDir, "stacks", "quickstart", "cdk.tf.json");
    const stack = JSON.parse(readFileSync(file, "utf8")) as { terraform: object };
    const terraform = { ...stack.terraform, backend: postgres.backend(schema) };
    writeFileSync(file, JSON.stringify({ ...stack, terraform }));
    return Object.assign(tenant, { schema });
  }

  async function stored(schema: string, workspace = "default") {
    const [row] = await postgres.query<{ data: string }>(
      `SELECT data FROM ${schema}.states WHERE name = $1`,
      [workspace],
    );
    return JSON.parse(row?.data ?? "null") as { serial: number; resources: unknown[] } | null;
  }

  async function succeed(tenant: Tenant, command: string): Promise<string> {
    const { code, out, err } = await tenant.run(command);
    expect({ command, code, err }).toEqual({ command, code: 0, err: "" });
    return out;
  }

  test.each(["apply --auto-approve", "destroy --auto-approve"])(
    "a run on another machine continues after a kill of %s after any write, and no lock is left",
    async (command) => {
      const prepare = async (tenant: Tenant) => {
        if (command.startsWith("destroy")) expect((await tenant.apply()).errors).toEqual([]);
      };
      // Reads are killed with the backend http, by the same code.
      const all = await momentsOf(remote, prepare, command);
      const moments = all.filter(({ effect }) => effect === "after");
      await together(moments, async (moment) => {
        const tenant = await remote();
        const before = tenant.policyNames;
        await prepare(tenant);
        await killAt(tenant, command, moment);
        for (const name of readdirSync(tenant.folder)) {
          if (name !== "cdktf.out") rmSync(join(tenant.folder, name), { recursive: true });
        }
        expect((await tenant.apply()).errors).toEqual([]);
        expect(await tenant.plan()).toEqual(NOTHING);
        expect((await tenant.destroy()).errors).toEqual([]);
        expect(tenant.policyNames).toEqual(before);
        expect((await stored(tenant.schema))?.resources).toEqual([]);
        expect(readdirSync(tenant.folder)).toEqual(["cdktf.out"]);
        await tenant.close();
      });
    },
  );

  test("keeps a row for each workspace", async () => {
    const tenant = await remote();
    tenant.environment = { ...tenant.environment, TF_WORKSPACE: "blue" };
    await succeed(tenant, "apply --auto-approve");
    expect((await stored(tenant.schema, "blue"))?.resources).not.toEqual([]);
    expect(await stored(tenant.schema)).toBeNull();
    await tenant.close();
  });

  test("continues with its lock after the server has restarted", async () => {
    const own = await Postgres.open();
    const tenant = await remote();
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

  test("reports the holder of a lock, and ends it on force-unlock", async () => {
    const tenant = await remote();
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

  describeWithTerraform("one state for both engines", () => {
    test("each finds nothing to do after the other", async () => {
      const tenant = await remote();
      await succeed(tenant, "apply --auto-approve");
      await succeed(tenant, `plan --detailed-exitcode ${TERRAFORM}`);
      await succeed(tenant, `destroy --auto-approve ${TERRAFORM}`);
      await succeed(tenant, `apply --auto-approve ${TERRAFORM}`);
      await succeed(tenant, "plan --detailed-exitcode --engine embedded");
      await succeed(tenant, "destroy --auto-approve");
      expect((await stored(tenant.schema))?.resources).toEqual([]);
      await tenant.close();
    });

    test.each([
      ["embedded", "--engine embedded", TERRAFORM],
      ["terraform", TERRAFORM, "--engine embedded"],
    ])("a run of the %s engine excludes the other, also the first one", async (_, one, other) => {
      const tenant = await remote();
      const handle = tenant.console.handle.bind(tenant.console);
      const outcomes: { code: number | null; err: string }[] = [];
      let asked = false;
      tenant.console.handle = async (request) => {
        const isWrite = request.method !== "GET" && !request.path.includes("authenticate");
        if (isWrite && !asked) {
          asked = true;
          // The other engine reads the console before it is refused, if it does not lock first.
          outcomes.push(await tenant.run(`apply --auto-approve ${other}`));
        }
        return handle(request);
      };
      await succeed(tenant, `apply --auto-approve ${one}`);
      expect(outcomes).toHaveLength(1);
      expect(outcomes[0]?.code).toBe(1);
      expect(outcomes[0]?.err).toMatch(/State is locked|Error acquiring the state lock/);
      await succeed(tenant, "plan --detailed-exitcode");
      await tenant.close();
    });
  });
});
