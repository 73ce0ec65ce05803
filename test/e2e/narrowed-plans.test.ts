import { errorsOf } from "./support/diagnostics";
import { Workspace } from "./support/workspace";

const SET = "cwp_compliance_policy_set.policies";

let workspace: Workspace;
beforeEach(async () => {
  workspace = await Workspace.open();
});
afterEach(() => workspace.close());

const writes = () => workspace.requests.filter((request) => request.startsWith("PUT ")).length;

describe("--refresh-only", () => {
  beforeEach(async () => {
    await workspace.apply();
  });

  const disable = () => {
    const [policy] = workspace.console.policies();
    if (!policy) throw new Error("no policy");
    return workspace.console.edit({ policies: [{ ...policy, disabled: true }] }, "somebody");
  };

  test("reports that nothing has changed outside", async () => {
    const { code, out, err } = await workspace.run("plan --refresh-only --detailed-exitcode");
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(out.replaceAll(/\s+/g, " ")).toContain(
      "No changes. Your infrastructure still matches the configuration. " +
        "cdktf-console has checked that the real remote objects still match the result of " +
        "your most recent changes, and found no differences.",
    );
  });

  test("shows drift, and stores it without writing to the console", async () => {
    await disable();
    const before = writes();
    const planned = await workspace.run("plan --refresh-only --detailed-exitcode");
    expect(planned).toMatchObject({ code: 2, err: "" });
    expect(planned.out).toContain("\nNote: Objects have changed outside of the stacks\n");
    expect(planned.out).toContain(`\n  # ${SET} has changed\n`);
    expect(planned.out).toContain('~ policy 1 ("First")\n              disabled');
    expect(planned.out).toMatch(
      /\n\n\nThis is a refresh-only plan, so cdktf-console will not take any actions to\nundo these\. /,
    );
    expect(planned.out).not.toContain("will be updated in-place");
    expect(planned.out).not.toContain("Terraform");

    const terminal = workspace.terminal(["yes"]);
    expect(await terminal.run("apply", "--refresh-only", "--out-dir", "cdktf.out")).toBe(0);
    expect(terminal.out).toContain(
      "\nWould you like to update the state to reflect these detected changes?\n",
    );
    expect(terminal.out).toContain("Apply complete! Resources: 0 added, 0 changed, 0 destroyed.");
    expect(writes()).toBe(before);
    expect(workspace.state()).toContain('"disabled": true');
    expect((await workspace.run("plan --refresh-only --detailed-exitcode")).code).toBe(0);
    expect((await workspace.run("plan --detailed-exitcode")).code).toBe(2);
  });

  test("is refused without a refresh and with a replacement", async () => {
    const useless = await workspace.run("plan --refresh-only --refresh=false");
    expect(errorsOf(useless, workspace)).toEqual([
      "Incompatible refresh options |  | It doesn't make sense to use --refresh-only at the same time as --refresh=false, because there would be nothing to do.",
    ]);
    const conflict = await workspace.run(`apply --refresh-only --replace ${SET}`);
    expect(conflict.code).toBe(1);
    expect(conflict.err).toContain("cannot be used with option '--replace <address>'");
  });
});

test("--target applies a part, with two warnings", async () => {
  const { code, out, err } = await workspace.run(
    "apply --auto-approve --target cwp_license.license",
  );
  expect({ code, err }).toEqual({ code: 0, err: "" });
  expect(out).toContain("Plan: 2 to add, 0 to change, 0 to destroy.");
  expect(out).toContain(
    "\nWarning: Resource targeting is in effect\n\n" +
      "You are creating a plan with the --target option, which means that the result\n" +
      "of this plan may not represent all of the changes requested by the current\n" +
      "configuration.\n",
  );
  expect(out).toContain("\nWarning: Applied changes may be incomplete\n");
  expect(out).toContain("changes are pending:\n    cdktf-console plan\n");
  expect(workspace.stored()).toEqual(["cwp_bootstrap.bootstrap", "cwp_license.license"]);
  expect((await workspace.apply()).out).toContain("Resources: 1 added, 0 changed, 0 destroyed.");

  const gone = await workspace.run("destroy --auto-approve --target cwp_license.license");
  expect(gone.out).toContain("Destroy complete! Resources: 2 destroyed.");
  expect(workspace.stored()).toEqual(["cwp_bootstrap.bootstrap"]);
});

test("--replace replaces an unchanged object", async () => {
  await workspace.apply();
  const { out } = await workspace.run(`apply --auto-approve --replace ${SET}`);
  expect(out).toContain(`  # ${SET} will be replaced, as requested\n`);
  expect(out).toContain("Resources: 1 added, 0 changed, 1 destroyed.");
});

test("plan --destroy shows the changes of destroy", async () => {
  await workspace.apply();
  const { code, out } = await workspace.run("plan --destroy --detailed-exitcode");
  expect(code).toBe(2);
  expect(out).toContain("Plan: 0 to add, 0 to change, 3 to destroy.");
});
