import { rmSync } from "node:fs";
import { CompliancePolicySet, RegistryScan } from "../../src";
import { RELEASES } from "../../src/api/release";
import type { SimulatorOptions } from "../../src/simulator";
import { hurriedClock } from "../support/hurried-clock";
import { everything, policyStack, REGISTRY_SECRETS } from "./support/stacks";
import { synthesizeQuickstart, synthesizeStack, type Synthesized } from "./support/synthesized";
import { NOTHING, Tenant } from "./support/tenant";

const quickstart = synthesizeQuickstart();

const ADMIN = { username: "admin", password: "correct-horse-battery" };
const SET_UP: SimulatorOptions = { signedUp: ADMIN, licensed: true };

let tenant: Tenant;
afterEach(() => tenant.close());

async function open(synthesized: Synthesized, options: SimulatorOptions = {}): Promise<void> {
  tenant = await Tenant.open(synthesized, { clock: hurriedClock(), ...options });
  Object.assign(tenant.environment, REGISTRY_SECRETS);
}

async function applied(): Promise<void> {
  expect((await tenant.apply()).errors).toEqual([]);
}

/**
 * Expects an empty second plan, whose apply sends no request with an effect. Both may only warn
 * about changes of other releases.
 */
async function settled(): Promise<void> {
  tenant.requests();
  const announced = expect.not.arrayContaining([expect.stringMatching(/^(?!.*\(section 9)/)]) as [];
  expect(await tenant.plan()).toEqual({ ...NOTHING, warnings: announced });
  expect(await tenant.apply()).toEqual({ ...NOTHING, warnings: announced });
  expect(tenant.writes()).toEqual([]);
}

describe("a second plan is empty", () => {
  test.each(RELEASES)("with every optional attribute set, in release %s", async (release) => {
    await open(everything(release), { release });
    await applied();
    const state = tenant.state("prod");
    await settled();
    expect(tenant.state("prod")).toBe(state);
  });

  test("of the quickstart, in the order of the console", async () => {
    await open(quickstart);
    await applied();
    await settled();
    expect(tenant.policyNames).toEqual([
      "No root in production",
      "Trusted images",
      "Hardened hosts",
      "Everything else",
    ]);
  });

  test.each(["exclusive", "prefix", "suffix"] as const)("with %s ownership", async (ownership) => {
    await open(policyStack(["B", "A"], { ownership }), SET_UP);
    await applied();
    await settled();
  });

  test("with shared registries, after unmanaged ones were added, removed and reordered", async () => {
    const mine = { registry: "mine", repository: "*", tag: "*" };
    const theirs = { registry: "theirs", repository: "*", tag: "*", cap: 7 };
    const stack = synthesizeStack((scope) => {
      new RegistryScan(scope, "registries", {
        ownership: "shared",
        specifications: [mine, { ...mine, tag: "v*", cap: 3 }],
      });
    });
    await open(stack, SET_UP);
    await tenant.console.edit({ registry: [theirs] });
    await applied();
    await settled();
    const registry = tenant.console.collection("registry");
    await tenant.console.load({ registry: [...registry].reverse() });
    await settled();
    await tenant.console.edit({
      registry: registry.filter((one) => one.registry !== "theirs"),
    });
    await settled();
  });
});

describe("changes by the server are not planned", () => {
  test("default and unknown members", async () => {
    await open(policyStack(["A", "B"]), SET_UP);
    await applied();
    await tenant.console.load({
      policies: tenant.console.policies().map((policy, index) => ({
        notes: `note ${index}`,
        ...policy,
        modified: "2031-01-01T00:00:00Z",
        owner: "somebody",
        collections: [{ name: "All", members: ["*"] }],
      })),
    });
    await settled();
  });

  test("another order of lists and objects without order", async () => {
    await open(everything("20.12"));
    await applied();
    const { data } = tenant.console;
    const reversed = (document: object) =>
      Object.fromEntries(Object.entries(document).reverse()) as Record<string, unknown>;
    await tenant.console.load({
      policies: data.collections.policies.map((policy) => {
        const { resources, condition, ...rest } = policy as {
          resources: Record<string, string[]>;
          condition: { vulnerabilities: object[] };
        };
        const lists = Object.entries(resources).map(([name, list]) => [name, [...list].reverse()]);
        const vulnerabilities = [...condition.vulnerabilities].reverse().map(reversed);
        return {
          ...reversed(rest),
          condition: { ...condition, vulnerabilities },
          resources: Object.fromEntries(lists) as object,
        };
      }),
      registry: data.collections.registry.map(reversed).reverse(),
      serverlessAutoDeploy: data.collections.serverlessAutoDeploy.map(reversed).reverse(),
    });
    await settled();
  });

  test("another order of scopes, checks, registries and runtimes in the configuration", async () => {
    const policies = (hosts: string[], checks: Record<string, boolean>) =>
      synthesizeStack((stack) => {
        new CompliancePolicySet(stack, "policies", {
          policies: [{ name: "A", resources: { hosts }, checks }],
        });
      });
    await open(policies(["a", "b"], { 1: true, 20: false }), SET_UP);
    await applied();
    tenant.use(policies(["b", "a", "b"], { 20: false, 1: true }));
    await settled();
  });
});

describe("a console that is already configured", () => {
  test("converges when the state is lost, even repeatedly", async () => {
    await open(quickstart);
    await applied();
    const policies = tenant.console.policies();
    for (let round = 0; round < 2; round++) {
      for (const file of tenant.files()) rmSync(`${tenant.folder}/${file}`);
      await applied();
      expect(tenant.console.policies()).toEqual(policies);
      expect(tenant.console.requests.map(({ path, status }) => `${path} ${status}`)).toContain(
        "/api/v1/signup 400",
      );
      tenant.requests();
      const { warnings, ...plan } = await tenant.plan();
      expect({ ...plan, warnings: [] }).toEqual(NOTHING);
      // A destroy cannot restore the content that the lost state had.
      expect(warnings).toHaveLength(3);
      for (const one of warnings) expect(one).toContain("before the first apply are unknown");
    }
  });

  test.each(["prefix", "suffix"] as const)(
    "converges when the state of a set with %s ownership is lost",
    async (ownership) => {
      await open(policyStack(["A", "B"], { ownership }), SET_UP);
      await tenant.console.edit({
        policies: [{ name: "Theirs", notes: "keep" }, ...tenant.console.policies()],
      });
      await applied();
      const policies = tenant.console.policies();
      for (const file of tenant.files()) rmSync(`${tenant.folder}/${file}`);
      await applied();
      expect(tenant.console.policies()).toEqual(policies);
      await settled();
    },
  );

  test("is set up again after a reinstallation, with its user", async () => {
    await open(quickstart);
    await applied();
    const policies = tenant.policyNames;
    await tenant.console.reset();
    await tenant.console.addUser("admin", "correct-horse-battery");
    expect((await tenant.plan()).changes).toEqual([
      "cwp_compliance_policy_set.policies create",
      "cwp_license.license create",
      "cwp_registry_scan.registries create",
      "cwp_serverless_auto_deploy.functions create",
    ]);
    await applied();
    expect(tenant.policyNames).toEqual(policies);
    await settled();
  });

  test("updates a rotated license in place, without changes of the gate and its dependents", async () => {
    await open(quickstart);
    await applied();
    const before = tenant.console.data.license;
    tenant.environment = { ...tenant.environment, CONSOLE_LICENSE_KEY: "another-key" };
    const { changes } = await tenant.plan();
    expect(changes).toEqual(["cwp_license.license update"]);
    tenant.requests();
    expect((await tenant.apply()).changes).toEqual(changes);
    expect(tenant.writes()).toEqual(["POST /api/v1/settings/license"]);
    expect(tenant.console.data.license).not.toEqual(before);
    expect(await tenant.plan()).toEqual(NOTHING);
  });

  test("keeps everything after a restart with its data", async () => {
    await open(quickstart);
    const dataDir = `${tenant.folder}/data`;
    await tenant.restart({ dataDir });
    await applied();
    const policies = tenant.console.policies();
    await tenant.restart({ dataDir });
    expect(tenant.console.policies()).toEqual(policies);
    expect(await tenant.plan()).toEqual(NOTHING);
    await applied();
    expect(tenant.writes()).toEqual([]);
  });
});
