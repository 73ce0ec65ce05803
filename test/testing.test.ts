import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { App, LocalBackend, TerraformStack } from "cdktf";
import { CompliancePolicySet, ConsoleBootstrap, ConsoleProvider, License, Secret } from "../src";
import {
  applyStacks,
  hasChanges,
  planStacks,
  startTestConsole,
  type TestConsole,
} from "../src/testing";

let served: TestConsole;
let folder: string;
beforeEach(async () => {
  served = await startTestConsole();
  folder = mkdtempSync(join(tmpdir(), "testing-"));
});
afterEach(async () => {
  await served.close();
  rmSync(folder, { recursive: true });
});

function stackWith(policies: readonly string[]): App {
  const app = new App({ outdir: join(folder, "cdktf.out") });
  const stack = new TerraformStack(app, "tested");
  new LocalBackend(stack, { path: join(folder, "tested.tfstate") });
  new ConsoleProvider(stack, "console", {
    baseUrl: served.url,
    caCertificateFile: served.caFile,
    username: "admin",
    password: Secret.fromEnv("CONSOLE_PASSWORD"),
  });
  new ConsoleBootstrap(stack, "bootstrap");
  new License(stack, "license", { key: Secret.fromEnv("CONSOLE_LICENSE_KEY") });
  new CompliancePolicySet(stack, "policies", {
    policies: policies.map((name) => ({ name, checks: { 41: true } })),
  });
  return app;
}

test("applies a stack to an embedded console, and plans no changes after it", async () => {
  const first = await applyStacks(stackWith(["b", "a"]), served.environment);
  expect(first.plans.some(hasChanges)).toBe(true);
  expect(served.policyNames()).toEqual(["b", "a"]);

  const second = await planStacks(stackWith(["b", "a"]), served.environment);
  expect(second.plans.some(hasChanges)).toBe(false);
});

test("rejects once with all errors", async () => {
  const incomplete = { ...served.environment, CONSOLE_PASSWORD: undefined };
  await expect(planStacks(stackWith(["a"]), incomplete)).rejects.toThrow(/CONSOLE_PASSWORD/);
});
