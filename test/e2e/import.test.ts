import type { StackJson } from "../cli/stack-files";
import { LocalBackend } from "../../src/backends/local";
import { errorsOf } from "./support/diagnostics";
import { Workspace } from "./support/workspace";

const SET_UP = {
  signedUp: { username: "admin", password: "correct-horse-battery" },
  licensed: true,
};
const SET = "cwp_compliance_policy_set.policies";

let workspace: Workspace;
beforeEach(async () => {
  workspace = await Workspace.open(SET_UP);
  await workspace.console.edit({ policies: ["one", "two", "three"].map(byHand) }, "somebody");
  workspace.write(policies(["one", "two", "three"]));
});
afterEach(() => workspace.close());

/** A policy made in the console, with a member that no stack knows. */
function byHand(name: string) {
  return {
    name,
    notes: `why ${name} is there`,
    condition: { vulnerabilities: [{ id: 41, block: true }] },
  };
}

function policies(names: readonly string[], more: StackJson = {}): StackJson {
  return workspace.stackOf({
    cwp_compliance_policy_set: {
      policies: {
        "//": { metadata: { path: "quickstart/policies" } },
        policies: names.map((name) => ({ name, checks: { 41: true } })),
        ...more,
      },
    },
  });
}

const names = () => workspace.console.policies().map(({ name }) => name);
const writes = () => workspace.requests.filter((request) => request.startsWith("PUT "));

describe("manual policies", () => {
  test("are imported after an apply was refused, then changed as planned, and restored at the end", async () => {
    workspace.write(policies(["one", "new"]));
    const refused = await workspace.run("apply --auto-approve");
    expect(refused.code).toBe(1);
    expect(refused.err).toContain("Import the collection into cwp_compliance_policy_set first");

    const imported = await workspace.run(`import prod ${SET} container`);
    // Warnings about the policies follow.
    const [out] = imported.out.split("\nWarning: ");
    expect({ ...imported, out }).toEqual({
      code: 0,
      err: "",
      out: [
        `${SET}: Importing from ID "container"...`,
        `${SET}: Import prepared!`,
        "  Prepared cwp_compliance_policy_set for import",
        `${SET}: Refreshing state... [id=container]`,
        "",
        "Import successful!",
        "",
        "The resources that were imported are shown above. These resources are now in",
        "your Terraform state and will henceforth be managed by Terraform.",
        "",
      ].join("\n"),
    });
    expect(writes()).toEqual([]);

    const planned = await workspace.run("plan --detailed-exitcode");
    expect(planned.code).toBe(2);
    expect(planned.out).toContain("Plan: 0 to add, 1 to change, 0 to destroy.");
    expect(planned.out).toContain('+ policy 2 ("new") added: ');
    expect(planned.out).toContain('- policy 3 ("three") removed: ');
    await workspace.apply();
    expect(names()).toEqual(["one", "new"]);
    expect((await workspace.run("plan --detailed-exitcode")).code).toBe(0);

    expect((await workspace.run("destroy --auto-approve")).code).toBe(0);
    expect(workspace.console.policies()).toMatchObject(["one", "two", "three"].map(byHand));
    expect(workspace.stored()).toEqual([]);
  });

  test.each([
    ["all of them, without an ID", "", ["one", "two", "three"], {}],
    ["the first ones", "container:prefix:2", ["one", "two"], { ownership: "prefix" }],
    ["the last one", "container:suffix:1", ["three"], { ownership: "suffix" }],
  ])("%s: an equal configuration changes nothing", async (_, id, own, more) => {
    workspace.write(policies(own, more));
    expect((await workspace.run(`import prod ${SET} ${id}`)).code).toBe(0);
    expect((await workspace.run("plan --detailed-exitcode")).code).toBe(0);
    await workspace.apply();
    expect(writes()).toEqual([]);
  });

  test("are imported with a console that the stack sets up too", async () => {
    const stack = workspace.stack("one");
    workspace.write(stack);
    expect((await workspace.run(`import prod ${SET}`)).code).toBe(0);
    expect(workspace.state()).toContain('"cwp_license.license"');
    const { out } = await workspace.apply();
    expect(out).toContain("Resources: 2 added, 1 changed, 0 destroyed.");
    expect(names()).toEqual(["one"]);
  });
});

test.each(["policies", "quickstart/policies"])(
  "%s: a construct's path is as good as an address",
  async (path) => {
    expect((await workspace.run(`import prod ${path}`)).code).toBe(0);
    expect(workspace.stored()).toEqual([SET]);
  },
);

test("an instance is imported under its key", async () => {
  workspace.write(
    policies(["one", "two", "three"], { for_each: '${toset(["a"])}', provider: "cwp" }),
  );
  expect((await workspace.run(`import prod ${SET}["a"]`)).code).toBe(0);
  expect((await workspace.run("state list")).out).toBe(`${SET}["a"]\n`);
  expect((await workspace.run("plan --detailed-exitcode")).code).toBe(0);
});

describe("nothing is imported, and no state is written:", () => {
  /** The printed errors, one line each. */
  async function refused(command: string): Promise<string[]> {
    const before = workspace.state();
    const errors = errorsOf(await workspace.run(command), workspace);
    expect(workspace.state()).toBe(before);
    expect(writes()).toEqual([]);
    return errors;
  }

  test("an address that the stack does not have", async () => {
    expect(await refused("import prod cwp_compliance_policy_set.polices")).toEqual([
      'Configuration for import target does not exist | with cwp_compliance_policy_set.polices | The stack has no cwp_compliance_policy_set.polices. Add its construct to the stack first. It has cwp_compliance_policy_set.policies (construct quickstart/policies). Did you mean "cwp_compliance_policy_set.policies"?',
    ]);
  });

  test.each([`${SET}[0]`, `${SET}["a"]`])("%s, an instance that there is not", async (address) => {
    expect(await refused(`import prod ${address}`)).toEqual([
      `Configuration for import target does not exist | with ${address} (construct quickstart/policies) | The stack has no ${address}. Add its construct to the stack first. It has ${SET}.`,
    ]);
  });

  test.each(["", "/", "no such construct/at all"])("the path %j", async (path) => {
    const terminal = workspace.terminal();
    expect(await terminal.run("import", "prod", path, "--out-dir", "cdktf.out")).toBe(1);
    expect(terminal.err).toContain("Configuration for import target does not exist");
  });

  test("an address that is in the state", async () => {
    await workspace.apply();
    expect(await refused(`import prod ${SET}`)).toEqual([
      `Resource already managed by Terraform | with ${SET} (construct quickstart/policies) | The state already has an object at ${SET}. To import another one there, remove it from the state first, with "state rm".`,
    ]);
  });

  test.each([
    ["containers", "Invalid import ID"],
    ["container:prefix:4", "Cannot import more entries than exist"],
  ])("the ID %s", async (id, summary) => {
    expect((await refused(`import prod ${SET} ${id}`)).join()).toContain(
      `${summary} | with ${SET}`,
    );
  });

  test("a stack that the app does not have", async () => {
    expect((await refused(`import production ${SET}`)).join()).toContain("No such stack");
  });

  test("credentials that the console refuses", async () => {
    workspace.environment.TF_VAR_CONSOLE_PASSWORD = "canary-wrong-password";
    const errors = (await refused(`import prod ${SET}`)).join();
    expect(errors).toContain(`with ${SET} (construct quickstart/policies)`);
    expect(errors).not.toContain("canary");
  });

  test("a provider that is not known before an apply", async () => {
    const stack = workspace.stackOf({
      null_resource: { gate: {} },
      cwp_compliance_policy_set: { policies: { policies: [] } },
    });
    const { provider } = stack as { provider: { cwp: [StackJson] } };
    provider.cwp[0].username = "${null_resource.gate.id}";
    workspace.write(stack);
    expect(await refused(`import prod ${SET}`)).toEqual([
      `Provider is not configured | with ${SET} | The configuration of provider "cwp" depends on values that are unknown until apply. An import reads from the console.`,
    ]);
  });

  test("a state that another run has locked", async () => {
    const { lock } = await new LocalBackend(workspace.statePath).lock({ operation: "apply" });
    expect((await refused(`import prod ${SET}`)).join()).toMatch(/^State is locked .* apply /);
    expect(workspace.requests).toEqual([]);
    await lock?.release();
    expect((await workspace.run(`import prod ${SET}`)).code).toBe(0);
  });

  test("an interrupt before the console answered", async () => {
    const terminal = workspace.terminal();
    const { write } = terminal.stdout;
    terminal.stdout.write = (text) => {
      write(text);
      if (text.includes("Importing from ID")) terminal.interrupt();
    };
    expect(await terminal.run("import", "prod", SET, "--out-dir", "cdktf.out")).toBe(130);
    expect(terminal.out).toContain("The import was interrupted. Nothing was changed.");
    expect(workspace.files()).toEqual([]);
  });

  test.each([
    ["cwp_bootstrap.bootstrap", "An apply adopts a console that was signed up before"],
    ["cwp_license.license", "An apply installs the key"],
  ])("%s, which needs no import", async (address, instead) => {
    workspace.write(workspace.stack());
    const [error] = await refused(`import prod ${address}`);
    expect(error).toContain(`Resource does not support import | with ${address}`);
    expect(error).toContain(instead);
  });
});
