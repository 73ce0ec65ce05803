import { slice } from "../support/cases";
import { killAt, momentsOf, together, type Moment } from "./support/kill";
import { policyStack } from "./support/stacks";
import { SIGNED_UP } from "./support/fleet";
import { Tenant } from "./support/tenant";

/* A run that is killed at any request goes back by its record, and so does its rollback. */

jest.setTimeout(300_000);

const APPLY = "apply --auto-approve --run-log run.jsonl";
const ROLLBACK = "apply --auto-approve --rollback run.jsonl";

/** A tenant whose policies an apply changes. */
async function open(): Promise<Tenant> {
  const tenant = await Tenant.open(policyStack(["a", "b"]), {
    signedUp: SIGNED_UP,
    licensed: true,
  });
  await tenant.run("apply --auto-approve");
  tenant.use(policyStack(["c", "a"]));
  return tenant;
}

const contentOf = (tenant: Tenant) => ({
  policies: tenant.console.policies().map((one) => ({ ...one, modified: "", owner: "" })),
  objects: (JSON.parse(tenant.state("main") ?? "{}") as { resources?: unknown }).resources,
});

async function expectBack(moment: Moment, run: (tenant: Tenant) => Promise<void>): Promise<void> {
  const tenant = await open();
  try {
    const before = contentOf(tenant);
    await run(tenant);
    const { code, err } = await tenant.run(ROLLBACK);
    expect({ moment, code, err }).toEqual({ moment, code: 0, err: "" });
    expect({ moment, ...contentOf(tenant) }).toEqual({ moment, ...before });
    expect((await tenant.plan()).changes).toEqual(["cwp_compliance_policy_set.policies update"]);
  } finally {
    await tenant.close();
  }
}

test("after a kill at every request of the run", async () => {
  const moments = await momentsOf(open, () => Promise.resolve(), APPLY);
  await together(slice(moments, 2), (moment) =>
    expectBack(moment, (tenant) => killAt(tenant, APPLY, moment)),
  );
});

test("after a kill at every request of the rollback", async () => {
  const applied = (tenant: Tenant) => tenant.run(APPLY);
  const moments = await momentsOf(open, applied, ROLLBACK);
  await together(slice(moments, 2), (moment) =>
    expectBack(moment, async (tenant) => {
      await applied(tenant);
      await killAt(tenant, ROLLBACK, moment);
    }),
  );
});
