import { CompliancePolicySet, RegistryScan } from "../../src";
import { synthesizeStack } from "./support/synthesized";
import { NOTHING, Tenant } from "./support/tenant";

const POLICIES = [{ name: "First", checks: { 41: true } }];
const SET = "cwp_compliance_policy_set";
const SET_UP = {
  signedUp: { username: "admin", password: "correct-horse-battery" },
  licensed: true,
};

const named = (id: string) =>
  synthesizeStack((stack) => {
    new CompliancePolicySet(stack, id, { policies: POLICIES });
  });

let tenant: Tenant;
beforeEach(async () => {
  tenant = await Tenant.open(named("before"), SET_UP);
});
afterEach(() => tenant.close());

const listed = async () => (await tenant.run("state list")).out;

describe("a construct with a new ID", () => {
  beforeEach(async () => {
    expect((await tenant.apply()).errors).toEqual([]);
    tenant.requests();
  });

  test("is moved by moveFromId without writing to the console", async () => {
    tenant.use(
      synthesizeStack((stack) => {
        const set = new CompliancePolicySet(stack, "after", { policies: POLICIES });
        set.moveFromId(`${SET}.before`);
      }),
    );
    const planned = await tenant.run("plan --detailed-exitcode");
    expect(planned).toMatchObject({ code: 2, err: "" });
    expect(planned.out).toContain(`\n  # ${SET}.before has moved to ${SET}.after\n`);
    expect(planned.out).toContain("\nPlan: 0 to add, 0 to change, 0 to destroy.\n");
    expect((await tenant.run("apply --auto-approve")).code).toBe(0);
    expect(await listed()).toBe(`${SET}.after\n`);
    expect(tenant.writes()).toEqual([]);
    expect(await tenant.plan()).toEqual(NOTHING);
  });

  test("is moved by addMoveTarget and moveTo", async () => {
    tenant.use(
      synthesizeStack((stack) => {
        new CompliancePolicySet(stack, "after", { policies: POLICIES }).addMoveTarget("set");
        new CompliancePolicySet(stack, "before", { policies: POLICIES }).moveTo("set");
      }),
    );
    expect(await tenant.apply()).toEqual(NOTHING);
    expect(await listed()).toBe(`${SET}.after\n`);
  });

  test("is forgotten by a removed block, with a warning, and stays on the console", async () => {
    tenant.use(
      synthesizeStack((stack) => {
        const removed = [{ from: `${SET}.before`, lifecycle: { destroy: false } }];
        stack.addOverride("removed", removed);
      }),
    );
    const { code, out } = await tenant.run("apply --auto-approve");
    expect(code).toBe(0);
    expect(out).toContain(
      `\n # ${SET}.before will no longer be managed by the stack, but will not be destroyed\n` +
        " # (destroy = false is set in the configuration)\n" +
        ` . resource "${SET}" "before" {\n`,
    );
    expect(out).toContain("\nWarning: Some objects will no longer be managed by Terraform\n");
    expect(await listed()).toBe("");
    expect(tenant.writes()).toEqual([]);
    expect(tenant.policyNames).toEqual(["First"]);
  });
});

test("importFrom imports existing objects as planned", async () => {
  await tenant.console.edit({ policies: [{ name: "By hand", condition: {} }] }, "somebody");
  tenant.use(
    synthesizeStack((stack) => {
      const policies = [{ name: "By hand", checks: {} }];
      new CompliancePolicySet(stack, "policies", { policies }).importFrom("container");
      new RegistryScan(stack, "registries", {
        specifications: [{ registry: "", repository: "library/*", tag: "*" }],
      }).importFrom("registry");
    }),
  );
  tenant.requests();
  const planned = await tenant.run("plan");
  expect(planned.err).toBe("");
  expect(planned.out).toContain(`${SET}.policies: Preparing import... [id=container]\n`);
  expect(planned.out).toContain(`\n  # ${SET}.policies will be imported\n`);
  expect(planned.out).toContain(
    "\n  # cwp_registry_scan.registries will be updated in-place\n" +
      '  # (imported from "registry")\n',
  );
  expect(planned.out).toContain(
    "\nPlan: 2 to import, 0 to add, 1 to change, 0 to destroy. Protection: 1 stronger.\n",
  );
  expect(tenant.writes()).toEqual([]);
  expect(await listed()).toBe("");

  const applied = await tenant.run("apply --auto-approve");
  expect(applied.out).toContain(`${SET}.policies: Import complete [id=container]\n`);
  expect(applied.out).toContain(
    "Apply complete! Resources: 2 imported, 0 added, 1 changed, 0 destroyed.",
  );
  expect(tenant.writes()).toEqual(["PUT /api/v1/settings/registry"]);
  expect(await tenant.plan()).toEqual(NOTHING);
});
