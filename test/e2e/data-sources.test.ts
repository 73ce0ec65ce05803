import { Fn, TerraformOutput, type TerraformStack } from "cdktf";
import {
  ConsoleDataSource,
  DataConsoleAutoDeployStatus,
  DataConsoleCloudDiscovery,
  DataConsoleCompliancePolicies,
  DataConsoleComplianceStats,
  DataConsoleConnectivity,
  DataConsoleContainerLabels,
  DataConsoleContainers,
  DataConsoleCustomRules,
  DataConsoleGet,
  DataConsoleImages,
  DataConsoleLicense,
  DataConsoleRegistrySettings,
  DataConsoleRuntimePolicies,
  DataConsoleServerlessFunctions,
} from "../../src";
import { dataSources } from "../../src/provider/data-sources";
import { TestTerminal } from "../cli/test-terminal";
import { addSetup } from "./support/stacks";
import { synthesizeStack } from "./support/synthesized";
import { NOTHING, Tenant } from "./support/tenant";

// Data sources, from the constructs to the console and into outputs.

const SET_UP = {
  signedUp: { username: "admin", password: "correct-horse-battery" },
  licensed: true,
};
const ADDRESSES = dataSources.map(({ type }) => `data.${type}.all`).sort();

function addAll(stack: TerraformStack): void {
  const connectivity = new DataConsoleConnectivity(stack, "all-connectivity");
  const containers = new DataConsoleContainers(stack, "all-containers", { limit: 3 });
  const images = new DataConsoleImages(stack, "all-images", { limit: 2 });
  const policies = new DataConsoleCompliancePolicies(stack, "all-policies");
  const runtime = new DataConsoleRuntimePolicies(stack, "all-runtime");
  const registries = new DataConsoleRegistrySettings(stack, "all-registries");
  const rules = new DataConsoleCustomRules(stack, "all-rules");
  const labels = new DataConsoleContainerLabels(stack, "all-labels");
  const functions = new DataConsoleServerlessFunctions(stack, "all-functions", { limit: 4 });
  const cloud = new DataConsoleCloudDiscovery(stack, "all-cloud");
  const stats = new DataConsoleComplianceStats(stack, "all-stats");
  const status = new DataConsoleAutoDeployStatus(stack, "all-status");
  new DataConsoleLicense(stack, "all-license");
  new DataConsoleGet(stack, "all-get", { path: "policies/admission" });
  for (const construct of stack.node.findAll()) {
    if (construct instanceof ConsoleDataSource) construct.overrideLogicalId("all");
  }
  const outputs: Readonly<Record<string, unknown>> = {
    licensed: connectivity.licensed,
    containers: Fn.lengthOf(containers.containers),
    issue: containers.containers.get(0).complianceIssues,
    layers: images.images.get(0).layerTimes.get(0).layerTime,
    policy: policies.policies.get(0).name,
    runtime: Fn.jsondecode(runtime.rawJson),
    registries: registries.specifications,
    rule: Fn.lookup(Fn.element(Fn.jsondecode(rules.rawJson), 0), "name"),
    labels: Fn.lengthOf(labels.labels),
    names: functions.names,
    errors: Fn.lengthOf(cloud.errors),
    stats: stats.kind,
    hosts: status.hosts.get(0).defended,
  };
  for (const [name, value] of Object.entries(outputs)) new TerraformOutput(stack, name, { value });
}

const fresh = synthesizeStack((stack) => {
  addSetup(stack);
  addAll(stack);
});
const running = synthesizeStack(addAll);

let tenant: Tenant;
afterEach(() => tenant.close());

async function command(...words: string[]): Promise<{ code: number; out: string; err: string }> {
  const { folder: directory, environment } = tenant;
  const terminal = new TestTerminal({ directory, environment });
  const code = await terminal.run(...words, "--out-dir", tenant.outDir);
  return { code, out: terminal.out, err: terminal.err };
}

test("defers reads of a new console to the apply, and then finds no changes", async () => {
  tenant = await Tenant.open(fresh);
  const { out } = await command("plan");
  for (const address of ADDRESSES) {
    expect(out).toContain(
      `  # ${address} will be read during apply\n  # (depends on a resource or a module with changes pending)\n <= data "`,
    );
  }
  expect(tenant.writes()).toEqual([]);

  const applied = await command("apply", "--auto-approve");
  expect(applied.err).toBe("");
  expect(applied.out).toContain("Apply complete!");
  const state = JSON.parse(tenant.state("prod") ?? "") as {
    outputs: Record<string, { value: unknown }>;
    resources: { mode: string; type: string }[];
  };
  const values = Object.entries(state.outputs).map(([name, { value }]) => [name, value] as const);
  expect(Object.fromEntries(values)).toMatchObject({
    licensed: true,
    containers: 3,
    issue: expect.any(Array) as unknown,
    layers: expect.any(Number) as unknown,
    policy: "Default - ignore own components",
    runtime: { rules: [] },
    registries: [],
    rule: "Package manager in a running container",
    labels: expect.any(Number) as unknown,
    names: expect.arrayContaining([expect.any(String)]) as unknown,
    errors: 2,
    stats: "current",
    hosts: "24",
  });
  const read = state.resources.filter(({ mode }) => mode === "data").map(({ type }) => type);
  expect(read.sort()).toEqual(dataSources.map(({ type }) => type).sort());
  for (const secret of Object.values(tenant.environment)) {
    expect(tenant.state("prod")).not.toContain(secret);
  }

  const second = await command("plan", "--detailed-exitcode");
  expect(second.out).toContain("No changes. Your infrastructure matches the configuration.");
  expect(second.code).toBe(0);
});

test("does not defer reads for a rotated license", async () => {
  tenant = await Tenant.open(fresh);
  await tenant.apply();
  tenant.environment = { ...tenant.environment, CONSOLE_LICENSE_KEY: "another-license-key" };
  const { changes, errors } = await tenant.plan();
  expect(errors).toEqual([]);
  expect(changes).toEqual(["cwp_license.license update"]);
});

test("reads a running console in the plan, and writes nothing", async () => {
  tenant = await Tenant.open(running, SET_UP);
  const { changes, errors } = await tenant.plan();
  expect(errors).toEqual([]);
  expect(changes.every((change) => change.startsWith("output."))).toBe(true);
  expect(tenant.writes()).toEqual([]);
  expect((await tenant.apply()).errors).toEqual([]);
  expect(tenant.writes()).toEqual([]);
  expect(await tenant.plan()).toMatchObject({ changes: NOTHING.changes, errors: NOTHING.errors });
});

test("warns once of deprecated and changing endpoints, with their section", async () => {
  tenant = await Tenant.open(fresh);
  const sections = ({ out }: { out: string }) =>
    [...out.matchAll(/^Warning: (.*) \(section ([\d.]+)\)/gm)]
      .map(([, , section]) => section)
      .sort();
  expect(sections(await command("plan"))).toEqual(["9.2", "9.3.1"]);
  expect(sections(await command("apply", "--auto-approve"))).toEqual(["9.2", "9.3.1"]);
  expect(sections(await command("plan"))).toEqual(["9.2", "9.3.1"]);
});

test("reports an unreachable console as one error, and connectivity without an error", async () => {
  tenant = await Tenant.open(
    synthesizeStack(addAll, { baseUrl: "https://127.0.0.1:1", maxRetries: 0 }),
  );
  const { code, err } = await command("plan");
  expect(code).toBe(1);
  expect(err.match(/^Error: .*/gm)).toEqual(["Error: Console is not reachable"]);
  expect(err).toContain("https://127.0.0.1:1 cannot be reached");
  for (const address of ADDRESSES) {
    expect(err.includes(address)).toBe(address !== "data.cwp_connectivity.all");
  }
});

test("reports refused credentials as one error", async () => {
  tenant = await Tenant.open(running, SET_UP);
  tenant.environment = { ...tenant.environment, CONSOLE_PASSWORD: "wrong" };
  const { err } = await command("plan");
  expect(err.match(/^Error: .*/gm)).toEqual(["Error: Console refused the credentials"]);
});
