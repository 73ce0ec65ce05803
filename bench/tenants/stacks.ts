import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { App, LocalBackend, TerraformStack } from "cdktf";
import { ConsoleTenant, Secret, type TenantSettings } from "cdktf-console";
import type { Served } from "../command";

/** Values of the secrets of {@link writeStacks}. */
export const SECRETS = {
  CONSOLE_PASSWORD: "bench-only-password",
  CONSOLE_LICENSE_KEY: "bench-only-license",
};

const base: TenantSettings = {
  bootstrap: {},
  license: { key: Secret.fromEnv("CONSOLE_LICENSE_KEY") },
  policies: {
    policies: [
      { name: "No root in production", resources: { namespaces: ["prod"] }, checks: { 599: true } },
      { name: "Everything else", checks: { 41: false, 51: false } },
    ],
  },
  registryScan: {
    specifications: [{ registry: "registry.example.com", repository: "team/*", tag: "v*" }],
  },
  serverlessAutoDeploy: { specs: [{ name: "orders", credentialId: "aws-orders" }] },
};

/** The change of one policy in all tenants. */
const CHANGED = { policies: { policies: [{ name: "Everything else", checks: { 41: true } }] } };

/**
 * Synthesizes a stack for each console, and returns the folder of them. The states are in `folder`.
 *
 * @param concurrency requests at once to the host that all consoles share
 */
export function writeStacks(
  folder: string,
  consoles: readonly Served[],
  concurrency: number,
  { changed = false } = {},
): string {
  mkdirSync(folder, { recursive: true });
  const app = new App({ outdir: join(folder, "cdktf.out") });
  for (const { name, url, caFile } of consoles) {
    const stack = new TerraformStack(app, name);
    new LocalBackend(stack, { path: join(folder, `terraform.${name}.tfstate`) });
    const console = {
      baseUrl: url,
      caCertificateFile: caFile,
      username: "admin",
      password: Secret.fromEnv("CONSOLE_PASSWORD"),
      maxConcurrency: concurrency,
    };
    new ConsoleTenant(stack, "tenant", {
      base: { ...base, console },
      overrides: changed ? CHANGED : {},
    });
  }
  app.synth();
  return app.outdir;
}
