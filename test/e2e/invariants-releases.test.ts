import { readdirSync } from "node:fs";
import { join } from "node:path";
import { RegistryScan, Secret, type RegistryScanSpecification } from "../../src";
import { RELEASES, type Release } from "../../src/api/release";
import { hurriedClock } from "../support/hurried-clock";
import { everything, policyStack, REGISTRY_SECRETS } from "./support/stacks";
import { synthesizeQuickstart, synthesizeStack, type Synthesized } from "./support/synthesized";
import { NOTHING, Tenant } from "./support/tenant";

let tenant: Tenant;
afterEach(() => tenant.close());

async function open(synthesized: Synthesized, release: Release, isSetUp = false): Promise<void> {
  const signedUp = { username: "admin", password: "correct-horse-battery" };
  tenant = await Tenant.open(synthesized, {
    release,
    clock: hurriedClock(),
    ...(isSetUp && { signedUp, licensed: true }),
  });
  Object.assign(tenant.environment, REGISTRY_SECRETS);
}

const SETTINGS = "/api/v1/settings";
const POLICIES = "/api/v1/policies/compliance/container";
const CONTAINERS = "/api/v1/containers";
const autoDeployOf = (release: Release): string =>
  `${SETTINGS}/serverless-auto-${release === "20.04" ? "protect" : "deploy"}`;
const CHART = "/api/v1/defenders/helm/acme-defender-helm.tar.gz";
const SCRIPT = "/api/v1/scripts/defender.sh";
const FILES = ["artifacts", "defender.sh"];

/** The requests without repetitions, sorted. */
const distinct = () => [...new Set(tenant.requests())].sort();

/** Reorders policies, removes one entry of each other collection, and changes a chart and a timeout. */
function changed(synthesized: Synthesized): Synthesized {
  return new Map(
    [...synthesized].map(([path, text]) => {
      if (path === "manifest.json") return [path, text];
      const stack = JSON.parse(text) as {
        resource: Record<string, Record<string, Record<string, unknown>>>;
      };
      const change = (type: string, name: string, attribute: string, value: unknown) => {
        Object.assign(stack.resource[`cwp_${type}`]?.[name] ?? {}, { [attribute]: value });
      };
      const listOf = (type: string, name: string, attribute: string) =>
        (stack.resource[`cwp_${type}`]?.[name]?.[attribute] ?? []) as unknown[];
      listOf("compliance_policy_set", "policies", "policies").reverse();
      listOf("registry_scan", "registries", "specifications").pop();
      listOf("serverless_auto_deploy", "functions", "specs").pop();
      listOf("serverless_scan", "scopes", "scopes").pop();
      change("container_scan", "scan", "timeout", 90);
      change("defender_artifact", "chart", "request_json", '{"namespace":"other"}');
      return [path, JSON.stringify(stack)];
    }),
  );
}

/** Warnings about inline credentials, regions and patterns. */
const toGo = expect.stringMatching(/refused from release 20\.09 on \(section 9\.1\.2\)/i) as string;
const announced = expect.stringMatching(
  /refused from the next release on \(section 9\.3\.3\)/i,
) as string;

test.each(RELEASES)("creates, plans, changes and destroys in release %s", async (release) => {
  const stack = everything(release);
  const autoDeploy = autoDeployOf(release);
  const reads = [POLICIES, `${SETTINGS}/registry`, autoDeploy, `${SETTINGS}/serverless-scan`].map(
    (path) => `GET ${path}`,
  );
  const writes = [
    `PUT ${POLICIES}`,
    `PUT ${SETTINGS}/registry`,
    `POST ${autoDeploy}`,
    `${release === "next" ? "PUT" : "POST"} ${SETTINGS}/serverless-scan`,
  ];
  const scan = `GET ${CONTAINERS}/scan`;
  const [chart, script] = [CHART, SCRIPT].map(
    (path) => `${release === "20.04" ? "GET" : "POST"} ${path}`,
  );
  await open(stack, release);

  expect((await tenant.apply()).errors).toEqual([]);
  expect(distinct()).toEqual(
    [
      ...reads,
      ...writes,
      scan,
      chart,
      script,
      `GET ${CONTAINERS}`,
      "GET /api/v1/_ping",
      "GET /api/v1/settings/license",
      "POST /api/v1/authenticate",
      "POST /api/v1/settings/license",
      "POST /api/v1/signup",
    ].sort(),
  );
  const { data } = tenant.console;
  expect(tenant.policyNames).toEqual(["Everything set", "Nothing set"]);
  expect(data.collections.registry).toHaveLength(3);
  expect(data.collections.serverlessAutoDeploy).toHaveLength(2);
  expect(data.collections.serverlessScan).toHaveLength(2);
  expect(tenant.files()).toEqual([...FILES, "terraform.prod.tfstate"]);

  const warnings = [
    ...(release === "next" ? [] : [announced]),
    // Credentials are variables, so that the plan warns of them, after the validation.
    ...(release === "20.04" ? [toGo] : []),
  ];
  const unchanged = { ...NOTHING, warnings };
  expect(await tenant.plan()).toEqual(unchanged);
  const asked = [
    ...reads,
    "GET /api/v1/policies/runtime/container",
    "GET /api/v1/settings/license",
    "POST /api/v1/authenticate",
  ];
  expect(distinct()).toEqual(asked.sort());

  tenant.use(changed(stack));
  const { errors, changes } = await tenant.apply();
  expect(errors).toEqual([]);
  expect([...changes].sort()).toEqual([
    "cwp_compliance_policy_set.policies update",
    "cwp_container_scan.scan delete-then-create",
    "cwp_defender_artifact.chart update",
    "cwp_registry_scan.registries update",
    "cwp_serverless_auto_deploy.functions update",
    "cwp_serverless_scan.scopes update",
  ]);
  const requests = tenant
    .requests()
    .filter((one) => [...writes, scan, chart, script].includes(one));
  expect(requests.sort()).toEqual([...writes, scan, chart].sort());
  expect(tenant.policyNames).toEqual(["Nothing set", "Everything set"]);
  expect(tenant.console.collection("registry")).toHaveLength(2);
  expect(tenant.console.collection("serverlessAutoDeploy")).toHaveLength(1);
  expect(tenant.console.collection("serverlessScan")).toHaveLength(1);
  expect(await tenant.plan()).toEqual(unchanged);

  tenant.requests();
  expect((await tenant.destroy()).errors).toEqual([]);
  expect([...tenant.writes()].sort()).toEqual([...writes].sort());
  // All resources have `on_destroy = "clear"`.
  expect(Object.values(tenant.console.data.collections).flat()).toEqual([]);
  // The folder was created for the file, but may have other files.
  expect(tenant.files().filter((name) => FILES.includes(name))).toEqual(["artifacts"]);
  expect(readdirSync(join(tenant.folder, "artifacts"))).toEqual([]);
});

describe("inline credentials of registries", () => {
  const stackOf = (release: Release, more: object = {}) =>
    synthesizeStack(
      (stack) => {
        const specification: RegistryScanSpecification = {
          registry: "registry.example.com",
          repository: "*",
          tag: "*",
          credential: {
            type: "aws",
            accountId: "robot",
            secret: Secret.fromEnv("REGISTRY_SECRET"),
          },
        };
        new RegistryScan(stack, "registries", { specifications: [specification], ...more });
      },
      { release },
    );
  const encrypted = () =>
    (tenant.console.collection("registry")[0]?.credential as { secret: object } | undefined)
      ?.secret;

  test("are stored in 20.04, and updated with the secret", async () => {
    await open(stackOf("20.04"), "20.04", true);
    expect((await tenant.apply()).errors).toEqual([]);
    expect(tenant.console.collection("registry")).toMatchObject([
      { registry: "registry.example.com", credential: { type: "aws", accountID: "robot" } },
    ]);
    expect(await tenant.plan()).toEqual({ ...NOTHING, warnings: [toGo] });
    const before = encrypted();

    tenant.environment = { ...tenant.environment, REGISTRY_SECRET: "another" };
    expect(await tenant.apply()).toMatchObject({
      changes: ["cwp_registry_scan.registries update"],
      errors: [],
    });
    expect(encrypted()).not.toEqual(before);
    expect(await tenant.plan()).toEqual({ ...NOTHING, warnings: [toGo] });
  });

  test("of unmanaged registries stay unchanged in 20.04", async () => {
    const theirs = {
      registry: "theirs",
      repository: "*",
      tag: "*",
      credential: { type: "basic", accountID: "they", secret: { plain: "their secret" } },
    };
    await open(stackOf("20.04", { ownership: "shared" }), "20.04", true);
    await tenant.console.edit({ registry: [theirs] });
    const before = tenant.console.collection("registry")[0] ?? {};
    expect((await tenant.apply()).errors).toEqual([]);
    expect(tenant.console.collection("registry")).toHaveLength(2);
    expect(tenant.console.collection("registry")[0]).toMatchObject(before);
    expect(await tenant.plan()).toEqual({ ...NOTHING, warnings: [toGo] });
    expect((await tenant.destroy()).errors).toEqual([]);
    expect(tenant.console.collection("registry")).toMatchObject([before]);
  });

  test.each(["20.09", "20.12", "next"] as const)(
    "are refused before anything is sent in %s",
    async (release) => {
      await open(stackOf(release), release, true);
      const { errors } = await tenant.apply();
      expect(errors.join()).toMatch(/credential/);
      expect(tenant.requests()).toEqual([]);
    },
  );
});

describe("a wrong release in the stack", () => {
  test("fails with a clear error, and changes nothing of that kind", async () => {
    await open(synthesizeQuickstart(), "20.04");
    const { errors } = await tenant.apply();
    expect(errors.join()).toContain("404");
    expect(tenant.console.collection("serverlessAutoDeploy")).toEqual([]);
  });

  test("has no effect where the paths are the same", async () => {
    await open(policyStack(["A"], {}, { release: "20.09" }), "next", true);
    expect((await tenant.apply()).errors).toEqual([]);
    expect(await tenant.plan()).toEqual(NOTHING);
  });
});
