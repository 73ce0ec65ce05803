import { Fn, TerraformOutput, TerraformStack, TerraformVariable } from "cdktf";
import { CompliancePolicySet, ConsoleProvider, RegistryScan, Secret } from "../../src";
import { startSimulator, type Simulator } from "../../src/simulator";
import { addSetup } from "./support/stacks";
import { addConsole, synthesize } from "./support/synthesized";
import { NOTHING, Tenant } from "./support/tenant";

const SET_UP = {
  signedUp: { username: "admin", password: "correct-horse-battery" },
  licensed: true,
};

let tenant: Tenant;
afterEach(() => tenant.close());

const outputsOf = (stack: string) =>
  Object.fromEntries(
    Object.entries(
      (JSON.parse(tenant.state(stack) ?? "") as { outputs: Record<string, { value: unknown }> })
        .outputs,
    ).map(([name, { value }]) => [name, value]),
  );

describe("two stacks, one of which uses outputs of the other", () => {
  const app = (name: string) =>
    synthesize((scope) => {
      const base = new TerraformStack(scope, "base");
      addConsole(base);
      addSetup(base);
      const policies = new CompliancePolicySet(base, "policies", {
        policies: [{ name, checks: { 41: true } }],
      });
      new TerraformOutput(base, "policies_sha", { value: policies.contentSha256 });
      new TerraformOutput(base, "in_position", { value: policies.inPosition });

      const above = new TerraformStack(scope, "above");
      addConsole(above);
      new RegistryScan(above, "registries", {
        specifications: [
          { registry: "r", repository: "*", tag: Fn.substr(policies.contentSha256, 0, 8) },
        ],
      });
      new TerraformOutput(above, "sha", { value: policies.contentSha256, sensitive: true });
    });
  const tag = () => tenant.console.collection("registry")[0]?.tag;

  test("are planned and applied together, even on a new console", async () => {
    tenant = await Tenant.open(app("A"));
    const planned = await tenant.plan();
    expect(planned.errors).toEqual([]);
    expect(planned.changes).toContain("cwp_registry_scan.registries create");
    expect((await tenant.apply()).errors).toEqual([]);
    const { policies_sha: sha, in_position: inPosition } = outputsOf("base");
    expect(sha).toMatch(/^[0-9a-f]{64}$/);
    expect(inPosition).toBe(true);
    expect(outputsOf("above").sha).toBe(sha);
    expect(tag()).toBe(String(sha).slice(0, 8));
    expect(await tenant.plan()).toEqual(NOTHING);
    expect(await tenant.plan({ stacks: ["above"] })).toEqual(NOTHING);
  });

  test("plan a change of the first in the second", async () => {
    tenant = await Tenant.open(app("A"));
    await tenant.apply();
    const before = tag();
    tenant.use(app("B"));
    const { changes } = await tenant.plan();
    expect(changes).toEqual(
      expect.arrayContaining([
        "cwp_compliance_policy_set.policies update",
        "cwp_registry_scan.registries update",
        "output.policies_sha update",
      ]),
    );
    expect((await tenant.apply()).changes).toEqual(changes);
    expect(tag()).not.toBe(before);
    expect(await tenant.plan()).toEqual(NOTHING);
    expect((await tenant.destroy()).errors).toEqual([]);
    expect(tenant.console.collection("registry")).toEqual([]);
  });

  test("do not start the second if the first fails", async () => {
    tenant = await Tenant.open(app("A"));
    tenant.console.faults.add({
      target: "putCompliancePolicies",
      outcome: { kind: "status", status: 400 },
      times: 1,
    });
    expect((await tenant.apply()).errors.join()).toContain("400");
    expect(tenant.writes()).not.toContain("PUT /api/v1/settings/registry");
    expect((await tenant.apply()).errors).toEqual([]);
    expect(await tenant.plan()).toEqual(NOTHING);
  });
});

describe("two states that manage one collection of one console", () => {
  const app = (top: string, bottom: string) =>
    synthesize((scope) => {
      for (const [id, ownership, name] of [
        ["top", "prefix", top],
        ["bottom", "suffix", bottom],
      ] as const) {
        const stack = new TerraformStack(scope, id);
        addConsole(stack);
        const policies = [{ name, checks: { 41: true } }];
        new CompliancePolicySet(stack, "policies", { ownership, policies });
      }
    });
  const DEFAULTS = ["Default - ignore own components", "Default - alert on critical and high"];

  test("write one after the other in one process without losing policies", async () => {
    tenant = await Tenant.open(app("Top", "Bottom"), SET_UP);
    expect((await tenant.apply()).errors).toEqual([]);
    expect(tenant.policyNames).toEqual(["Top", ...DEFAULTS, "Bottom"]);
    expect(await tenant.plan()).toEqual(NOTHING);
  });

  test("refuse an update that was planned before the other's write, and complete it in the next run", async () => {
    tenant = await Tenant.open(app("Top", "Bottom"), SET_UP);
    await tenant.apply();
    tenant.use(app("Top 2", "Bottom 2"));
    const { errors } = await tenant.apply();
    expect(errors).toHaveLength(1);
    expect(errors.join()).toContain("changed since the plan was made");
    expect(tenant.policyNames).toHaveLength(4);
    expect((await tenant.apply()).errors).toEqual([]);
    expect(tenant.policyNames).toEqual(["Top 2", ...DEFAULTS, "Bottom 2"]);
    expect(await tenant.plan()).toEqual(NOTHING);
  });

  test("complete or refuse in two processes at once, and converge in the next runs", async () => {
    tenant = await Tenant.open(app("Top", "Bottom"), SET_UP);
    tenant.console.faults.add({ target: "putCompliancePolicies", delay: 50 });
    const commands = ["apply top --auto-approve", "apply bottom --auto-approve"];
    await Promise.all(commands.map((command) => tenant.run(command)));
    expect((await tenant.apply()).errors).toEqual([]);
    expect(tenant.policyNames).toEqual(["Top", ...DEFAULTS, "Bottom"]);
    expect(await tenant.plan()).toEqual(NOTHING);
  });
});

describe("several consoles in one stack", () => {
  let east: Simulator;
  beforeEach(async () => {
    east = await startSimulator(SET_UP);
  });
  afterEach(() => east.close());

  test("by alias, each with its own credentials, count and for_each", async () => {
    const synthesized = synthesize((app) => {
      const stack = new TerraformStack(app, "prod");
      const home = addConsole(stack);
      const aliased = new ConsoleProvider(stack, "east", {
        alias: "east",
        baseUrl: east.consoles[0].url,
        caCertificateFile: east.caFile,
        username: "admin",
        password: Secret.fromEnv("EAST_PASSWORD"),
      });
      new TerraformVariable(stack, "teams", { type: "set(string)", default: ["red", "blue"] });
      for (const [id, provider] of [
        ["home", home],
        ["away", aliased],
      ] as const) {
        const policies = new CompliancePolicySet(stack, id, {
          provider,
          policies: [{ name: `${id} policy`, checks: { 41: true } }],
        });
        policies.addOverride("count", 1);
      }
      const registries = new RegistryScan(stack, "registries", {
        provider: aliased,
        ownership: "shared",
        specifications: [{ registry: "${each.key}", repository: "*", tag: "*" }],
      });
      registries.addOverride("for_each", "${var.teams}");
      new TerraformOutput(stack, "names", {
        value: "${[for key, set in cwp_registry_scan.registries : key]}",
      });
    });
    tenant = await Tenant.open(synthesized, SET_UP);
    const EAST_PASSWORD = SET_UP.signedUp.password;
    tenant.environment = { ...tenant.environment, EAST_PASSWORD };
    const { changes, errors } = await tenant.apply();
    expect(errors).toEqual([]);
    expect(changes).toEqual([
      "cwp_compliance_policy_set.away[0] create",
      "cwp_compliance_policy_set.home[0] create",
      'cwp_registry_scan.registries["blue"] create',
      'cwp_registry_scan.registries["red"] create',
      "output.names create",
    ]);
    const [{ console: away }] = east.consoles;
    expect(tenant.policyNames).toEqual(["home policy"]);
    expect(away.policies().map(({ name }) => name)).toEqual(["away policy"]);
    expect(tenant.console.collection("registry")).toEqual([]);
    expect(
      away
        .collection("registry")
        .map(({ registry }) => registry)
        .sort(),
    ).toEqual(["blue", "red"]);
    expect(outputsOf("prod").names).toEqual(["blue", "red"]);
    expect(await tenant.plan()).toEqual(NOTHING);

    tenant.environment.TF_VAR_teams = '["red"]';
    expect((await tenant.apply()).changes).toEqual([
      'cwp_registry_scan.registries["blue"] delete',
      "output.names update",
    ]);
    expect(away.collection("registry").map(({ registry }) => registry)).toEqual(["red"]);
    expect(await tenant.plan()).toEqual(NOTHING);
    expect((await tenant.destroy()).errors).toEqual([]);
    expect(away.collection("registry")).toEqual([]);
    expect(away.policies()).toHaveLength(2);
  });
});
