import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { slice } from "../../support/cases";
import { killAt, momentsOf, together } from "./kill";
import type { StatePlace } from "./state-places";
import { synthesizeQuickstart } from "./synthesized";
import { NOTHING, Tenant } from "./tenant";

const quickstart = synthesizeQuickstart();
let opened = 0;

/** A console whose stack keeps its state in another place than its folder. */
export type RemoteTenant = Tenant & { readonly stateName: string };

/** Opens a new console with a separate state. */
export async function remoteTenant(place: StatePlace): Promise<RemoteTenant> {
  const tenant = await Tenant.open(quickstart);
  const stateName = `state_${++opened}`;
  const file = join(tenant.outDir, "stacks", "quickstart", "cdk.tf.json");
  const stack = JSON.parse(readFileSync(file, "utf8")) as { terraform: object };
  const terraform = { ...stack.terraform, backend: place.backend(stateName) };
  writeFileSync(file, JSON.stringify({ ...stack, terraform }));
  tenant.environment = { ...tenant.environment, ...place.environment };
  return Object.assign(tenant, { stateName });
}

/** Runs a command, which must print no error. */
export async function succeed(tenant: Tenant, command: string): Promise<void> {
  const { code, err } = await tenant.run(command);
  expect({ command, code, err }).toEqual({ command, code: 0, err: "" });
}

/** A run in this process is cheaper; it trusts the authorities of its start. */
function isInProcess({ environment }: Tenant): boolean {
  return environment.NODE_EXTRA_CA_CERTS === undefined;
}

async function run(tenant: Tenant, command: "apply" | "destroy"): Promise<void> {
  if (isInProcess(tenant)) expect((await tenant[command]()).errors).toEqual([]);
  else await succeed(tenant, `${command} --auto-approve`);
}

async function planIsEmpty(tenant: Tenant): Promise<void> {
  if (isInProcess(tenant)) expect(await tenant.plan()).toEqual(NOTHING);
  else await succeed(tenant, "plan --detailed-exitcode");
}

/** Removes the lock of a process that was killed, as the error of the next run says. */
async function unlock(tenant: Tenant): Promise<void> {
  const text = isInProcess(tenant)
    ? (await tenant.plan()).errors.join("\n")
    : (await tenant.run("plan")).err.replaceAll(/\s+/g, " ");
  const [, id] = /force-unlock ([\w-]+)/.exec(text) ?? [];
  if (id !== undefined) await succeed(tenant, `force-unlock --force ${id}`);
}

/**
 * Kills a command after writes to the console, every third or with LONG_TESTS each, and continues each
 * time on a new machine, which has only what was synthesized.
 */
export async function continuesAfterKills(
  place: StatePlace,
  command: "apply --auto-approve" | "destroy --auto-approve",
  effects: readonly ("before" | "after")[] = ["after"],
): Promise<void> {
  const prepare = async (tenant: Tenant) => {
    if (command.startsWith("destroy")) await run(tenant, "apply");
  };
  const open = () => remoteTenant(place);
  const all = await momentsOf(open, prepare, command);
  const moments = all.filter(({ effect }) => effects.includes(effect));
  await together(slice(moments, 3), async (moment) => {
    const tenant = await open();
    const before = tenant.policyNames;
    await prepare(tenant);
    await killAt(tenant, command, moment);
    for (const name of readdirSync(tenant.folder)) {
      if (name !== "cdktf.out") rmSync(join(tenant.folder, name), { recursive: true });
    }
    await unlock(tenant);
    await run(tenant, "apply");
    await planIsEmpty(tenant);
    await run(tenant, "destroy");
    expect(tenant.policyNames).toEqual(before);
    const stored = JSON.parse(await place.stored(tenant.stateName, "default")) as object;
    expect(stored).toMatchObject({ resources: [] });
    expect(readdirSync(tenant.folder)).toEqual(["cdktf.out"]);
    await tenant.close();
  });
}
