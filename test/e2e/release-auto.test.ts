import {
  CompliancePolicySet,
  RegistryScan,
  ServerlessAutoDeploy,
  ServerlessScan,
  type ServerlessScanScope,
} from "../../src";
import { builtInProviders } from "../../src/provider/built-in";
import type { LogRecord } from "../../src/core/io/log";
import { addSetup } from "./support/stacks";
import { synthesizeStack } from "./support/synthesized";
import { NOTHING, Tenant } from "./support/tenant";

/** From the first user to the functional settings, for whatever release the console turns out to run. */
const stackWith = (scope: ServerlessScanScope) =>
  synthesizeStack(
    (stack) => {
      addSetup(stack);
      const registry = { registry: "registry.example.com", repository: "*", tag: "*" };
      new CompliancePolicySet(stack, "policies", {
        policies: [{ name: "A", checks: { 41: true } }],
      });
      new RegistryScan(stack, "registries", { specifications: [registry] });
      new ServerlessScan(stack, "scan", { scopes: [scope] });
      new ServerlessAutoDeploy(stack, "functions", {
        specs: [{ name: "orders", credentialId: "aws" }],
      });
    },
    { release: "auto" },
  );
const plain = stackWith({ credentialId: "aws" });
const perRegion = stackWith({ credentialId: "aws", region: "eu-west-1" });

let tenant: Tenant;
afterEach(() => tenant.close());

/** The detected releases in the log. */
function recording() {
  const records: LogRecord[] = [];
  const providers = builtInProviders((record) => records.push(record));
  const found = () =>
    records.filter(({ level }) => level === "info").map(({ message }) => message.split(":")[0]);
  return { providers, found };
}

test.each([
  ["20.04", "The console runs release 20.04", "credentialID"],
  ["20.12", "The console runs release 20.12 or 20.09 (reported as 20.12)", "credentialID"],
  ["next", "The console runs release next", "credentialIDs"],
] as const)(
  "a fresh console of %s is set up and configured in one apply",
  async (release, expected, member) => {
    tenant = await Tenant.open(plain, { release });
    const { providers, found } = recording();
    expect((await tenant.apply({ providers })).errors).toEqual([]);
    expect(found()).toEqual([expected]);
    const { serverlessScan, serverlessAutoDeploy } = tenant.console.data.collections;
    expect(serverlessScan[0]).toHaveProperty(member);
    expect(serverlessAutoDeploy).toHaveLength(1);
    expect(await tenant.plan()).toEqual(NOTHING);
    expect((await tenant.destroy()).errors).toEqual([]);
    expect(tenant.console.collection("serverlessAutoDeploy")).toEqual([]);
  },
);

test("refuses what the release lacks before the write, once a fresh console can be asked", async () => {
  tenant = await Tenant.open(perRegion, { release: "next" });
  const { errors, changes } = await tenant.apply();
  expect(changes).toContain("cwp_serverless_scan.scan create");
  expect(errors).toEqual([
    expect.stringContaining("Region and pattern: not in the next release (section 9.3.3)"),
  ]);
  expect(tenant.writes()).not.toContain("PUT /api/v1/settings/serverless-scan");
  // The next plan knows the release and reports the error itself.
  const planned = await tenant.plan();
  expect(planned.errors).toEqual(errors);
  // The rest is applied to the present state of the console.
  tenant.use(plain);
  expect((await tenant.apply()).errors).toEqual([]);
  expect(await tenant.plan()).toEqual(NOTHING);
});

test("reports what the release refuses as soon as the console can be read", async () => {
  tenant = await Tenant.open(perRegion, { release: "20.12" });
  expect((await tenant.plan()).warnings.join()).not.toContain("9.3.3");
  expect((await tenant.apply()).errors).toEqual([]);
  const warning = expect.stringContaining(
    "Region and pattern: refused from the next release on (section 9.3.3)",
  ) as string;
  expect(await tenant.plan()).toEqual({ ...NOTHING, warnings: [warning] });
});
