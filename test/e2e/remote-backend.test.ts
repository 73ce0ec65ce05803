import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { StateServer } from "../support/state-server";
import { describeWithTerraform } from "../support/terraform";
import { TERRAFORM } from "./support/engines";
import { killAt, momentsOf, together } from "./support/kill";
import { synthesizeQuickstart } from "./support/synthesized";
import { NOTHING, Tenant } from "./support/tenant";

// States on a server: both engines share them, and a run on another machine continues from them.

const quickstart = synthesizeQuickstart();
let server: StateServer;
beforeEach(async () => {
  server = await StateServer.open();
});
afterEach(() => server.close());

let opened = 0;

/** A new console whose stack keeps its state on the server. */
async function remote(): Promise<Tenant & { readonly stateName: string }> {
  const tenant = await Tenant.open(quickstart);
  const stateName = `state-${++opened}`;
  const file = join(tenant.outDir, "stacks", "quickstart", "cdk.tf.json");
  const stack = JSON.parse(readFileSync(file, "utf8")) as { terraform: object };
  const terraform = { ...stack.terraform, backend: server.backend(stateName) };
  writeFileSync(file, JSON.stringify({ ...stack, terraform }));
  return Object.assign(tenant, { stateName });
}

/** Takes a new machine: only what was synthesized is there. The lock of the dead run is removed. */
async function moveToNewMachine(tenant: Tenant & { readonly stateName: string }): Promise<void> {
  for (const name of readdirSync(tenant.folder)) {
    if (name !== "cdktf.out") rmSync(join(tenant.folder, name), { recursive: true });
  }
  const id = server.lockedBy(tenant.stateName);
  if (id !== undefined) {
    const { code, err } = await tenant.run(`force-unlock --force ${id}`);
    expect({ code, err }).toEqual({ code: 0, err: "" });
  }
}

test.each(["apply --auto-approve", "destroy --auto-approve"])(
  "a run on another machine continues after a kill of %s at any request",
  async (command) => {
    const isApply = command.startsWith("apply");
    const prepare = async (tenant: Tenant) => {
      if (!isApply) expect((await tenant.apply()).errors).toEqual([]);
    };
    const moments = await momentsOf(remote, prepare, command);
    await together(moments, async (moment) => {
      const tenant = await remote();
      const before = tenant.policyNames;
      await prepare(tenant);
      await killAt(tenant, command, moment);
      await moveToNewMachine(tenant);
      expect((await tenant.apply()).errors).toEqual([]);
      expect(await tenant.plan()).toEqual(NOTHING);
      expect((await tenant.destroy()).errors).toEqual([]);
      expect(tenant.policyNames).toEqual(before);
      expect(server.json(tenant.stateName).resources).toEqual([]);
      expect(readdirSync(tenant.folder)).toEqual(["cdktf.out"]);
      await tenant.close();
    });
  },
);

describeWithTerraform("one state on a server for both engines", () => {
  test("each finds nothing to do after the other, and the state has the same bytes", async () => {
    const tenant = await remote();
    const clean = async (engine: string) => {
      const { code, err } = await tenant.run(`plan --detailed-exitcode ${engine}`);
      expect({ code, err }).toEqual({ code: 0, err: "" });
    };
    const run = async (command: string) => {
      const { code, err } = await tenant.run(command);
      expect({ code, err }).toEqual({ code: 0, err: "" });
    };
    await run("apply --auto-approve");
    await clean(TERRAFORM);
    await run(`destroy --auto-approve ${TERRAFORM}`);
    await run(`apply --auto-approve ${TERRAFORM}`);
    await clean("--engine embedded");
    await run("destroy --auto-approve");
    expect(server.json(tenant.stateName).resources).toEqual([]);
    await tenant.close();
  });

  test("each excludes the other", async () => {
    const tenant = await remote();
    // Its holder is described by our engine alone: Terraform 1.11 shows its own run instead.
    const lock = { ID: "11111111-2222-3333-4444-555555555555", Operation: "x", Who: "ann@build" };
    await fetch(server.url(tenant.stateName), { method: "LOCK", body: JSON.stringify(lock) });
    for (const engine of [TERRAFORM, "--engine embedded"]) {
      const { code, err } = await tenant.run(`plan ${engine}`);
      expect(code).toBe(1);
      expect(err).toMatch(/state lock|State is locked/);
      expect(err).toContain(lock.ID);
    }
    await tenant.close();
  });
});
