import { TerraformStack, Testing } from "cdktf";
import { CompliancePolicySet, ConsoleProvider, Secret } from "../../src";

test("cdktf's HCL output has the same attributes", () => {
  const stack = new TerraformStack(Testing.app(), "demo");
  new ConsoleProvider(stack, "console", { password: Secret.fromEnv("PASSWORD"), maxRetries: 2 });
  new CompliancePolicySet(stack, "policies", {
    policies: [{ name: "n", resources: { accountIds: ["a"] }, checks: { 41: true } }],
  });
  const hcl = String(Testing.synthHcl(stack)).replace(/\s+/g, " ");
  expect(hcl).toContain('provider "cwp" { password = "${var.PASSWORD}" max_retries = 2 }');
  expect(hcl).toContain(
    'policies = [ { name = "n" resources = { account_ids = [ "a", ] } checks = { "41" = true } }, ]',
  );
});
