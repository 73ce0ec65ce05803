import { RegistryScan, Secret, type RegistryScanSpecification } from "../../src";
import { RELEASES, type Release } from "../../src/api/release";
import { everything, policyStack, REGISTRY_SECRETS } from "./support/stacks";
import { synthesizeQuickstart, synthesizeStack, type Synthesized } from "./support/synthesized";
import { NOTHING, Tenant } from "./support/tenant";

let tenant: Tenant;
afterEach(() => tenant.close());

async function open(synthesized: Synthesized, release: Release, isSetUp = false): Promise<void> {
  const signedUp = { username: "admin", password: "correct-horse-battery" };
  tenant = await Tenant.open(synthesized, {
    release,
    ...(isSetUp && { signedUp, licensed: true }),
  });
  Object.assign(tenant.environment, REGISTRY_SECRETS);
}

const FUNCTIONS: Record<Release, string> = {
  "20.04": "/api/v1/settings/serverless-auto-protect",
  "20.09": "/api/v1/settings/serverless-auto-deploy",
  "20.12": "/api/v1/settings/serverless-auto-deploy",
  next: "/api/v1/settings/serverless-auto-deploy",
};
const READ = ["GET /api/v1/policies/compliance/container", "GET /api/v1/settings/registry"];
const WRITE = ["PUT /api/v1/policies/compliance/container", "PUT /api/v1/settings/registry"];

/** Each request once, in alphabetical order. */
const distinct = () => [...new Set(tenant.requests())].sort();

/** Another order of policies, one registry, one function less. */
function changed(synthesized: Synthesized): Synthesized {
  return new Map(
    [...synthesized].map(([path, text]) => {
      if (path === "manifest.json") return [path, text];
      const stack = JSON.parse(text) as {
        resource: Record<string, Record<string, Record<string, unknown[]>>>;
      };
      const { resource } = stack;
      const policies = resource.console_compliance_policy_set?.policies;
      policies?.policies?.reverse();
      resource.console_registry_scan?.registries?.specifications?.pop();
      resource.console_serverless_auto_deploy?.functions?.specs?.pop();
      return [path, JSON.stringify(stack)];
    }),
  );
}

/** Of inline credentials. */
const toGo = expect.stringContaining("Refused from release 20.09 on (section 9.1)") as string;

test.each(RELEASES)("create, plan, change and destroy in release %s", async (release) => {
  const stack = everything(release);
  const functions = FUNCTIONS[release];
  const reads = [...READ, `GET ${functions}`];
  const writes = [...WRITE, `POST ${functions}`];
  await open(stack, release);

  expect((await tenant.apply()).errors).toEqual([]);
  expect(distinct()).toEqual(
    [
      ...reads,
      ...writes,
      "GET /api/v1/_ping",
      "POST /api/v1/authenticate",
      "POST /api/v1/settings/license",
      "POST /api/v1/signup",
    ].sort(),
  );
  expect(tenant.policyNames).toEqual(["Everything set", "Nothing set"]);
  expect(tenant.console.data.registrySpecifications).toHaveLength(3);
  expect(tenant.console.data.serverlessAutoDeploySpecs).toHaveLength(2);

  const warnings = release === "20.04" ? [toGo] : [];
  expect(await tenant.plan()).toEqual({ ...NOTHING, warnings });
  const asked = [...reads, "GET /api/v1/policies/runtime/container", "POST /api/v1/authenticate"];
  expect(distinct()).toEqual(asked.sort());

  tenant.use(changed(stack));
  expect(await tenant.apply()).toMatchObject({
    errors: [],
    changes: [
      "console_compliance_policy_set.policies update",
      "console_registry_scan.registries update",
      "console_serverless_auto_deploy.functions update",
    ],
  });
  expect([...tenant.writes()].sort()).toEqual([...writes].sort());
  expect(tenant.policyNames).toEqual(["Nothing set", "Everything set"]);
  expect(tenant.console.data.registrySpecifications).toHaveLength(2);
  expect(tenant.console.data.serverlessAutoDeploySpecs).toHaveLength(1);
  expect(await tenant.plan()).toEqual({ ...NOTHING, warnings });

  tenant.requests();
  expect((await tenant.destroy()).errors).toEqual([]);
  expect([...tenant.writes()].sort()).toEqual([...writes].sort());
  const { compliancePolicies, registrySpecifications, serverlessAutoDeploySpecs } =
    tenant.console.data;
  // Everything has `on_destroy = "clear"`.
  expect([compliancePolicies, registrySpecifications, serverlessAutoDeploySpecs]).toEqual([
    [],
    [],
    [],
  ]);
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
    (tenant.console.data.registrySpecifications[0]?.credential as { secret: object }).secret;

  test("are kept in 20.04, and changed where the secret is", async () => {
    await open(stackOf("20.04"), "20.04", true);
    expect((await tenant.apply()).errors).toEqual([]);
    expect(tenant.console.data.registrySpecifications).toMatchObject([
      { registry: "registry.example.com", credential: { type: "aws", accountID: "robot" } },
    ]);
    expect(await tenant.plan()).toEqual({ ...NOTHING, warnings: [toGo] });
    const before = encrypted();

    tenant.environment = { ...tenant.environment, REGISTRY_SECRET: "another" };
    expect(await tenant.apply()).toMatchObject({
      changes: ["console_registry_scan.registries update"],
      errors: [],
    });
    expect(encrypted()).not.toEqual(before);
    expect(await tenant.plan()).toEqual({ ...NOTHING, warnings: [toGo] });
  });

  test("of others stay as they are in 20.04", async () => {
    const theirs = {
      registry: "theirs",
      repository: "*",
      tag: "*",
      credential: { type: "basic", accountID: "they", secret: { plain: "their secret" } },
    };
    await open(stackOf("20.04", { ownership: "shared" }), "20.04", true);
    await tenant.console.edit({ registry: [theirs] });
    const before = tenant.console.data.registrySpecifications[0] ?? {};
    expect((await tenant.apply()).errors).toEqual([]);
    expect(tenant.console.data.registrySpecifications).toHaveLength(2);
    expect(tenant.console.data.registrySpecifications[0]).toMatchObject(before);
    expect(await tenant.plan()).toEqual({ ...NOTHING, warnings: [toGo] });
    expect((await tenant.destroy()).errors).toEqual([]);
    expect(tenant.console.data.registrySpecifications).toMatchObject([before]);
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

describe("a release that the stack has wrong", () => {
  test("fails clearly, and changes nothing of that kind", async () => {
    await open(synthesizeQuickstart(), "20.04");
    const { errors } = await tenant.apply();
    expect(errors.join()).toContain("404");
    expect(tenant.console.data.serverlessAutoDeploySpecs).toEqual([]);
  });

  test("and matters not where the paths are the same", async () => {
    await open(policyStack(["A"], {}, { release: "20.09" }), "next", true);
    expect((await tenant.apply()).errors).toEqual([]);
    expect(await tenant.plan()).toEqual(NOTHING);
  });
});
