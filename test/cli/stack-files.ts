import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { nonEmptyBlocks } from "../support/non-empty-blocks";

/** A simulator, in this process or another. */
export interface Served {
  readonly consoles: readonly [{ readonly url: string }, ...unknown[]];
  readonly caFile: string;
}

export type StackJson = Record<string, unknown>;

const folders: string[] = [];

const removeFolders = () => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
};

// Benches use fleets without jest.
if ("afterAll" in globalThis) afterAll(removeFolders);
else process.once("exit", removeFolders);

/** Creates a folder, which is removed after the last test of the file. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "cdktf-console-cli-"));
  folders.push(folder);
  return folder;
}

/** Writes stacks as synth does, and returns the folder cdktf.out. */
export function writeStacks(
  directory: string,
  stacks: Record<string, StackJson & { dependencies?: string[] }>,
): string {
  const out = join(directory, "cdktf.out");
  const entries = Object.entries(stacks).map(([name, { dependencies = [], ...json }]) => {
    const folder = join(out, "stacks", name);
    mkdirSync(folder, { recursive: true });
    const terraform = {
      backend: { local: { path: join(directory, `terraform.${name}.tfstate`) } },
      required_providers: {
        cwp: { source: "cdktf-console/cwp" },
        null: { source: "null" },
        ...(JSON.stringify(json).includes("provider::terraform::") && {
          terraform: { source: "terraform.io/builtin/terraform" },
        }),
      },
    };
    writeFileSync(
      join(folder, "cdk.tf.json"),
      JSON.stringify(nonEmptyBlocks({ terraform, ...json })),
    );
    return [
      name,
      {
        name,
        constructPath: name,
        synthesizedStackPath: `stacks/${name}/cdk.tf.json`,
        workingDirectory: `stacks/${name}`,
        annotations: [],
        dependencies,
      },
    ] as const;
  });
  writeFileSync(
    join(out, "manifest.json"),
    JSON.stringify({ version: "0.21.0", stacks: Object.fromEntries(entries) }),
  );
  return out;
}

export const PASSWORD = "correct-horse-battery";

/** A stack with a user, a license and a policy for a console. */
export function consoleStack({ consoles: [console], caFile }: Served, policy = "First"): StackJson {
  const at = (path: string) => ({ "//": { metadata: { path } } });
  return {
    provider: {
      cwp: [
        {
          base_url: console.url,
          ca_certificate_file: caFile,
          username: "admin",
          password: "${var.CONSOLE_PASSWORD}",
        },
      ],
    },
    variable: {
      CONSOLE_PASSWORD: { type: "string", sensitive: true, ephemeral: true },
      CONSOLE_LICENSE_KEY: { type: "string", sensitive: true, ephemeral: true },
    },
    resource: {
      cwp_bootstrap: { bootstrap: at("app/bootstrap") },
      cwp_license: {
        license: {
          ...at("app/license"),
          key: "${var.CONSOLE_LICENSE_KEY}",
          depends_on: ["cwp_bootstrap.bootstrap"],
        },
      },
      cwp_compliance_policy_set: {
        policies: {
          ...at("app/policies"),
          policies: [{ name: policy, checks: { "41": true } }],
          depends_on: ["cwp_license.license"],
        },
      },
    },
    output: { policy: { value: policy } },
  };
}

/** A stack with a user, a license and these policies for a console. */
export function policyStack(served: Served, policies: readonly unknown[]): StackJson {
  const { resource, ...stack } = consoleStack(served);
  const { cwp_bootstrap, cwp_license } = resource as StackJson;
  const set = { policies: { policies, depends_on: ["cwp_license.license"] } };
  return { ...stack, resource: { cwp_bootstrap, cwp_license, cwp_compliance_policy_set: set } };
}

export const SECRETS = {
  TF_VAR_CONSOLE_PASSWORD: PASSWORD,
  TF_VAR_CONSOLE_LICENSE_KEY: "license-key-of-high-entropy",
};
