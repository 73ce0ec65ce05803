import { SECRETS, type StackJson } from "../../cli/stack-files";
import { REGISTRY_SECRETS } from "../../e2e/support/stacks";
import { FOLDER as SYNTHESIZED_FOLDER } from "../../e2e/support/synthesized";

/** Placeholders in stacks, which each world replaces by its own values. */
export const consoleUrl = (number = 1) => `https://console-${number}.invalid:8083`;
export const CA_FILE = "/authority-of-the-case.pem";
export const FOLDER = SYNTHESIZED_FOLDER;

/** The environment of all stacks. */
export const ENVIRONMENT: Readonly<Record<string, string>> = {
  ...SECRETS,
  ...Object.fromEntries(
    Object.entries(REGISTRY_SECRETS).map(([name, value]) => [`TF_VAR_${name}`, value]),
  ),
};

/** The provider block for the console with this number. */
export function consoleBlock(number = 1, more: object = {}): object {
  return {
    base_url: consoleUrl(number),
    // The consoles of both worlds have one name, so that their plans are equal.
    console_id: `console-${number}`,
    ca_certificate_file: CA_FILE,
    username: "admin",
    password: "${var.CONSOLE_PASSWORD}",
    ...more,
  };
}

/** A stack with a configured console and both secrets. */
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

/** A minimal policy. */
export const policy = (name: string, more: object = {}) => ({
  name,
  checks: { "41": true },
  ...more,
});

/** A registry specification. */
export const specification = (repository: string, more: object = {}) => ({
  registry: "registry.example.com",
  repository,
  tag: "*",
  ...more,
});
