import { slice } from "../support/cases";
import { killAt, momentsOf, together } from "./support/kill";
import { synthesizeQuickstart } from "./support/synthesized";
import { NOTHING, Tenant } from "./support/tenant";

// Each test starts dozens of processes, next to other suites.
const quickstart = synthesizeQuickstart();
const POLICIES = ["No root in production", "Trusted images", "Hardened hosts", "Everything else"];

const NO_STATE = JSON.stringify({ resources: [] });

/** The files that a successful run removes. */
const LEFTOVERS = /\.lock$|\.journal$|^\./;

const fresh = () => Tenant.open(quickstart);

/** Expects the collections of a new console. Restored policies may have another owner. */
function asInstalled(tenant: Tenant, defaults: readonly object[]): void {
  expect(tenant.console.policies()).toEqual(
    defaults.map((policy) => ({
      ...policy,
      modified: expect.any(String) as string,
      owner: expect.stringMatching(/^(system|admin)$/) as string,
    })),
  );
  expect(tenant.console.collection("registry")).toEqual([]);
  expect(tenant.console.collection("serverlessAutoDeploy")).toEqual([]);
}

/** Expects the next run to converge and to remove its files, and destroy to restore the policies. */
async function converges(tenant: Tenant, defaults: readonly object[]): Promise<void> {
  expect((await tenant.apply()).errors).toEqual([]);
  expect(tenant.policyNames).toEqual(POLICIES);
  expect(await tenant.plan()).toEqual(NOTHING);
  expect(tenant.files().filter((name) => LEFTOVERS.test(name))).toEqual([]);
  await destroys(tenant, defaults);
}

async function destroys(tenant: Tenant, defaults: readonly object[]): Promise<void> {
  expect((await tenant.destroy()).errors).toEqual([]);
  asInstalled(tenant, defaults);
  expect(JSON.parse(tenant.state("quickstart") ?? NO_STATE)).toMatchObject({ resources: [] });
  expect(tenant.files().filter((name) => LEFTOVERS.test(name))).toEqual([]);
}

test("loses nothing when an apply is killed at any request", async () => {
  const moments = await momentsOf(fresh, () => Promise.resolve(), "apply --auto-approve");
  expect(moments.length).toBeGreaterThan(15);
  await together(slice(moments, 2), async (moment) => {
    const tenant = await fresh();
    const defaults = tenant.console.policies();
    await killAt(tenant, "apply --auto-approve", moment);
    await converges(tenant, defaults);
    await tenant.close();
  });
});

test("destroys everything directly after an apply that was killed at any write", async () => {
  const moments = await momentsOf(fresh, () => Promise.resolve(), "apply --auto-approve");
  await together(
    slice(
      moments.filter(({ effect }) => effect === "after"),
      2,
    ),
    async (moment) => {
      const tenant = await fresh();
      const defaults = tenant.console.policies();
      await killAt(tenant, "apply --auto-approve", moment);
      await destroys(tenant, defaults);
      expect((await tenant.apply()).errors).toEqual([]);
      expect(tenant.policyNames).toEqual(POLICIES);
      await tenant.close();
    },
  );
});

test("loses nothing when a destroy is killed at any request", async () => {
  const moments = await momentsOf(fresh, (tenant) => tenant.apply(), "destroy --auto-approve");
  expect(moments.length).toBeGreaterThan(12);
  await together(slice(moments, 2), async (moment) => {
    const tenant = await fresh();
    const defaults = tenant.console.policies();
    expect((await tenant.apply()).errors).toEqual([]);
    await killAt(tenant, "destroy --auto-approve", moment);
    await destroys(tenant, defaults);
    await tenant.close();
  });
});

test("loses nothing when an apply is killed repeatedly at random times", async () => {
  await together(
    Array.from({ length: 3 }, (_, index) => index),
    async () => {
      const tenant = await fresh();
      const defaults = tenant.console.policies();
      for (let kills = 0; kills < 5; kills++) {
        const running = tenant.start("apply --auto-approve");
        setTimeout(() => running.child.kill("SIGKILL"), 120 + Math.random() * 250);
        await running.ended;
      }
      await converges(tenant, defaults);
      await tenant.close();
    },
  );
});
