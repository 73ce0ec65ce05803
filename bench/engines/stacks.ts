import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { App, LocalBackend, TerraformStack } from "cdktf";
import { CompliancePolicySet, ConsoleProvider, Secret } from "cdktf-console";
import type { Served } from "../command";

export const PASSWORD = "bench-only-password";

/** Synthesizes a stack with this number of policies for each console. Returns the folder of the stacks. */
export function writeStacks(folder: string, consoles: readonly Served[], policies: number): string {
  mkdirSync(folder, { recursive: true });
  const app = new App({ outdir: join(folder, "cdktf.out") });
  for (const { name, url, caFile } of consoles) {
    const stack = new TerraformStack(app, name);
    new LocalBackend(stack, { path: join(folder, `terraform.${name}.tfstate`) });
    new ConsoleProvider(stack, "console", {
      baseUrl: url,
      caCertificateFile: caFile,
      username: "admin",
      password: Secret.fromEnv("CONSOLE_PASSWORD"),
    });
    new CompliancePolicySet(stack, "policies", {
      policies: Array.from({ length: policies }, (_, index) => ({
        name: `Policy ${index}`,
        resources: { namespaces: [`team-${index}-*`] },
        checks: { 41: index % 2 === 0, 599: true },
      })),
    });
  }
  app.synth();
  return app.outdir;
}

/** Writes a configuration with one `terraform_data`, which needs no provider. */
export function writeTerraformData(folder: string): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "main.tf"), 'resource "terraform_data" "one" {\n  input = "x"\n}\n');
}
