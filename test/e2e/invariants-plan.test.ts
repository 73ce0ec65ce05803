import { CompliancePolicySet, RegistryScan } from "../../src";
import { RELEASES } from "../../src/api/release";
import type { SimulatorOptions } from "../../src/simulator";
import { hurriedClock } from "../support/hurried-clock";
import { addSetup, everything, policyStack, REGISTRY_SECRETS } from "./support/stacks";
import { synthesizeQuickstart, synthesizeStack, type Synthesized } from "./support/synthesized";
import { NOTHING, Tenant } from "./support/tenant";

const quickstart = synthesizeQuickstart();
const SET_UP: SimulatorOptions = {
  signedUp: { username: "admin", password: "correct-horse-battery" },
  licensed: true,
};

let tenant: Tenant;
afterEach(() => tenant.close());

async function open(synthesized: Synthesized, options: SimulatorOptions = {}): Promise<void> {
  tenant = await Tenant.open(synthesized, { clock: hurriedClock(), ...options });
  Object.assign(tenant.environment, REGISTRY_SECRETS);
}

describe("no request is sent before everything was read and validated", () => {
  const faulty = (break_: (stack: Record<string, Record<string, object>>) => void): Synthesized =>
    new Map(
      [...quickstart].map(([path, text]) => {
        if (path === "manifest.json") return [path, text];
        const stack = JSON.parse(text) as Record<string, Record<string, object>>;
        break_(stack);
        return [path, JSON.stringify(stack)];
      }),
    );
  const faults: [string, Synthesized][] = [
    [
      "an attribute that does not exist",
      faulty(({ resource }) => {
        Object.assign(resource!.cwp_serverless_auto_deploy!, { functions: { spec: [] } });
      }),
    ],
    [
      "a reference to nothing",
      faulty(({ resource }) => {
        Object.assign(resource!.null_resource!, { last: { triggers: { a: "${local.none}" } } });
      }),
    ],
    [
      "a provider that is not included",
      faulty(({ resource }) => {
        Object.assign(resource!, { aws_instance: { last: {} } });
      }),
    ],
    [
      "a duplicate policy",
      faulty(({ resource }) => {
        const policy = { name: "Twice", checks: {} };
        Object.assign(resource!.cwp_compliance_policy_set!, {
          policies: { policies: [policy, policy] },
        });
      }),
    ],
    [
      "a cycle",
      faulty(({ resource }) => {
        Object.assign(resource!.null_resource!, {
          a: { depends_on: ["null_resource.b"] },
          b: { depends_on: ["null_resource.a"] },
        });
      }),
    ],
  ];

  test.each(faults)("%s", async (_, synthesized) => {
    await open(synthesized);
    for (const mode of ["normal", "destroy"] as const) {
      expect((await tenant.apply({ mode })).errors).not.toEqual([]);
    }
    expect(tenant.requests()).toEqual([]);
    expect(tenant.files()).toEqual([]);
  });

  test("without a secret", async () => {
    await open(quickstart);
    tenant.environment = { CONSOLE_PASSWORD: "correct-horse-battery" };
    expect((await tenant.apply()).errors.join()).toContain("CONSOLE_LICENSE_KEY");
    expect(tenant.requests()).toEqual([]);
  });
});

describe("a plan writes nothing", () => {
  /** The requests that a plan may send: reads and authentication. */
  const READS = /^GET (?!.*\/scan$)|^POST \/api\/v1\/authenticate$/;

  async function plansOnly(mode: "normal" | "destroy" = "normal"): Promise<void> {
    const { data } = tenant.console;
    const files = tenant.contents();
    tenant.requests();
    expect((await tenant.plan({ mode })).errors).toEqual([]);
    const requests = tenant.requests();
    expect(requests.filter((request) => !READS.test(request))).toEqual([]);
    expect(tenant.console.data).toBe(data);
    expect(tenant.contents()).toEqual(files);
  }

  test.each(RELEASES)("for any state of a console of release %s", async (release) => {
    await open(everything(release), { release });
    await plansOnly();
    expect((await tenant.apply()).errors).toEqual([]);
    await plansOnly();
    await plansOnly("destroy");
    const { policies, registry } = { policies: tenant.console.policies(), registry: [] };
    await tenant.console.edit({ policies: [...policies].reverse(), registry });
    await plansOnly();
    await tenant.console.revokeTokens();
    await plansOnly();
  });

  test("with many changes", async () => {
    await open(policyStack(["A", "B"]), SET_UP);
    await tenant.apply();
    tenant.use(policyStack(["C"], { ownership: "prefix" }));
    await plansOnly();
  });
});

describe("an apply executes the plan or refuses", () => {
  const made = (name: string) => ({ name, resources: { hosts: ["h"] }, condition: {} });

  /** Plans, edits the console, applies, and returns the refusal. */
  async function applyAfter(
    edit: () => Promise<void>,
    mode: "normal" | "destroy" = "normal",
  ): Promise<string> {
    const session = await tenant.session({ mode });
    expect(session.applicable).toBe(true);
    await edit();
    tenant.requests();
    const { stacks } = await session.apply();
    await session.close();
    return stacks
      .flatMap(({ diagnostics }) => diagnostics)
      .filter(({ severity }) => severity === "error")
      .map(({ summary, detail }) => `${summary}\n${detail}`)
      .join();
  }
  const addPolicy = (where: "first" | "last") => () => {
    const policies = tenant.console.policies();
    return tenant.console.edit({
      policies: where === "first" ? [made("Mine"), ...policies] : [...policies, made("Mine")],
    });
  };

  test.each(["exclusive", "prefix", "suffix"] as const)(
    "a console edited before an update, %s",
    async (ownership) => {
      await open(policyStack(["A", "B"], { ownership }), SET_UP);
      await tenant.apply();
      tenant.use(policyStack(["B", "A", "C"], { ownership }));
      const refusal = await applyAfter(addPolicy("first"));
      expect(refusal).toContain("changed since the plan was made");
      expect(tenant.writes()).toEqual([]);
      expect(tenant.policyNames).toContain("Mine");

      const { changes } = await tenant.plan();
      expect(changes).toEqual(["cwp_compliance_policy_set.policies update"]);
      expect((await tenant.apply()).errors).toEqual([]);
      expect(await tenant.plan()).toEqual(NOTHING);
      expect(tenant.policyNames.includes("Mine")).toBe(ownership !== "exclusive");
    },
  );

  test.each(["before", "after"])("manual policies %s the plan of a create", async (when) => {
    await open(policyStack(["A"]), SET_UP);
    if (when === "before") {
      await addPolicy("last")();
      expect((await tenant.apply()).errors.join()).toContain('"Mine" would be removed');
    } else {
      expect(await applyAfter(addPolicy("last"))).toContain('"Mine" would be removed');
    }
    expect(tenant.writes()).toEqual([]);
    expect(tenant.policyNames).toContain("Mine");
    expect((await tenant.plan()).errors.join()).toContain('"Mine" would be removed');
  });

  test("manual policies on a console that the plan could not read", async () => {
    await open(
      synthesizeStack((stack) => {
        addSetup(stack);
        new CompliancePolicySet(stack, "policies", { policies: [{ name: "A", checks: {} }] });
      }),
    );
    const refusal = await applyAfter(addPolicy("first"));
    expect(refusal).toContain('"Mine" would be removed');
    expect(tenant.writes()).toEqual(["POST /api/v1/signup", "POST /api/v1/settings/license"]);
    expect(tenant.policyNames).toContain("Mine");
  });

  test.each(["exclusive", "prefix"] as const)(
    "a console edited before a destroy, %s",
    async (ownership) => {
      await open(policyStack(["A"], { ownership }), SET_UP);
      await tenant.apply();
      const state = tenant.state("prod");
      const refusal = await applyAfter(addPolicy("last"), "destroy");
      expect(refusal).toContain("changed since the plan was made");
      expect(tenant.writes()).toEqual([]);
      expect(tenant.policyNames).toContain("Mine");
      expect(JSON.parse(tenant.state("prod") ?? "")).toMatchObject({
        resources: (JSON.parse(state ?? "") as { resources: unknown[] }).resources,
      });
    },
  );

  test("a replacement whose create finds other policies than planned", async () => {
    await open(policyStack(["A"], { ownership: "prefix" }), SET_UP);
    await tenant.apply();
    tenant.use(policyStack(["A"], { ownership: "suffix" }));
    expect(await applyAfter(addPolicy("last"))).toContain("changed since the plan was made");
    expect(tenant.writes()).toEqual([]);
    expect((await tenant.apply()).errors).toEqual([]);
    expect(tenant.policyNames.at(-1)).toBe("A");
    expect(await tenant.plan()).toEqual(NOTHING);
  });

  test("a replacement that the apply would refuse after its destroy is refused at plan time", async () => {
    await open(policyStack(["A"], { ownership: "prefix" }), SET_UP);
    await addPolicy("last")();
    await tenant.apply();
    tenant.use(policyStack(["A"], { ownership: "exclusive" }));
    expect((await tenant.plan()).errors.join()).toContain('"Mine" would be removed');
    expect((await tenant.apply()).errors.join()).toContain('"Mine" would be removed');
    expect(tenant.policyNames).toEqual(expect.arrayContaining(["A", "Mine"]));
  });

  test("registries and functions edited before an update", async () => {
    const registries = (cap: number) =>
      synthesizeStack((stack) => {
        new RegistryScan(stack, "registries", {
          specifications: [{ registry: "mine", repository: "*", tag: "*", cap }],
        });
      });
    await open(registries(1), SET_UP);
    await tenant.apply();
    tenant.use(registries(2));
    const theirs = { registry: "theirs", repository: "*", tag: "*" };
    const refusal = await applyAfter(() =>
      tenant.console.edit({ registry: [theirs, ...tenant.console.collection("registry")] }),
    );
    expect(refusal).toContain("changed since the plan was made");
    expect(tenant.writes()).toEqual([]);
  });
});
