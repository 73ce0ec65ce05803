import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { temporaryFolder, writeStacks } from "../cli/stack-files";
import { describeWithMoto, KEYS, Moto } from "../object-stores/moto";
import { describeWithTofu, TOFU } from "../opentofu/install";
import { describeWithTerraform } from "../support/terraform";
import { startCli } from "./support/bundle";
import { installNull, TERRAFORM } from "./support/engines";
import { killAt, momentsOf, together } from "./support/kill";
import { synthesizeQuickstart } from "./support/synthesized";
import { NOTHING, Tenant } from "./support/tenant";

// States in S3: all engines share them and exclude each other.

jest.setTimeout(600_000);

describeWithMoto("states in S3", () => {
  const quickstart = synthesizeQuickstart();
  let moto: Moto;
  beforeAll(async () => {
    moto = await Moto.open();
  });
  afterAll(() => moto.close());

  let opened = 0;

  /** A new console whose stack keeps its state in a separate object. */
  async function remote(): Promise<Tenant & { readonly key: string }> {
    const tenant = await Tenant.open(quickstart);
    const key = `teams/${++opened}.tfstate`;
    const file = join(tenant.outDir, "stacks", "quickstart", "cdk.tf.json");
    const stack = JSON.parse(readFileSync(file, "utf8")) as { terraform: object };
    const terraform = { ...stack.terraform, backend: moto.backend(key) };
    writeFileSync(file, JSON.stringify({ ...stack, terraform }));
    tenant.environment = { ...tenant.environment, ...KEYS };
    return Object.assign(tenant, { key });
  }

  async function succeed(tenant: Tenant, command: string): Promise<string> {
    const { code, out, err } = await tenant.run(command);
    expect({ command, code, err }).toEqual({ command, code: 0, err: "" });
    return out;
  }

  /** Removes the lock of a process that was killed. */
  async function unlock({ key }: { readonly key: string }, tenant: Tenant): Promise<void> {
    const lock = await moto.json(`${key}.tflock`);
    if (lock) await succeed(tenant, `force-unlock --force ${lock.ID}`);
  }

  test.each(["apply --auto-approve", "destroy --auto-approve"])(
    "a run on another machine continues after a kill of %s after any write",
    async (command) => {
      const prepare = async (tenant: Tenant) => {
        if (command.startsWith("destroy")) expect((await tenant.apply()).errors).toEqual([]);
      };
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
        await unlock(tenant, tenant);
        expect((await tenant.apply()).errors).toEqual([]);
        expect(await tenant.plan()).toEqual(NOTHING);
        expect((await tenant.destroy()).errors).toEqual([]);
        expect(tenant.policyNames).toEqual(before);
        expect((await moto.json(tenant.key))?.resources).toEqual([]);
        expect(await moto.text(`${tenant.key}.tflock`)).toBe("");
        expect(readdirSync(tenant.folder)).toEqual(["cdktf.out"]);
        await tenant.close();
      });
    },
  );

  test("an apply survives lost answers and broken connections", async () => {
    const tenant = await remote();
    let count = 0;
    // Every second request fails once, each in another way.
    const faults = ["unanswered", "lost", "broken", 503, "unanswered"] as const;
    moto.relay.fault = () => (++count % 2 === 0 ? faults[(count / 2) % faults.length] : undefined);
    await succeed(tenant, "apply --auto-approve");
    moto.relay.fault = () => undefined;
    await succeed(tenant, "plan --detailed-exitcode");
    expect(await moto.text(`${tenant.key}.tflock`)).toBe("");
    await tenant.close();
  });

  test("keeps a state for each workspace", async () => {
    const tenant = await remote();
    tenant.environment = { ...tenant.environment, TF_WORKSPACE: "blue" };
    await succeed(tenant, "apply --auto-approve");
    expect((await moto.json(`env:/blue/${tenant.key}`))?.resources).not.toEqual([]);
    expect(await moto.json(tenant.key)).toBeNull();
    await tenant.close();
  });

  test("is read by another stack, with the backend's own settings", async () => {
    const directory = temporaryFolder();
    const { s3 } = moto.backend("outputs.tfstate");
    const up = { terraform: { backend: { s3 } }, output: { name: { value: "blue" } } };
    const data = { terraform_remote_state: { up: { backend: "s3", config: s3 } } };
    const value = "${data.terraform_remote_state.up.outputs.name}";
    const down = { data, output: { copy: { value } } };
    writeStacks(directory, { up, down });
    const run = (line: string) =>
      startCli([...line.split(" "), "--out-dir", "cdktf.out"], {
        cwd: directory,
        environment: KEYS,
      }).ended;
    expect(await run("apply up --auto-approve")).toMatchObject({ code: 0, err: "" });
    const applied = await run("apply down --auto-approve");
    expect(applied).toMatchObject({ code: 0, err: "" });
    expect(applied.out).toContain('copy = "blue"');
  });

  describeWithTerraform("one state for both engines", () => {
    test.each(["default", "blue"])(
      "each finds nothing to do after the other in workspace %s",
      async (workspace) => {
        const tenant = await remote();
        tenant.environment = { ...tenant.environment, TF_WORKSPACE: workspace };
        await succeed(tenant, "apply --auto-approve");
        await succeed(tenant, `plan --detailed-exitcode ${TERRAFORM}`);
        await succeed(tenant, `destroy --auto-approve ${TERRAFORM}`);
        await succeed(tenant, `apply --auto-approve ${TERRAFORM}`);
        await succeed(tenant, "plan --detailed-exitcode --engine embedded");
        await succeed(tenant, "destroy --auto-approve");
        const key = workspace === "default" ? tenant.key : `env:/blue/${tenant.key}`;
        expect((await moto.json(key))?.resources).toEqual([]);
        await tenant.close();
      },
    );

    test.each([
      ["embedded", "--engine embedded", TERRAFORM],
      ["terraform", TERRAFORM, "--engine embedded"],
    ])("a run of the %s engine excludes the other", async (_, one, other) => {
      const tenant = await remote();
      const handle = tenant.console.handle.bind(tenant.console);
      const outcomes: { code: number | null; err: string }[] = [];
      let asked = false;
      tenant.console.handle = async (request) => {
        const isWrite = request.method !== "GET" && !request.path.includes("authenticate");
        if (isWrite && !asked) {
          asked = true;
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

    describeWithTofu("and OpenTofu", () => {
      let path: string | undefined;
      beforeAll(() => {
        path = process.env.PATH;
        process.env.PATH = [dirname(TOFU), path].join(delimiter);
      });
      afterAll(() => {
        process.env.PATH = path;
      });

      test("needs no initialization by hand in the folder of Terraform", async () => {
        const tenant = await remote();
        await installNull(tenant.outDir, "quickstart");
        await succeed(tenant, `apply --auto-approve ${TERRAFORM}`);
        for (const engine of ["--engine tofu", TERRAFORM, "--engine tofu"]) {
          await succeed(tenant, `plan --detailed-exitcode ${engine}`);
        }
        await succeed(tenant, "plan --detailed-exitcode");
        await tenant.close();
      });
    });
  });
});
