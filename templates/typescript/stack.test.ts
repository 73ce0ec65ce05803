import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { App, LocalBackend } from "cdktf";
import {
  applyStacks,
  matchers,
  planStacks,
  startTestConsole,
  type TestConsole,
} from "cdktf-console/testing";
import { ProductionStack } from "./stack";

expect.extend(matchers);

let served: TestConsole;
let folder: string;

beforeEach(async () => {
  served = await startTestConsole();
  folder = mkdtempSync(join(tmpdir(), "stack-"));
});

afterEach(async () => {
  await served.close();
  rmSync(folder, { recursive: true });
});

function testApp(): App {
  const app = new App({ outdir: join(folder, "cdktf.out") });
  const stack = new ProductionStack(app, "production");
  new LocalBackend(stack, { path: join(folder, "production.tfstate") });
  return app;
}

test("sets up a new console, and plans no changes after it", async () => {
  await applyStacks(testApp(), served.environment);
  expect(served).toHavePolicyOrder(["No root in production", "Everything else"]);
  expect(await planStacks(testApp(), served.environment)).toPlanNoChanges();
});
