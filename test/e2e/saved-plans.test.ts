import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { SECRETS, type StackJson } from "../cli/stack-files";
import { errorsOf } from "./support/diagnostics";
import { Workspace } from "./support/workspace";

const SET = "cwp_compliance_policy_set";
const PASSWORD = SECRETS.TF_VAR_CONSOLE_PASSWORD;

let workspace: Workspace;
beforeEach(async () => {
  workspace = await Workspace.open({
    signedUp: { username: "admin", password: PASSWORD },
    licensed: true,
  });
});
afterEach(() => workspace.close());

/** Policies, and no ephemeral variable: sealing one is made to take its time. */
function withoutSecrets(policy: string, more: StackJson = {}): void {
  const { resource, ...stack } = workspace.stack(policy);
  const { policies } = (resource as Record<string, Record<string, object>>)[SET] ?? {};
  workspace.write({
    ...stack,
    variable: { CONSOLE_PASSWORD: { type: "string", sensitive: true } },
    resource: { [SET]: { policies: { ...policies, ...more, depends_on: [] } } },
  });
}

const path = () => join(workspace.directory, "p");
const content = () => readFileSync(path(), "utf8");
const writes = () =>
  workspace.requests.filter(
    (request) => /^(PUT|POST) /.test(request) && !request.includes("/authenticate"),
  );

/** Saves a plan, and fails where that fails. */
async function saved(options = ""): Promise<string> {
  const run = await workspace.run(`plan --out p ${options}`);
  if (run.code !== 0) throw new Error(run.err);
  return run.out;
}

/** Applies it without the synthesized stacks. */
const applySaved = (options = "") => workspace.runBare(`apply p ${options}`);

test("a saved plan is shown and applied without the stacks and without a question", async () => {
  withoutSecrets("First");
  const out = await saved();
  expect(out).toMatch(
    /\n─{77}\n\nSaved the plan to: p\n\nTo perform exactly these actions, run the following command to apply:\n {4}cdktf-console apply "p"\n$/,
  );
  expect(writes()).toEqual([]);
  const shown = await workspace.runBare("show p");
  expect(shown).toMatchObject({ code: 0, err: "" });
  expect(shown.out).toContain("Plan: 1 to add, 0 to change, 0 to destroy.");
  // Warnings and the note about the file follow it.
  expect(out.startsWith(shown.out)).toBe(true);
  expect(JSON.parse((await workspace.runBare("show --json p")).out)).toMatchObject({
    format_version: "1.2",
    applyable: true,
    resource_changes: [
      { address: "cwp_compliance_policy_set.policies", change: { actions: ["create"] } },
    ],
    output_changes: { policy: { actions: ["create"], after: "First" } },
  });

  const { code, out: applied, err } = await applySaved();
  expect({ code, err }).toEqual({ code: 0, err: "" });
  expect(applied).toContain("Apply complete! Resources: 1 added, 0 changed, 0 destroyed.");
  expect(applied).not.toContain("will perform");
  expect((await workspace.run("plan --detailed-exitcode")).code).toBe(0);

  expect(errorsOf(await applySaved(), workspace)).toEqual([
    "Saved plan is stale |  | The given plan file can no longer be applied because the state was changed by another operation after the plan was created. It was made from serial 0; the state has serial 1 now. Plan again.",
  ]);
});

test("refuses a damaged file", async () => {
  withoutSecrets("First");
  await saved();
  const whole = content();
  for (const damaged of [whole.slice(0, -100), whole.replace('"First"', '"Other"')]) {
    writeFileSync(path(), damaged);
    const [error] = errorsOf(await applySaved(), workspace);
    expect(error).toMatch(/^Failed to load "p" as a plan file \| {2}\| The file (is|was) /);
    expect(errorsOf(await workspace.runBare("show p"), workspace)).toEqual([error]);
  }
  expect(writes()).toEqual([]);
});

test("stores no secret in the file, which only its owner can read, and requires the same secrets again", async () => {
  await saved();
  if (process.platform !== "win32") expect(statSync(path()).mode & 0o777).toBe(0o600);
  for (const secret of Object.values(SECRETS)) expect(content()).not.toContain(secret);
  workspace.environment = { TF_VAR_CONSOLE_PASSWORD: PASSWORD };
  const [error] = errorsOf(await applySaved(), workspace);
  expect(error).toContain('The variable "CONSOLE_LICENSE_KEY" is not set');

  workspace.environment = { ...SECRETS, TF_VAR_CONSOLE_LICENSE_KEY: "another-key" };
  expect(errorsOf(await applySaved(), workspace)).toEqual([
    "Ephemeral variable has another value | with var.CONSOLE_LICENSE_KEY | The value of var.CONSOLE_LICENSE_KEY is not the one that the plan was made with. Give that value, or plan again.",
  ]);
  expect(writes()).toEqual([]);
  workspace.environment = { ...SECRETS };
  expect((await applySaved()).code).toBe(0);
});

test("does nothing if the console has changed since", async () => {
  withoutSecrets("First");
  await workspace.apply();
  withoutSecrets("Second");
  await saved();
  const before = writes().length;
  const [policy] = workspace.console.policies();
  await workspace.console.edit({ policies: [{ ...policy, disabled: true }] }, "somebody");
  expect(errorsOf(await applySaved(), workspace)).toEqual([
    "Saved plan can no longer be applied |  | The plan has changed since it was saved: - cwp_compliance_policy_set.policies content_sha256 was changed since the plan was made policies[0].disabled was changed since the plan was made Nothing was changed. Plan again, and review that plan.",
  ]);
  expect(writes()).toHaveLength(before);
});

test("does nothing if unmanaged policies of the collection have changed", async () => {
  withoutSecrets("First", { ownership: "prefix" });
  await workspace.apply();
  withoutSecrets("Second", { ownership: "prefix" });
  await saved();
  const before = writes().length;
  const policies = [...workspace.console.policies(), { name: "By hand", condition: {} }];
  await workspace.console.edit({ policies }, "somebody");
  const [error] = errorsOf(await applySaved(), workspace);
  expect(error).toContain("other objects of its collection were changed since");
  expect(writes()).toHaveLength(before);
});

test("checks that the named stacks are those of the plan", async () => {
  withoutSecrets("First");
  await saved();
  withoutSecrets("Second");
  expect(errorsOf(await workspace.run("apply p"), workspace)).toEqual([
    'Plan of another configuration |  | The configuration of the stack "prod" has changed since the plan was made. Plan again.',
  ]);
  withoutSecrets("First");
  expect((await workspace.run("apply p")).code).toBe(0);
});

test("refuses options that the plan contains, and plan files in destroy", async () => {
  withoutSecrets("First");
  await saved(`--target ${SET}.policies`);
  for (const option of ["--target a.b", "--replace a.b", "--refresh-only", "--refresh=false"]) {
    const [error] = errorsOf(await applySaved(option), workspace);
    expect(error).toMatch(/^Option cannot be used with a saved plan \| /);
  }
  const refused = await workspace.runBare("destroy p");
  expect(refused.err).toContain("Error: Destroy can't be called with a plan file");
  const { out } = await applySaved();
  expect(out).toContain("Warning: Applied changes may be incomplete");
  expect(workspace.stored()).toEqual([`${SET}.policies`]);
});

test("treats a name that is not a file as the name of a stack", async () => {
  expect((await workspace.run("apply p --auto-approve")).err).toContain(
    'There is no stack named "p"',
  );
  expect((await workspace.runBare("show p")).err).toContain("no such file or directory");
});
