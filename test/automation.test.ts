import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { App, LocalBackend, TerraformStack } from "cdktf";
import { CompliancePolicySet, ConsoleBootstrap, ConsoleProvider, License, Secret } from "../src";
import {
  apply,
  destroy,
  hasChanges,
  plan,
  type EngineEvent,
  type Operation,
} from "../src/automation";
import { startTestConsole, type TestConsole } from "../src/testing";

let served: TestConsole;
let folder: string;

beforeEach(async () => {
  served = await startTestConsole();
  folder = mkdtempSync(join(tmpdir(), "automation-"));
  const app = new App({ outdir: join(folder, "cdktf.out") });
  const stack = new TerraformStack(app, "one");
  new LocalBackend(stack, { path: join(folder, "one.tfstate") });
  new ConsoleProvider(stack, "console", { password: Secret.fromEnv("CONSOLE_PASSWORD") });
  new ConsoleBootstrap(stack, "bootstrap");
  new License(stack, "license", { key: Secret.fromEnv("CONSOLE_LICENSE_KEY") });
  new CompliancePolicySet(stack, "policies", { policies: [{ name: "a", checks: { 41: true } }] });
  app.synth();
});
afterEach(async () => {
  await served.close();
  rmSync(folder, { recursive: true });
});

const settings = () => ({
  outDir: join(folder, "cdktf.out"),
  environment: served.environment,
});

async function eventsOf(operation: Operation<unknown>): Promise<readonly EngineEvent[]> {
  const events: EngineEvent[] = [];
  for await (const event of operation) events.push(event);
  return events;
}

test("plans, applies, plans no changes and destroys", async () => {
  const first = await plan(settings()).result;
  expect(first).toMatchObject({ applicable: true });
  expect(first.plans.some(hasChanges)).toBe(true);
  expect(served.console.policies()).toHaveLength(2);

  const { applied } = await apply(settings()).result;
  expect(applied?.stacks.map(({ counts }) => counts.add)).toEqual([4]);
  expect(served.policyNames()).toEqual(["a"]);

  const second = await apply(settings()).result;
  expect(second.applied).toBeUndefined();
  expect(second.plans.some(hasChanges)).toBe(false);

  const last = await destroy(settings()).result;
  expect(last.applied?.stacks.map(({ counts }) => counts.destroy)).toEqual([4]);
});

test("yields the events of a run, and ends with it", async () => {
  const applying = apply(settings());
  const events = await eventsOf(applying);
  expect(events.filter(({ type }) => type === "apply_complete")).toHaveLength(4);
  expect(new Set(events.map(({ stack }) => stack))).toEqual(new Set(["one"]));
  expect((await applying.result).applied?.interrupted).toBe(false);
});

test("keeps the events for a late reader", async () => {
  const applying = apply(settings());
  await applying.result;
  expect((await eventsOf(applying)).length).toBeGreaterThan(0);
});

test("applies nothing without an approval", async () => {
  const asked: string[] = [];
  const refused = await apply({
    ...settings(),
    approve: (plans) => {
      asked.push(...plans.map(({ stack }) => stack));
      return false;
    },
  }).result;
  expect(asked).toEqual(["one"]);
  expect(refused).toMatchObject({ applicable: true });
  expect(refused.applied).toBeUndefined();
  expect(served.policyNames()).toHaveLength(2);
});

test("returns errors as diagnostics", async () => {
  const { applicable, diagnostics, applied } = await apply({
    ...settings(),
    environment: { ...served.environment, CONSOLE_LICENSE_KEY: undefined },
  }).result;
  expect({ applicable, applied }).toEqual({ applicable: false, applied: undefined });
  expect(diagnostics.map(({ address }) => address)).toContain("var.CONSOLE_LICENSE_KEY");
});

test("plans one of several stacks, and suggests names", async () => {
  const { diagnostics } = await plan({ ...settings(), stacks: ["onne"] }).result;
  expect(diagnostics.map(({ detail }) => detail).join()).toContain('Did you mean "one"?');
});
