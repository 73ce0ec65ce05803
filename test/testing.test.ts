import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { App, LocalBackend, TerraformStack } from "cdktf";
import { CompliancePolicySet, ConsoleBootstrap, ConsoleProvider, License, Secret } from "../src";
import {
  applyStacks,
  hasChanges,
  matchers,
  planStacks,
  startTestConsole,
  type TestConsole,
} from "../src/testing";

expect.extend(matchers);

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

describe("matchers", () => {
  /** The message of a matcher that fails. */
  const failure = (check: () => void): string => {
    try {
      check();
    } catch (thrown) {
      return String(thrown);
    }
    throw new Error("it passed");
  };

  test("check what a first apply creates, and the order of policies", async () => {
    const first = await applyStacks(stackWith(["b", "a"]), served.environment);
    expect(first).toCreate("cwp_license");
    expect(first).toCreate("cwp_compliance_policy_set.policies");
    expect(first).not.toCreate("cwp_registry_scan");
    expect(first).toHavePolicyOrder(["b", "a"]);
    expect(first).not.toPlanNoChanges();
    expect(served).toHavePolicyOrder(["b", "a"]);
    expect(await planStacks(stackWith(["b", "a"]), served.environment)).toPlanNoChanges();
  });

  test("check whether protection gets weaker", async () => {
    await applyStacks(stackWith(["b", "a"]), served.environment);
    const renamed = await planStacks(stackWith(["c", "a"]), served.environment);
    expect(renamed).not.toWeakenProtection();
    expect(await planStacks(stackWith([]), served.environment)).toWeakenProtection();
  });

  test("say what they found instead", async () => {
    const planned = await planStacks(stackWith(["a"]), served.environment);
    expect(
      failure(() => {
        expect(planned).toPlanNoChanges();
      }),
    ).toContain("  cwp_license.license: create");
    expect(
      failure(() => {
        expect(planned).toHavePolicyOrder(["x"]);
      }),
    ).toContain('  ["a"]');
    expect(
      failure(() => {
        expect(planned).not.toCreate("cwp_license");
      }),
    ).toContain("Expected the stacks not to create cwp_license.");
  });

  test("name what they check when they are given something else", async () => {
    const pending = planStacks(stackWith(["a"]), served.environment);
    expect(
      failure(() => {
        expect(pending).toPlanNoChanges();
      }),
    ).toContain("The value is a promise. Await planStacks or applyStacks");
    for (const value of [undefined, null, 42, served]) {
      expect(
        failure(() => {
          expect(value).not.toWeakenProtection();
        }),
      ).toContain("toWeakenProtection() expects the result of planStacks or applyStacks.");
    }
    expect(
      failure(() => {
        expect("a").toHavePolicyOrder(["a"]);
      }),
    ).toContain("toHavePolicyOrder() expects a console, or the result of planStacks");
    await pending;
  });
});

test("a console that is never closed does not keep the process running", () => {
  const program = `
    const { startTestConsole } = require("cdktf-console/testing");
    startTestConsole().then(({ url }) => console.log(url));`;
  const printed = execFileSync(process.execPath, ["--import", "tsx", "-e", program], {
    cwd: join(__dirname, ".."),
    encoding: "utf8",
  });
  expect(printed).toMatch(/^https:/);
});

test("a console closes at the end of its block", async () => {
  const other = await startTestConsole();
  await other[Symbol.asyncDispose]();
  const socket = connect(Number(new URL(other.url).port), "127.0.0.1");
  await expect(once(socket, "connect")).rejects.toMatchObject({ code: "ECONNREFUSED" });
});
