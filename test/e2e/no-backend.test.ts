import { existsSync } from "node:fs";
import { join } from "node:path";
import { TerraformStack, type App } from "cdktf";
import { CompliancePolicySet } from "../../src";
import { describeWithTerraform } from "../support/terraform";
import { TERRAFORM } from "./support/engines";
import { SIGNED_UP } from "./support/fleet";
import { addConsole, synthesize } from "./support/synthesized";
import { Tenant } from "./support/tenant";

// Hosted runners choose the place of the state themselves, so the stack must not name one.

const withoutBackend = synthesize((app: App) => {
  const stack = new TerraformStack(app, "prod");
  addConsole(stack);
  new CompliancePolicySet(stack, "policies", {
    policies: [{ name: "First", checks: { 41: true } }],
  });
  // cdktf adds a local backend to a stack that has none.
  stack.addOverride("terraform.backend", undefined);
});

describeWithTerraform("a stack without a backend block", () => {
  test.each([
    ["embedded", "--engine embedded", TERRAFORM],
    ["terraform", TERRAFORM, "--engine embedded"],
  ])("is applied by %s, planned by both and destroyed by the other", async (_, one, other) => {
    const tenant = await Tenant.open(withoutBackend, { signedUp: SIGNED_UP, licensed: true });
    expect([...withoutBackend.values()].join()).not.toMatch(/"backend": \{/);
    const before = tenant.policyNames;
    const succeed = async (command: string) => {
      const { code, err } = await tenant.run(command);
      expect({ command, code, err }).toEqual({ command, code: 0, err: "" });
    };
    try {
      await succeed(`apply --auto-approve ${one}`);
      expect(tenant.policyNames).toEqual(["First"]);
      for (const engine of [one, other]) await succeed(`plan --detailed-exitcode ${engine}`);
      await succeed(`destroy --auto-approve ${other}`);
      expect(tenant.policyNames).toEqual(before);
      // Terraform keeps it in the folder of the stack, too.
      expect(existsSync(join(tenant.outDir, "stacks/prod/terraform.tfstate"))).toBe(true);
      expect(tenant.files()).toEqual([]);
    } finally {
      await tenant.close();
    }
  });
});
