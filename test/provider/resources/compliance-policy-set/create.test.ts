import { NothingSent } from "../../../../src/core/io/proxy";
import { connectTo, fresh, ready } from "../../support/consoles";
import { Engine, errorsOf, summaries } from "../../support/engine";
import { UNKNOWN, type ObjectValue } from "../../../../src/core/values";
import { hasErrors } from "../../../../src/core/diagnostics";

const TYPE = "cwp_compliance_policy_set";
const DEFAULTS = ["Default - ignore own components", "Default - alert on critical and high"];
const PUT = "PUT /api/v1/policies/compliance/container";

const policy = (name: string, more: ObjectValue = {}): ObjectValue => ({
  name,
  checks: { 41: true },
  ...more,
});
const two = { policies: [policy("a"), policy("b", { resources: { hosts: ["prod-*"] } })] };
const named = (...names: readonly string[]) => names.map((name) => ({ name }));

test("replaces the default policies of a fresh console", async () => {
  const { console, connection, writes } = await ready();
  const engine = await new Engine(connection, TYPE).applied(two);
  expect(console.policies()).toMatchObject([
    {
      name: "a",
      owner: "admin",
      disabled: false,
      verbose: false,
      resources: { hosts: ["*"], images: ["*"], accountIDs: ["*"] },
      condition: { vulnerabilities: [{ id: 41, block: true }] },
    },
    { name: "b", resources: { hosts: ["prod-*"], images: ["*"] } },
  ]);
  expect(engine.state).toMatchObject({
    id: "container",
    in_position: true,
    ownership: "exclusive",
  });
  expect(writes()).toEqual([PUT]);
  expect(await engine.isConverged(two)).toBe(true);
  expect(writes()).toEqual([PUT]);
});

test("names the removed default policies in the plan", async () => {
  const { connection } = await ready();
  const engine = new Engine(connection, TYPE);
  const [kept = "", ...others] = DEFAULTS;
  expect(await engine.plan(two)).toMatchObject({ displaced: DEFAULTS, diagnostics: [] });
  const one = await engine.plan({ policies: [policy(kept)] });
  expect(one.displaced).toEqual(others);
  const beside = await engine.plan({ ...two, ownership: "prefix" });
  expect(beside.displaced).toBeUndefined();
  await engine.applied(two);
  expect((await engine.plan(two)).displaced).toBeUndefined();
});

test("plans the hash, which depends on the content only", async () => {
  const { connection } = await ready();
  const engine = new Engine(connection, TYPE);
  const { planned } = await engine.plan(two);
  await engine.applied(two);
  expect(engine.state?.content_sha256).toBe(planned?.content_sha256);
  expect(engine.state?.content_sha256).toMatch(/^[0-9a-f]{64}$/);
  const other = await engine.plan({ policies: [...two.policies].reverse() });
  expect(other.planned?.content_sha256).not.toBe(planned?.content_sha256);
  const kept = await engine.plan({ ...two, on_destroy: "keep" });
  expect(kept.planned?.content_sha256).toBe(planned?.content_sha256);
});

describe("over unmanaged policies", () => {
  test("refuses exclusive at plan time, naming each policy", async () => {
    const { console, connection, writes } = await ready();
    await console.edit({ policies: named("a", "theirs", "too") });
    const engine = new Engine(connection, TYPE);
    const { diagnostics } = await engine.plan(two);
    expect(summaries(diagnostics)).toEqual(["Console has unmanaged compliance policies"]);
    expect(diagnostics[0]?.detail).toContain('- "a" would be overwritten');
    expect(diagnostics[0]?.detail).toContain('- "theirs" would be removed');
    expect(diagnostics[0]?.detail).toContain('- "too" would be removed');
    expect(diagnostics[0]?.detail).toContain('import ID "container"');
    expect(diagnostics[0]?.detail).toContain("ownership");
    expect(writes()).toEqual([]);
  });

  test("refuses exclusive at apply time if the plan could not read them", async () => {
    const { console, connection, writes } = await ready();
    const engine = new Engine(connection, TYPE);
    const plan = await engine.plan(two);
    expect(plan.diagnostics).toEqual([]);
    await console.edit({ policies: named("theirs") });
    const diagnostics = await engine.applyPlan(two, plan);
    expect(hasErrors(diagnostics)).toBe(true);
    expect(diagnostics[0]?.detail).toContain('"theirs" would be removed');
    expect(engine.stored).toBeUndefined();
    expect(writes()).toEqual([]);
    expect(console.policies().map(({ name }) => name)).toEqual(["theirs"]);
  });

  test("treats a changed default policy as unmanaged", async () => {
    const { console, connection } = await ready();
    const [first = {}, second = {}] = console.policies();
    await console.edit({ policies: [{ ...first, disabled: true }, second] });
    const { diagnostics } = await new Engine(connection, TYPE).plan(two);
    expect(diagnostics[0]?.detail).toContain(`"${DEFAULTS[0]}" would be removed`);
    expect(diagnostics[0]?.detail).not.toContain(DEFAULTS[1]);
  });

  test("accepts equal policies: a lost state converges", async () => {
    const { console, connection, writes } = await ready();
    const config = { ...two, on_destroy: "keep" };
    await new Engine(connection, TYPE).applied(config);
    const policies = console.policies();
    const engine = await new Engine(connection, TYPE).applied(config);
    expect(writes()).toEqual([PUT]);
    expect(console.policies()).toBe(policies);
    expect(await engine.isConverged(config)).toBe(true);
  });

  test.each(["prefix", "suffix"])("keeps them in order as %s", async (ownership) => {
    const { console, connection } = await ready();
    await console.edit({ policies: named("x", "y") });
    const config = { ownership, ...two };
    const engine = await new Engine(connection, TYPE).applied(config);
    const names = console.policies().map(({ name }) => name);
    expect(names).toEqual(ownership === "prefix" ? ["a", "b", "x", "y"] : ["x", "y", "a", "b"]);
    expect(engine.state?.policies).toHaveLength(2);
    expect(await engine.isConverged(config)).toBe(true);
    const fewer = { ownership, policies: [policy("b")] };
    await engine.applied(fewer);
    expect(console.policies().map(({ name }) => name)).toEqual(
      ownership === "prefix" ? ["b", "x", "y"] : ["x", "y", "b"],
    );
    expect(await engine.isConverged(fewer)).toBe(true);
  });

  test("refuses a policy of the same name as prefix", async () => {
    const { console, connection, writes } = await ready();
    await console.edit({ policies: named("x", "b") });
    const { diagnostics } = await new Engine(connection, TYPE).plan({
      ownership: "prefix",
      ...two,
    });
    expect(diagnostics[0]?.detail).toContain('"b" would be overwritten');
    expect(diagnostics[0]?.detail).not.toContain('"x"');
    expect(writes()).toEqual([]);
  });

  test("refuses nothing while the ownership is unknown", async () => {
    const { console, connection } = await ready();
    await console.edit({ policies: named("x") });
    const plan = await new Engine(connection, TYPE).plan({ ...two, ownership: UNKNOWN });
    expect(plan.diagnostics).toEqual([]);
  });
});

describe("a console that is not set up yet", () => {
  test.each([
    ["fresh", [], []],
    ["signed up, without a license", [], ["user"]],
    ["not listening", ["*:reset-before"], ["user", "license"]],
    ["not serving", ["*:status=503"], ["user", "license"]],
    ["failing", ["getCompliancePolicies:status=500"], ["user", "license"]],
  ])("%s: the plan warns only if a bootstrap is planned", async (_, faults, given) => {
    const { console, connection, fault } = fresh();
    if (given.includes("user")) await console.addUser("admin", "canary-password");
    if (given.includes("license")) await console.installLicense();
    faults.forEach(fault);
    const engine = new Engine(connection, TYPE);
    expect(hasErrors((await engine.plan(two)).diagnostics)).toBe(true);
    const bootstrap = await new Engine(connection, "cwp_bootstrap").plan({});
    expect(bootstrap.diagnostics).toEqual([]);
    const { diagnostics, planned } = await engine.plan(two);
    expect(summaries(diagnostics)).toEqual([expect.stringContaining("not readable yet") as string]);
    expect(hasErrors(diagnostics)).toBe(false);
    expect(planned).toMatchObject({ in_position: true });
  });

  test("a missing license is expected where a license is planned, other refusals are not", async () => {
    const { console, connection, fault } = fresh();
    await console.addUser("admin", "canary-password");
    const license = await new Engine(connection, "cwp_license").plan({ key: "key" });
    expect(license.diagnostics).toEqual([]);
    const engine = new Engine(connection, TYPE);
    expect(summaries((await engine.plan(two)).diagnostics)).toEqual([
      "Console is not readable yet: it has no license",
    ]);
    fault("getCompliancePolicies:status=401");
    expect(hasErrors((await engine.plan(two)).diagnostics)).toBe(true);
  });

  test.each<[string, string, string]>([
    ["TLS that is not up", "EPROTO", "TLS connection refused"],
    ["an untrusted certificate", "DEPTH_ZERO_SELF_SIGNED_CERT", "TLS connection refused"],
    ["a name that does not resolve", "ENOTFOUND", "Console is not reachable"],
    ["a name that does not resolve now", "EAI_AGAIN", "Console is not reachable"],
  ])("%s is an error of every plan", async (_, code, summary) => {
    const failing = () => Promise.reject(new NothingSent(Object.assign(new Error(), { code })));
    const connection = connectTo(failing);
    for (const [type, config] of [
      ["cwp_bootstrap", {}],
      ["cwp_license", { key: "key" }],
      [TYPE, two],
    ] as const) {
      const { diagnostics } = await new Engine(connection, type).plan(config);
      // The bootstrap's plan has checked the address for the license.
      if (type !== "cwp_license") expect(summaries(errorsOf(diagnostics))).toEqual([summary]);
    }
  });

  describe("and turns out to be set up before", () => {
    const beside = { ...two, ownership: "prefix" };

    /** A console with a user, whose license has ended. */
    async function unlicensed() {
      const simulated = fresh();
      await simulated.console.addUser("admin", "canary-password");
      await simulated.console.edit({
        policies: [...simulated.console.policies(), ...named("theirs")],
      });
      const setup = async () => {
        const bootstrap = new Engine(simulated.connection, "cwp_bootstrap");
        const license = new Engine(simulated.connection, "cwp_license");
        const planned = [await bootstrap.plan({}), await license.plan({ key: "key" })] as const;
        return async () => {
          expect(await bootstrap.applyPlan({}, planned[0])).toEqual([]);
          expect(await license.applyPlan({ key: "key" }, planned[1])).toEqual([]);
        };
      };
      return { ...simulated, setup, engine: new Engine(simulated.connection, TYPE) };
    }

    test("refuses to write next to policies that the plan did not know, until the next plan", async () => {
      const { console, writes, setup, engine } = await unlicensed();
      const apply = await setup();
      const plan = await engine.plan(beside);
      await apply();
      const [refusal, ...more] = await engine.applyPlan(beside, plan);
      expect(more).toEqual([]);
      expect(refusal?.summary).toBe(
        "The console was set up before, and has other compliance policies",
      );
      expect(refusal?.detail).toContain('has:\n  - "theirs"\nCreate a new plan');
      expect(writes()).not.toContain(PUT);
      await setup();
      await engine.applied(beside);
      expect(console.policies().map(({ name }) => name)).toEqual(["a", "b", ...DEFAULTS, "theirs"]);
    });

    test("refuses the plan of another process, which may not have read them", async () => {
      const elsewhere = await unlicensed();
      await elsewhere.setup();
      const plan = await elsewhere.engine.plan(beside);
      const { connection, setup, engine, writes } = await unlicensed();
      const apply = await setup();
      await apply();
      const planned = { ...plan.planned, console: connection.client.identity.name };
      const [refusal] = await engine.applyPlan(beside, { ...plan, planned });
      expect(refusal?.summary).toContain("was set up before");
      expect(writes()).not.toContain(PUT);
    });

    test("writes where the plan has read the policies", async () => {
      const { console, setup, engine } = await unlicensed();
      await console.installLicense();
      const apply = await setup();
      const plan = await engine.plan(beside);
      await apply();
      expect(await engine.applyPlan(beside, plan)).toEqual([]);
    });

    test("writes where only default policies are found", async () => {
      const { console, setup, engine } = await unlicensed();
      await console.edit({ policies: console.policies().slice(0, 2) });
      const apply = await setup();
      const plan = await engine.plan(beside);
      await apply();
      expect(await engine.applyPlan(beside, plan)).toEqual([]);
    });
  });

  test("fails to create, and stores no state", async () => {
    const { console, connection } = fresh();
    await console.addUser("admin", "canary-password");
    const engine = new Engine(connection, TYPE);
    expect(summaries(errorsOf(await engine.apply(two)))).toEqual(["Console has no license"]);
    expect(engine.stored).toBeUndefined();
    await console.installLicense();
    await engine.applied(two);
  });
});

test("serializes two applies on one console", async () => {
  const { console, connection, fault } = await ready();
  fault("getCompliancePolicies:delay=20");
  const engines = [new Engine(connection, TYPE), new Engine(connection, TYPE)];
  const configs = [
    { ownership: "prefix", policies: [policy("head")] },
    { ownership: "suffix", policies: [policy("tail")] },
  ];
  await Promise.all(engines.map((engine, at) => engine.applied(configs[at] ?? null)));
  expect(console.policies().map(({ name }) => name)).toEqual(["head", ...DEFAULTS, "tail"]);
  const order = console.requests
    .filter(({ path }) => path.includes("/compliance/"))
    .map(({ method }) => method);
  // The read after the first write and the read before the second one are between the two.
  const between = order.slice(order.indexOf("PUT") + 1, order.lastIndexOf("PUT"));
  expect(between.filter((method) => method === "GET").length).toBeGreaterThanOrEqual(2);
  expect(order.filter((method) => method === "PUT")).toHaveLength(2);
});

test("runs two applies on two consoles concurrently", async () => {
  const slow = await ready();
  const quick = await ready();
  slow.fault("getCompliancePolicies:delay=100");
  const done: string[] = [];
  await Promise.all(
    [slow, quick].map(async ({ connection }, at) => {
      await new Engine(connection, TYPE).applied(two);
      done.push(at === 0 ? "slow" : "quick");
    }),
  );
  expect(done).toEqual(["quick", "slow"]);
});

describe("validation", () => {
  test.each<[string, ObjectValue, string[]]>([
    ["a name twice", { policies: [policy("a"), policy("b"), policy("a")] }, ["policies.2.name"]],
    ["clear beside others", { ...two, ownership: "prefix", on_destroy: "clear" }, ["on_destroy"]],
    ["shared is not offered", { ...two, ownership: "shared" }, ["ownership"]],
    [
      "all at once",
      { on_destroy: "burn", policies: [{ name: "" }, policy("a"), policy("a")] },
      ["on_destroy", "policies.0.name", "policies.0.checks", "policies.2.name"],
    ],
    [
      "an ID that exceeds the exact numbers",
      { policies: [policy("a", { checks: { "9007199254740993": true } })] },
      ["policies.0.checks.9007199254740993"],
    ],
  ])("%s", async (_, config, paths) => {
    const { connection } = await ready();
    const engine = new Engine(connection, TYPE);
    expect(errorsOf(engine.validate(config)).map(({ path }) => path?.join("."))).toEqual(paths);
    // The plan refuses it as well, since some values are known only there.
    expect(hasErrors((await engine.plan(config)).diagnostics)).toBe(true);
  });
});
