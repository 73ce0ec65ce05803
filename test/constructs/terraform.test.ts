import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { App, TerraformStack } from "cdktf";
import { CompliancePolicySet, ConsoleBootstrap, ConsoleProvider, License, Secret } from "../../src";
import { describeWithTerraform, terraform } from "../support/terraform";

// Without the provider Terraform reads everything but the bodies of resources and providers.
describeWithTerraform("under Terraform", () => {
  test("loads the stack", () => {
    const outdir = mkdtempSync(join(tmpdir(), "cdktf-console-"));
    try {
      const app = new App({ outdir });
      const stack = new TerraformStack(app, "demo");
      new ConsoleProvider(stack, "console", { password: Secret.fromEnv("PASSWORD") });
      new ConsoleBootstrap(stack, "bootstrap");
      new License(stack, "license", { key: Secret.unsafePlainText("${x}") });
      new CompliancePolicySet(stack, "policies", { policies: [] });
      app.synth();
      const cwd = join(outdir, "stacks/demo");
      withoutBackend(join(cwd, "cdk.tf.json"));
      const providers = terraform(["providers", "-no-color"], { cwd });
      expect(providers).toContain("provider[registry.terraform.io/cdktf-console/cwp] 0.2.0");
      expect(providers).toContain("provider[registry.terraform.io/hashicorp/null] 3.2.4");
    } finally {
      rmSync(outdir, { recursive: true, force: true });
    }
  });
});

/** A backend wants `terraform init`, which wants the provider. */
function withoutBackend(file: string): void {
  const stack = JSON.parse(readFileSync(file, "utf8")) as { terraform: object };
  const terraform = { ...stack.terraform, backend: undefined };
  writeFileSync(file, JSON.stringify({ ...stack, terraform }));
}
