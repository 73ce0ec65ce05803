import type { TerraformStack } from "cdktf";
import {
  CompliancePolicySet,
  ContainerScan,
  RegistryScan,
  type CompliancePolicySetPolicy,
} from "../../src";
import { hurriedClock } from "../support/hurried-clock";
import { synthesizeStack } from "./support/synthesized";
import { NOTHING, Tenant } from "./support/tenant";

const SCAN = "GET /api/v1/containers/scan";
const signedUp = { username: "admin", password: "correct-horse-battery" };

let tenant: Tenant;
afterEach(() => tenant.close());

/** Policies, a registry with this cap, and a scan that depends on the policies. */
function stackOf(policies: CompliancePolicySetPolicy[], cap: number, timeout = 60) {
  return synthesizeStack((stack: TerraformStack) => {
    const set = new CompliancePolicySet(stack, "policies", { policies });
    new RegistryScan(stack, "registries", {
      specifications: [{ registry: "r.example.com", repository: "*", tag: "*", cap }],
    });
    new ContainerScan(stack, "scan", {
      triggers: { policies: set.contentSha256 },
      timeout,
      pollInterval: 0.01,
    });
  });
}

const policy = (name: string, block = true) => ({ name, checks: { 41: block } });
const scans = () => tenant.requests().filter((request) => request === SCAN).length;

test("scans only when the policies change", async () => {
  const clock = hurriedClock();
  tenant = await Tenant.open(stackOf([policy("A"), policy("B")], 5), {
    signedUp,
    licensed: true,
    clock,
  });
  expect((await tenant.apply()).errors).toEqual([]);
  expect(scans()).toBe(1);
  expect(await tenant.plan()).toEqual(NOTHING);

  // Another change, and another timeout.
  tenant.use(stackOf([policy("A"), policy("B")], 9, 90));
  expect([...(await tenant.apply()).changes].sort()).toEqual([
    "cwp_container_scan.scan update",
    "cwp_registry_scan.registries update",
  ]);
  expect(scans()).toBe(0);

  for (const policies of [
    [policy("A"), policy("B", false)],
    [policy("B", false), policy("A")],
    [policy("A")],
  ]) {
    tenant.use(stackOf(policies, 9, 90));
    const { changes, errors } = await tenant.apply();
    expect(errors).toEqual([]);
    expect([...changes].sort()).toEqual([
      "cwp_compliance_policy_set.policies update",
      "cwp_container_scan.scan delete-then-create",
    ]);
    // The scan follows the policies, because it uses them.
    const order = tenant.requests().filter((one) => one === SCAN || one.startsWith("PUT"));
    expect(order).toEqual(["PUT /api/v1/policies/compliance/container", SCAN]);
    expect(await tenant.plan()).toEqual(NOTHING);
    expect(scans()).toBe(0);
  }

  // Reverting drift of the policies does not change the triggers.
  await tenant.console.edit({ policies: [] });
  expect((await tenant.apply()).changes).toEqual(["cwp_compliance_policy_set.policies update"]);
  expect(scans()).toBe(0);
});

test("shows progress on the command line, stops after two interrupts, and scans in the next run", async () => {
  // With the system clock a scan takes 25 seconds.
  tenant = await Tenant.open(stackOf([policy("A")], 5), { signedUp, licensed: true });
  const running = tenant.start("apply --auto-approve");
  await running.printed("containers scanned");
  running.child.kill("SIGINT");
  await running.printed("Interrupted.");
  running.child.kill("SIGINT");
  const { code, out } = await running.ended;
  expect(code).toBe(130);
  expect(out).toMatch(
    /cwp_container_scan\.scan: Still creating\.\.\. \[\d+s elapsed, \d+ of \d+ containers scanned\]/,
  );
  expect(scans()).toBe(1);

  await tenant.restart({ signedUp, licensed: true, clock: hurriedClock() });
  expect((await tenant.apply()).errors).toEqual([]);
  expect(await tenant.plan()).toEqual(NOTHING);
});
