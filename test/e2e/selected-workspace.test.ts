import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { LocalBackend } from "../../src/backends/local";
import { errorsOf } from "./support/diagnostics";
import { Workspace, type Run } from "./support/workspace";

// Every command uses the workspace that Terraform would use, and no other one.

let workspace: Workspace;
let folder: string;

beforeEach(async () => {
  workspace = await Workspace.open();
  folder = dirname(workspace.stackFile);
  workspace.write(
    workspace.stackOf(
      { null_resource: { a: { triggers: { in: "${terraform.workspace}" } } } },
      { output: { in: { value: "${terraform.workspace}" } } },
    ),
  );
});
afterEach(() => workspace.close());

const stateOf = (name: string) => join(folder, "terraform.tfstate.d", name, "terraform.tfstate");

/** Runs a command with TF_WORKSPACE. */
async function runIn(name: string, command: string): Promise<Run> {
  const { environment } = workspace;
  workspace.environment = { ...environment, TF_WORKSPACE: name };
  const run = await workspace.run(command);
  workspace.environment = environment;
  return run;
}

function select(name: string): void {
  mkdirSync(join(folder, ".terraform"), { recursive: true });
  writeFileSync(join(folder, ".terraform/environment"), name);
}

const APPLY = "apply --auto-approve";
const DESTROY = "destroy --auto-approve";

test("destroy in a workspace without objects destroys nothing of the default one", async () => {
  await workspace.apply();
  const before = workspace.state();
  const run = await runIn("stage", DESTROY);
  expect(run).toMatchObject({ code: 0, err: "" });
  expect(run.out).toMatch(/^\nStack prod \(workspace stage\)\n\nNo changes\./);
  expect(workspace.state()).toBe(before);
});

test("destroy destroys the objects of the selected workspace only", async () => {
  await workspace.apply();
  const before = workspace.state();
  await runIn("stage", APPLY);
  select("stage");
  expect((await workspace.run(DESTROY)).out).toContain("Resources: 1 destroyed.");
  expect(JSON.parse(readFileSync(stateOf("stage"), "utf8"))).toMatchObject({ resources: [] });
  expect(workspace.state()).toBe(before);
});

test("commands read and change the state of the selected workspace", async () => {
  await workspace.apply();
  const before = workspace.state();
  const commands: [command: string, out: RegExp][] = [
    ["state list", /^$/],
    [APPLY, /in = "stage"\n$/],
    ["show", /"in" = "stage"/],
    ["output in", /^"stage"\n$/],
    ["state show null_resource.a", /"in" = "stage"/],
    ["taint null_resource.a", /has been marked as tainted/],
    ["untaint null_resource.a", /successfully untainted/],
    ["state mv null_resource.a null_resource.b", /Successfully moved/],
    ["state rm null_resource.b", /Removed null_resource.b/],
  ];
  for (const [command, out] of commands) {
    const run = await runIn("stage", command);
    expect(run).toMatchObject({ code: 0, err: "" });
    expect(run.out).toMatch(out);
  }
  expect(workspace.state()).toBe(before);
});

test("import writes the state of the selected workspace", async () => {
  workspace.write(workspace.stack());
  await workspace.apply();
  const before = workspace.state();
  const address = "cwp_compliance_policy_set.policies";
  expect(await runIn("stage", `import prod ${address}`)).toMatchObject({ code: 0, err: "" });
  expect((await runIn("stage", "state list")).out).toBe(`${address}\n`);
  expect(workspace.state()).toBe(before);
});

test("lock and backup belong to the workspace", async () => {
  await runIn("stage", APPLY);
  const { lock } = await new LocalBackend(stateOf("stage")).lock({ operation: "apply" });
  const { id } = lock!;
  const locked = await runIn("stage", "plan");
  expect(locked.code).toBe(1);
  expect(locked.err).toContain(id);
  expect((await workspace.run("plan")).code).toBe(0);
  expect((await workspace.run(`force-unlock ${id} --force`)).code).toBe(1);
  expect((await runIn("stage", `force-unlock ${id} --force`)).code).toBe(0);

  await runIn("stage", "state rm null_resource.a");
  expect(readdirSync(dirname(stateOf("stage"))).sort()).toEqual([
    "terraform.tfstate",
    "terraform.tfstate.backup",
  ]);
  expect(workspace.files()).toEqual([]);
});

test("workspace_dir of the backend has the other workspaces", async () => {
  const backend = { local: { path: workspace.statePath, workspace_dir: "../../../spaces" } };
  const json = JSON.parse(readFileSync(workspace.stackFile, "utf8")) as { terraform: object };
  const stack = { ...json, terraform: { ...json.terraform, backend } };
  writeFileSync(workspace.stackFile, JSON.stringify(stack));
  await runIn("stage", APPLY);
  expect(readdirSync(join(workspace.directory, "spaces/stage"))).toEqual(["terraform.tfstate"]);
  expect(workspace.state()).toBeUndefined();
});

test("a workspace that Terraform has selected is used, unless TF_WORKSPACE has another", async () => {
  select("blue");
  expect((await workspace.run("plan")).out).toContain("Stack prod (workspace blue)");
  expect((await runIn("stage", "plan")).out).toContain("Stack prod (workspace stage)");
  expect((await runIn("default", "plan")).out).not.toContain("workspace");
});

test("an invalid name is refused", async () => {
  const run = await runIn("../prod", DESTROY);
  expect(run.code).toBe(1);
  expect(errorsOf(run, workspace).join()).toMatch(/^Invalid workspace name set using TF_WORKSPACE/);
  expect((await runIn("a b", "state list")).code).toBe(1);
});

describe("the name of the workspace", () => {
  test("is in the JSON stream", async () => {
    const { out } = await runIn("stage", `${APPLY} --json`);
    const summaries = out.split("\n").filter((line) => line.includes('"type":"change_summary"'));
    expect(summaries.map((line) => JSON.parse(line) as object)).toMatchObject([
      { changes: { operation: "plan" }, workspace: "stage" },
      { changes: { operation: "apply" }, workspace: "stage" },
    ]);
  });

  test("is in the reviews", async () => {
    await runIn("stage", "plan --html plan.html --markdown plan.md");
    const read = (name: string) => readFileSync(join(workspace.directory, name), "utf8");
    expect(read("plan.html")).toContain("<h1>Plan of prod (workspace stage)</h1>");
    expect(read("plan.md")).toMatch(/^### Plan: 1 to add, .* in workspace <code>stage<\/code>\n/);
  });

  test.each([
    ["apply", 'Do you want to perform these actions in workspace "stage"?'],
    ["destroy", 'Do you really want to destroy all resources in workspace "stage"?'],
  ])("is in the question of %s", async (command, question) => {
    await runIn("stage", APPLY);
    workspace.write(workspace.stackOf({ null_resource: { b: {} } }));
    workspace.environment = { ...workspace.environment, TF_WORKSPACE: "stage" };
    const terminal = workspace.terminal(["no"]);
    expect(await terminal.run(command, "--out-dir", "cdktf.out")).toBe(1);
    expect(terminal.out).toContain(question);
  });
});

describe("a saved plan", () => {
  test("is applied in its workspace only", async () => {
    await runIn("stage", "plan --out saved.plan");
    const elsewhere = await workspace.runBare("apply saved.plan");
    expect(elsewhere.code).toBe(1);
    expect(errorsOf(elsewhere, workspace).join()).toMatch(
      /^Plan of another workspace .*made in the workspace "stage", and the workspace "default" is/,
    );
    expect(workspace.state()).toBeUndefined();

    select("stage");
    expect(await workspace.runBare("apply saved.plan")).toMatchObject({ code: 0, err: "" });
    expect(existsSync(stateOf("stage"))).toBe(true);
    expect(workspace.state()).toBeUndefined();
  });

  test("shows its workspace", async () => {
    await runIn("stage", "plan --out saved.plan");
    const { out } = await workspace.runBare("show saved.plan");
    expect(out).toMatch(/^\nStack prod \(workspace stage\)\n/);
  });
});
