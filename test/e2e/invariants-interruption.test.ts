import { synthesizeQuickstart } from "./support/synthesized";
import { NOTHING, Tenant } from "./support/tenant";

const quickstart = synthesizeQuickstart();
const APPLY = "apply --auto-approve";

let tenant: Tenant;
beforeEach(async () => {
  tenant = await Tenant.open(quickstart);
});
afterEach(() => tenant.close());

/** Resolves when the console receives such a request. */
async function arrived(request: string): Promise<void> {
  const { console } = tenant;
  const handle = console.handle.bind(console);
  await new Promise<void>((resolve) => {
    console.handle = (asked) => {
      if (`${asked.method} ${asked.path}`.startsWith(request)) resolve();
      return handle(asked);
    };
  });
  console.handle = handle;
}

async function converges(): Promise<void> {
  tenant.console.faults.clear();
  expect(await tenant.run(APPLY)).toMatchObject({ code: 0, err: "" });
  expect(await tenant.plan()).toEqual(NOTHING);
  expect(tenant.files().filter((name) => /\.lock$|\.journal$|^\./.test(name))).toEqual([]);
}

/** The addresses in state, in its order. */
function stored(): string[] {
  const { resources } = JSON.parse(tenant.state("quickstart") ?? "") as {
    resources: { type: string }[];
  };
  return resources.map(({ type }) => type);
}

describe.each(["SIGINT", "SIGTERM"] as const)("%s", (signal) => {
  test("completes running operations, stores them, and starts no others", async () => {
    tenant.console.faults.add({ target: "putCompliancePolicies", delay: 400 });
    const running = tenant.start(APPLY);
    await arrived("PUT /api/v1/policies/compliance/container");
    running.child.kill(signal);
    const { code, out, err } = await running.ended;
    expect(code).toBe(130);
    expect(err).toContain("Interrupted.");
    expect(out).toContain("cwp_compliance_policy_set.policies: Creation complete");
    expect(tenant.policyNames[0]).toBe("No root in production");
    expect(stored()).toContain("cwp_compliance_policy_set");
    expect(tenant.files()).toEqual(["terraform.quickstart.tfstate"]);
    await converges();
  });
});

test("changes nothing when interrupted before the first write", async () => {
  tenant.console.faults.add({ target: "*", delay: 400, times: 1 });
  const running = tenant.start(APPLY);
  await arrived("GET /api/v1/_ping");
  running.child.kill("SIGINT");
  const { code, out } = await running.ended;
  expect(code).toBe(130);
  expect(out).toContain("Planning was interrupted. Nothing was changed.");
  expect(tenant.writes()).toEqual([]);
  expect(tenant.files()).toEqual([]);
  await converges();
});

test.each(["before", "after"] as const)(
  "a second interrupt gives up a request that hangs, %s its effect",
  async (when) => {
    const hanging = { target: "putCompliancePolicies", times: 1 };
    const { console } = tenant;
    const running = tenant.start(APPLY);
    if (when === "before") {
      console.faults.add({ ...hanging, delay: 20_000 });
      await arrived("PUT /api/v1/policies/compliance/container");
    } else {
      console.faults.add({ target: "getCompliancePolicies", skip: 1, times: 1, delay: 20_000 });
      await arrived("PUT /api/v1/policies/compliance/container");
    }
    running.child.kill("SIGINT");
    await running.printed("Interrupted.");
    running.child.kill("SIGINT");
    expect(await running.ended).toMatchObject({ code: 130, signal: null });
    await converges();
    expect((await tenant.destroy()).errors).toEqual([]);
    expect(tenant.policyNames).toEqual([
      "Default - ignore own components",
      "Default - alert on critical and high",
    ]);
  },
);

test("continues an interrupted destroy", async () => {
  expect((await tenant.apply()).errors).toEqual([]);
  tenant.console.faults.add({ target: "putCompliancePolicies", delay: 400, times: 1 });
  const running = tenant.start("destroy --auto-approve");
  await arrived("PUT /api/v1/policies/compliance/container");
  running.child.kill("SIGINT");
  expect((await running.ended).code).toBe(130);
  expect(tenant.policyNames).toHaveLength(2);
  expect(stored()).not.toContain("cwp_compliance_policy_set");
  expect(stored()).toContain("cwp_license");
  expect((await tenant.destroy()).errors).toEqual([]);
  expect(stored()).toEqual([]);
});

describe("two runs at once", () => {
  test("on one state: the second fails and names the holder of the lock", async () => {
    tenant.console.faults.add({ target: "putCompliancePolicies", delay: 3_000 });
    const first = tenant.start(APPLY);
    await arrived("PUT /api/v1/policies/compliance/container");
    const requests = tenant.requests();
    const [second, planned] = await Promise.all([tenant.run(APPLY), tenant.run("plan")]);
    for (const { code, err } of [second, planned]) {
      expect(code).toBe(1);
      expect(err).toContain("State is locked");
      expect(err).toContain(`process ${first.child.pid}`);
    }
    expect(await first.ended).toMatchObject({ code: 0, err: "" });
    expect(requests.filter((request) => request.startsWith("POST /api/v1/signup"))).toHaveLength(1);
    expect(await tenant.plan()).toEqual(NOTHING);
  });

  test("on one state, started together: one of them does everything", async () => {
    const ended = await Promise.all([tenant.run(APPLY), tenant.run(APPLY)]);
    const done = ended.filter(({ code }) => code === 0);
    expect(done.length).toBeGreaterThan(0);
    for (const { code, err } of ended) {
      if (code !== 0) expect(err).toContain("State is locked");
    }
    expect(tenant.writes().filter((request) => request === "POST /api/v1/signup")).toHaveLength(1);
    expect(await tenant.plan()).toEqual(NOTHING);
  });

  test("on one state, the second waiting: it finds no changes", async () => {
    tenant.console.faults.add({ target: "putCompliancePolicies", delay: 300 });
    const first = tenant.start(APPLY);
    await arrived("PUT /api/v1/policies/compliance/container");
    const second = await tenant.run(`${APPLY} --lock-timeout 20s`);
    expect((await first.ended).code).toBe(0);
    expect(second).toMatchObject({ code: 0, err: "" });
    expect(second.out).toContain("No changes.");
  });
});
