import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { LocalBackend } from "../../src/backends/local";
import { temporaryFolder, writeStacks, type StackJson } from "../cli/stack-files";
import { describeWithTerraform } from "../support/terraform";
import { startCli } from "./support/bundle";
import { TERRAFORM } from "./support/engines";
import { synthesizeQuickstart } from "./support/synthesized";
import { Tenant } from "./support/tenant";

jest.setTimeout(600_000);

/** Stacks without a console, in a separate folder. */
function stacksOf(stacks: Record<string, StackJson & { dependencies?: string[] }>) {
  const directory = temporaryFolder();
  const outDir = writeStacks(directory, stacks);
  const start = (command: string, environment: Record<string, string> = {}) =>
    startCli([...command.split(" "), "--out-dir", outDir], { cwd: directory, environment });
  const state = (name: string) =>
    readFileSync(join(directory, `terraform.${name}.tfstate`), "utf8");
  return { directory, outDir, start, state, run: (command: string) => start(command).ended };
}

const gate = (more: StackJson = {}): StackJson => ({ resource: { null_resource: { gate: more } } });
const NULL_INSTANCE = {
  schemaVersion: 0,
  sensitivePaths: [],
  dependencies: [],
  createBeforeDestroy: false,
};
const failing = gate({
  lifecycle: [{ precondition: { condition: "${1 > 2}", error_message: "It never holds." } }],
});

describeWithTerraform("--engine terraform", () => {
  test("continues in a workspace that the executor has written first", async () => {
    const stacks = stacksOf({ a: gate() });
    const environment = { TF_WORKSPACE: "stage" };
    const done = (command: string) => stacks.start(command, environment).ended;
    expect(await done("apply --auto-approve")).toMatchObject({ code: 0, err: "" });
    const planned = await done(`plan --detailed-exitcode ${TERRAFORM}`);
    expect(planned).toMatchObject({ code: 0, err: "" });
    expect(planned.out).toContain("No changes.");
  });

  test("reads a workspace that does not exist yet as an empty one", async () => {
    const stacks = stacksOf({ a: gate() });
    const done = (command: string, workspace: string) =>
      stacks.start(`${command} ${TERRAFORM}`, { TF_WORKSPACE: workspace }).ended;
    expect(await done("apply --auto-approve", "stage")).toMatchObject({ code: 0, err: "" });
    for (const command of ["state list", "state pull"]) {
      expect(await done(command, "later")).toMatchObject({ code: 0, out: "", err: "" });
    }
    expect(await done("validate", "later")).toMatchObject({ code: 0, err: "" });
    expect((await done("apply --auto-approve", "later")).out).toContain("1 added");
    expect((await done("state list", "stage")).out).toBe("null_resource.gate\n");
  });

  test("initializes a folder whose selected workspace does not exist, among others", async () => {
    const stacks = stacksOf({ a: gate() });
    const inWorkspace = (TF_WORKSPACE: string) => ({ TF_WORKSPACE });
    const applied = stacks.start("apply --auto-approve", inWorkspace("stage"));
    expect(await applied.ended).toMatchObject({ code: 0, err: "" });
    const listed = stacks.start(`state list ${TERRAFORM}`, inWorkspace("later"));
    expect(await listed.ended).toMatchObject({ code: 0, out: "", err: "" });
  });

  test("initializes again when the backend of a stack changes, which Terraform asks about", async () => {
    const { directory, run } = stacksOf({ a: gate() });
    expect(await run(`plan ${TERRAFORM}`)).toMatchObject({ code: 0, err: "" });
    const backend = { local: { path: join(directory, "moved.tfstate") } };
    const required_providers = { null: { source: "null" } };
    writeStacks(directory, { a: { ...gate(), terraform: { backend, required_providers } } });
    const { err } = await run(`plan ${TERRAFORM}`);
    expect(err).toContain('"terraform init" failed');
    expect(err).toContain("Backend configuration changed");
  });

  test("applies the quickstart to a fresh console, and destroys it", async () => {
    const tenant = await Tenant.open(synthesizeQuickstart());
    try {
      const before = tenant.policyNames;
      const planned = await tenant.run(`plan --detailed-exitcode ${TERRAFORM}`);
      expect(planned).toMatchObject({ code: 2, err: "" });
      expect(planned.out).toContain("Plan: 6 to add, 0 to change, 0 to destroy.");

      const applied = await tenant.run(`apply --auto-approve ${TERRAFORM}`);
      expect(applied).toMatchObject({ code: 0, err: "" });
      expect(applied.out).toContain("Apply complete! Resources: 6 added");
      expect(tenant.policyNames).toContain("Hardened hosts");
      for (const engine of [TERRAFORM, "--engine embedded"]) {
        const again = await tenant.run(`plan --detailed-exitcode ${engine}`);
        expect(again).toMatchObject({ code: 0, err: "" });
        expect(again.out).toContain("No changes. Your infrastructure matches the configuration.");
      }

      const destroyed = await tenant.run(`destroy --auto-approve --json ${TERRAFORM}`);
      expect(destroyed).toMatchObject({ code: 0, err: "" });
      const types = destroyed.out
        .trim()
        .split("\n")
        .map((line) => (JSON.parse(line) as { type: string }).type);
      expect([types[0], types.at(-1)]).toEqual(["version", "change_summary"]);
      expect(tenant.policyNames).toEqual(before);
    } finally {
      await tenant.close();
    }
  });

  test("runs stacks after their dependencies, and skips dependents of a failure", async () => {
    const { run, state } = stacksOf({
      last: { ...gate(), dependencies: ["first"] },
      first: gate(),
      alone: gate(),
    });
    const { code, out } = await run(`apply --auto-approve ${TERRAFORM}`);
    expect(code).toBe(0);
    // The stacks of one layer are planned at once.
    expect(out.indexOf("null_resource.gate: Creating")).toBeLessThan(
      out.lastIndexOf("will be created"),
    );
    expect(out).toMatch(
      /first {2}null_resource\.gate: Creation[^]*last {2}null_resource\.gate: Creat/,
    );
    expect(state("last")).toContain("null_resource");
    const destroyed = await run(`destroy --auto-approve ${TERRAFORM}`);
    expect(destroyed.code).toBe(0);
    expect(destroyed.out).toMatch(
      /last {2}null_resource\.gate: Destruction[^]*first {2}null_resource\.gate: Destroy/,
    );

    const broken = stacksOf({
      last: { ...gate(), dependencies: ["first"] },
      first: failing,
      alone: gate(),
    });
    const failed = await broken.run(`apply --auto-approve ${TERRAFORM}`);
    expect(failed.code).toBe(1);
    expect(failed.err).toContain("It never holds.");
    expect(failed.err).toContain('The apply of stack "last" was skipped because "first" failed.');
    expect(broken.state("alone")).toContain("null_resource");
  });

  test("stores the journal of a killed run of the embedded engine before terraform reads the state", async () => {
    const { directory, run, state } = stacksOf({ prod: gate() });
    const location = join(directory, "terraform.prod.tfstate");
    const backend = new LocalBackend(location, directory);
    const { lock } = await backend.lock({ operation: "apply" });
    await backend.read();
    const { journal } = await backend.journal();
    const kept = await run(`plan ${TERRAFORM}`);
    expect(kept.code).toBe(1);
    expect(kept.err).toContain("State is locked");

    await journal?.append({
      kind: "instance",
      address: "null_resource.gate",
      provider: 'provider["registry.terraform.io/hashicorp/null"]',
      instance: { ...NULL_INSTANCE, attributes: { id: "7", triggers: null } },
    });
    await journal?.close();
    await lock?.release();
    const { code, out } = await run(`plan --detailed-exitcode ${TERRAFORM}`);
    expect(out).toContain("Warning: The journal was stored");
    expect(out).toContain("No changes.");
    expect(code).toBe(0);
    expect(state("prod")).toContain('"id": "7"');
    expect(existsSync(`${location}.journal`)).toBe(false);
  });

  test("forwards an interrupt once, waits, and reports the interruption", async () => {
    const command = "echo started; sleep 30";
    const { directory, start } = stacksOf({
      prod: gate({ provisioner: [{ "local-exec": { command } }] }),
    });
    const applying = start(`apply --auto-approve ${TERRAFORM}`);
    await applying.printed("started");
    applying.child.kill("SIGINT");
    const { code, out, err } = await applying.ended;
    expect({ code, out: out + err }).toMatchObject({ code: 130 });
    expect(err).toContain("Interrupted. Waiting for operations in progress");
    expect(out + err).not.toContain("Two interrupts received");
    expect(existsSync(join(directory, "terraform.prod.tfstate.lock"))).toBe(false);
  });

  test("explains what to do if hashicorp/null is not available", async () => {
    const directory = temporaryFolder();
    const outDir = writeStacks(directory, { prod: gate() });
    const { code, err } = await startCli(["plan", "--out-dir", outDir, "--engine", "terraform"], {
      cwd: directory,
      // Nothing is there.
      environment: { HTTPS_PROXY: "http://127.0.0.1:9" },
    }).ended;
    expect(code).toBe(1);
    expect(err).toContain("Error: The stack was not initialized");
    expect(err).toContain("--engine terraform --with-null");
  });

  test("passes values of variables outside the command line, from the sources of the embedded engine", async () => {
    const variable = {
      size: { type: "number" },
      names: { type: "list(string)" },
      SECRET: { type: "string", sensitive: true, ephemeral: true },
    };
    const output = { shown: { value: '${var.size}${join("", var.names)}' } };
    const { start } = stacksOf({ prod: { ...gate(), variable, output } });
    const given = `apply --auto-approve --var size=3 --var names=["a","b"]`;
    const ended = [];
    for (const engine of [TERRAFORM, "--engine embedded"]) {
      ended.push(await start(`${given} ${engine}`, { SECRET: "canary" }).ended);
    }
    expect(ended.map(({ code }) => code)).toEqual([0, 0]);
    expect(ended[0]?.out).toContain('shown = "3ab"');
    expect(ended[1]?.out).toContain("No changes.");
  });
});
