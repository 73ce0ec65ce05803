import { tmpdir } from "node:os";
import { join } from "node:path";
import { SECRETS, type StackJson } from "../../cli/stack-files";
import { REGISTRY_SECRETS } from "../../e2e/support/stacks";
import { FOLDER as SYNTHESIZED_FOLDER } from "../../e2e/support/synthesized";

/** What stacks of cases name, for each world to put its own there. */
export const consoleUrl = (number = 1) => `https://console-${number}.invalid:8083`;
export const CA_FILE = join(tmpdir(), "authority-of-the-case.pem");
export const FOLDER = SYNTHESIZED_FOLDER;

/** What all stacks take from the environment. */
export const ENVIRONMENT: Readonly<Record<string, string>> = {
  ...SECRETS,
  ...Object.fromEntries(
    Object.entries(REGISTRY_SECRETS).map(([name, value]) => [`TF_VAR_${name}`, value]),
  ),
};

/** The block of a provider for the console of this number. */
export function consoleBlock(number = 1, more: object = {}): object {
  return {
    base_url: consoleUrl(number),
    ca_certificate_file: CA_FILE,
    username: "admin",
    password: "${var.CONSOLE_PASSWORD}",
    ...more,
  };
}

/** A stack with a console that is configured and both secrets. */
export function stackOf(resource: StackJson, more: StackJson = {}): StackJson {
  const { variable, ...others } = more;
  return {
    provider: { cwp: [consoleBlock()] },
    variable: {
      CONSOLE_PASSWORD: { type: "string", sensitive: true, ephemeral: true },
      CONSOLE_LICENSE_KEY: { type: "string", sensitive: true, ephemeral: true },
      ...(variable as object | undefined),
    },
    ...(Object.keys(resource).length > 0 && { resource }),
    ...others,
  };
}

/** A policy that is as short as can be. */
export const policy = (name: string, more: object = {}) => ({
  name,
  checks: { "41": true },
  ...more,
});

/** A specification of what to scan. */
export const specification = (repository: string, more: object = {}) => ({
  registry: "registry.example.com",
  repository,
  tag: "*",
  ...more,
});
