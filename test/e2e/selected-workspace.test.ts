import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { errorsOf } from "./support/diagnostics";
import { Workspace } from "./support/workspace";

// The embedded engine has one workspace: a run that Terraform would do in another one is refused.

let workspace: Workspace;

beforeEach(async () => {
  workspace = await Workspace.open();
  workspace.write(workspace.stack());
});
afterEach(async () => {
  expect(workspace.requests).toEqual([]);
  await workspace.close();
});

const COMMANDS = ["plan", "apply --auto-approve", "destroy --auto-approve", "show", "state list"];

test.each(COMMANDS)("%s refuses the workspace of TF_WORKSPACE", async (command) => {
  workspace.environment = { ...workspace.environment, TF_WORKSPACE: "stage" };
  const run = await workspace.run(command);
  expect(run.code).toBe(1);
  expect(errorsOf(run, workspace).join()).toMatch(
    /^Unsupported workspace .*TF_WORKSPACE selects the workspace "stage" for stack "prod"/,
  );
});

test("destroy refuses the workspace that terraform selected", async () => {
  const file = join(dirname(workspace.stackFile), ".terraform/environment");
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, "stage");
  const run = await workspace.run("destroy --auto-approve");
  expect(run.code).toBe(1);
  expect(errorsOf(run, workspace).join()).toMatch(/^Unsupported workspace .*workspace "stage"/);
});

test("the default workspace is no other one", async () => {
  workspace.environment = { ...workspace.environment, TF_WORKSPACE: "default" };
  expect(await workspace.run("state list")).toMatchObject({ code: 0, err: "" });
});
