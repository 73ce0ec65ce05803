import type { Release } from "../../../src/api/release";
import { configurationAttributes } from "../../../src/provider/configuration/configuration-attributes";
import type { Environment } from "../../../src/core/environment";
import type { LogRecord } from "../../../src/core/io/log";
import type { ObjectValue } from "../../../src/core/values";
import { startSimulator } from "../../../src/simulator";
import { ADMIN, connectTo, fresh, ready, type Simulated } from "../support/consoles";
import { complete, Engine, errorsOf, provider, summaries } from "../support/engine";

const AUTO = { release: "auto" } as const;

const region = { scopes: [{ credential_id: "c", region: "eu" }] };
const several = { scopes: [{ credential_ids: ["c", "d"] }] };
const inline = {
  specifications: [
    { registry: "r", repository: "*", tag: "", credential: { type: "aws", secret: "canary" } },
  ],
};

const PROBED = ["auto-protect", "auto-deploy", "custom-rules"];
const probes = ({ console }: Simulated) =>
  console.requests.filter(({ path }) => PROBED.some((end) => path.endsWith(end))).length;

/** A configuration and the detected releases that refuse it. */
const REFUSED: readonly [string, string, ObjectValue, readonly Release[]][] = [
  ["region", "cwp_serverless_scan", region, ["next"]],
  ["several credentials", "cwp_serverless_scan", several, ["20.04", "20.12"]],
  ["inline credentials", "cwp_registry_scan", inline, ["20.12", "next"]],
];

describe.each(["20.04", "20.12", "next"] as const)("on a console of %s", (release) => {
  test.each(REFUSED)(
    "the plan decides, as with the release configured: %s",
    async (_, type, config, by) => {
      const { connection, writes } = await ready({ release }, AUTO);
      const configured = await ready({ release });
      const engine = new Engine(connection, type);
      expect(errorsOf(engine.validate(config))).toEqual([]);
      const { diagnostics } = await engine.plan(config);
      expect(errorsOf(diagnostics)).toHaveLength(by.includes(release) ? 1 : 0);
      expect(diagnostics).toEqual(
        (await new Engine(configured.connection, type).plan(config)).diagnostics,
      );
      expect(writes()).toEqual([]);
    },
  );

  test.each(REFUSED)(
    "a plan made before the console could be read says nothing wrong, and the apply decides before it writes: %s",
    async (_, type, config, by) => {
      const { console, connection, writes } = fresh({ release }, AUTO);
      const engine = new Engine(connection, type);
      await new Engine(connection, "cwp_bootstrap").plan({});
      const plan = await engine.plan(config);
      expect(errorsOf(plan.diagnostics)).toEqual([]);
      expect(connection.client.release).toBeUndefined();
      await console.addUser(ADMIN.username, ADMIN.password);
      await console.installLicense();
      const found = errorsOf(await engine.applyPlan(config, plan));
      if (by.includes(release)) {
        expect(found).toHaveLength(1);
        expect(`${found[0]?.summary} ${found[0]?.detail}`).toMatch(/section 9\.[\d.]+\)/);
        expect(writes()).toEqual([]);
        expect(engine.stored).toBeUndefined();
      } else {
        expect(found).toEqual([]);
        expect(await engine.isConverged(config)).toBe(true);
      }
    },
  );

  test("detects the release once, and only if it matters", async () => {
    const simulated = await ready({ release }, AUTO);
    const { connection, console } = simulated;
    const policies = new Engine(connection, "cwp_compliance_policy_set");
    await policies.applied({ policies: [] });
    expect(probes(simulated)).toBe(0);
    const registry = new Engine(connection, "cwp_registry_scan");
    const scan = new Engine(connection, "cwp_serverless_scan");
    await Promise.all([registry.refresh(), registry.plan({ specifications: [] })]);
    await Promise.all([registry.applied({ specifications: [] }), scan.applied({ scopes: [] })]);
    const once = probes(simulated);
    expect(once).toBeLessThanOrEqual(3);
    expect(await scan.isConverged({ scopes: [] })).toBe(true);
    expect(probes(simulated)).toBe(once);
    expect(console.requests.filter(({ status }) => ![200, 404].includes(status))).toEqual([]);
  });
});

describe("an undecided release", () => {
  test.each([
    ["fresh", [], "it refuses the credentials"],
    ["without a license", ["*:status=402"], "it has no license"],
    ["that does not serve", ["*:status=503"], "it does not respond"],
    ["that is not reached", ["*:reset-before"], "it does not respond"],
  ])("asks a console %s again, with a warning alone", async (_, faults, reason) => {
    const simulated =
      faults.length === 0
        ? fresh({ release: "next" }, AUTO)
        : await ready({ release: "next" }, AUTO);
    const { connection, console, fault } = simulated;
    for (const spec of faults) fault(spec);
    const engine = new Engine(connection, "cwp_serverless_scan");
    await new Engine(connection, "cwp_bootstrap").plan({});
    const { diagnostics } = await engine.plan(region);
    expect(summaries(diagnostics)).toEqual([`Console is not readable yet: ${reason}`]);
    console.faults.clear();
    if (faults.length === 0) {
      await console.addUser(ADMIN.username, ADMIN.password);
      await console.installLicense();
    }
    expect(errorsOf((await engine.plan(region)).diagnostics)).toHaveLength(1);
  });

  test("does not delay a plan", async () => {
    const waited: number[] = [];
    const sleep = (milliseconds: number) => {
      waited.push(milliseconds);
      return Promise.resolve();
    };
    const { connection, fault } = await ready({}, { ...AUTO, sleep });
    fault("*:status=503");
    await new Engine(connection, "cwp_serverless_scan").plan(region);
    expect(waited).toEqual([]);
  });

  test("fails an apply with the cause and writes nothing", async () => {
    const { connection, fault, writes } = await ready({ release: "next" }, AUTO);
    const engine = new Engine(connection, "cwp_serverless_scan");
    fault("*:status=503:2");
    const plan = await engine.plan(region);
    fault("getServerlessAutoDeploy:status=403");
    const [problem] = errorsOf(await engine.applyPlan(region, plan));
    expect(problem?.detail).toContain("403");
    expect(writes()).toEqual([]);
  });

  test("reports responses that match no release", async () => {
    const { connection } = await ready();
    const nowhere = connectTo(
      ({ path }) =>
        path.endsWith("/authenticate")
          ? connection.client.request("authenticate", { body: ADMIN }).then(({ body }) => ({
              status: 200,
              headers: {},
              body: pieces(body),
            }))
          : Promise.resolve({ status: 404, headers: {}, body: pieces(Buffer.from("")) }),
      undefined,
      AUTO,
    );
    const found = await new Engine(nowhere, "cwp_serverless_scan").apply({ scopes: [] });
    expect(summaries(errorsOf(found))).toEqual(["Cannot detect the release of the console"]);
  });
});

async function* pieces(bytes: Buffer): AsyncGenerator<Uint8Array> {
  await Promise.resolve();
  yield bytes;
}

test.each<[ObjectValue, Environment]>([
  [{ release: "auto" }, {}],
  [{}, { CONSOLE_RELEASE: "auto" }],
])("logs the detection in one line with %j and %j", async (block, variables) => {
  const simulator = await startSimulator({ release: "20.04", signedUp: ADMIN, licensed: true });
  const records: LogRecord[] = [];
  try {
    const [{ url }] = simulator.consoles;
    const config = { base_url: url, ca_certificate: simulator.ca, ...ADMIN, ...block };
    const complet = complete(configurationAttributes, config);
    expect(provider.validateConfiguration(complet)).toEqual([]);
    const { connection, diagnostics } = await provider.configure(complet, variables, (record) => {
      records.push(record);
    });
    expect(diagnostics).toEqual([]);
    if (!connection) throw new Error("no connection");
    expect(connection.release).toBe("auto");
    // A configuration sends no request.
    expect(records).toEqual([]);
    await new Engine(connection, "cwp_serverless_scan").applied({ scopes: [] });
    await new Engine(connection, "cwp_registry_scan").applied({ specifications: [] });
    await provider.close(connection);
  } finally {
    await simulator.close();
  }
  const logged = records.filter(({ level }) => level === "info");
  expect(logged).toEqual([expect.objectContaining({ module: "provider.cwp" })]);
  expect(logged[0]?.message).toMatch(
    /^The console runs release 20\.04: it has GET \/api\/v1\/settings\/serverless-auto-protect, it lacks GET \S+(, it lacks GET \S+)*\.$/,
  );
});
