import { startSimulator, type Simulator } from "../../../src/simulator";
import { describeWithTerraform } from "../../support/terraform";
import { consoleStack, PASSWORD, SECRETS, temporaryFolder, writeStacks } from "../stack-files";
import { TestTerminal } from "../test-terminal";

/* A stack may be on a console that another stack of the run sets up: both engines plan it alike. */

/** Returns the last warning of a plan of the stacks `tenant` and, behind it, `policies`. */
async function plan(simulator: Simulator, ...options: readonly string[]) {
  const directory = temporaryFolder();
  const { resource, ...stack } = consoleStack(simulator);
  const { cwp_bootstrap, cwp_license } = resource as Record<string, unknown>;
  const policies = [{ name: "First", checks: { "41": true } }];
  writeStacks(directory, {
    tenant: { ...stack, resource: { cwp_bootstrap, cwp_license } },
    policies: {
      ...stack,
      resource: { cwp_compliance_policy_set: { policies: { policies } } },
      dependencies: ["tenant"],
    },
  });
  const terminal = new TestTerminal({ directory, environment: SECRETS });
  const code = await terminal.run("plan", "--out-dir", "cdktf.out", ...options);
  const text = terminal.out + terminal.err;
  return { code, warning: text.slice(text.indexOf("Warning: Consoles are not readable yet")) };
}

describeWithTerraform("a stack behind one that sets its console up is planned", () => {
  const signedUp = { username: "admin", password: PASSWORD };
  test.each([
    ["that has no user", {}, "credentials refused"],
    ["that has no license", { signedUp, licensed: false }, "without a license"],
  ])("%s", async (_, options, cause) => {
    const simulator = await startSimulator(options);
    try {
      const embedded = await plan(simulator);
      expect(embedded.code).toBe(0);
      expect(embedded.warning).toContain(`  - 1 ${cause}`);
      expect(await plan(simulator, "--engine", "terraform", "--with-null")).toEqual(embedded);
    } finally {
      await simulator.close();
    }
  });
});
