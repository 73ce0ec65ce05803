import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startSimulator, type Simulator, type SimulatorOptions } from "../../../src/simulator";
import { writeStacks, type StackJson } from "../../cli/stack-files";
import { startCli, type Running } from "./bundle";

const PASSWORD = "correct-horse-battery";
const TIME = /\d{4}-\d\d-\d\dT[\d:.]+Z/g;
const LICENSE = "license-key-of-high-entropy";

/** The user of consoles that are set up. */
export const SIGNED_UP = { username: "admin", password: PASSWORD };

/** The environment variables of a run. */
export const SECRETS = { TF_VAR_PASSWORD: PASSWORD, TF_VAR_LICENSE: LICENSE };

/** A tenant's stack may name another console or user than its own. */
export interface TenantStack {
  readonly name: string;
  readonly url: string;
  readonly username: string;
}

/** Consoles of many tenants with a stack each, in one folder. */
export class Fleet {
  readonly folder = mkdtempSync(join(tmpdir(), "cdktf-console-fleet-"));
  /** Further environment variables of the runs. */
  environment: Readonly<Record<string, string>> = {};

  private constructor(
    readonly simulator: Simulator,
    readonly tenants: readonly TenantStack[],
  ) {}

  /** @param adapt - changes the stack of a tenant, by its index */
  static async open(
    options: SimulatorOptions & { readonly tenants: number },
    adapt: (tenant: TenantStack, index: number) => TenantStack = (tenant) => tenant,
  ): Promise<Fleet> {
    const simulator = await startSimulator(options);
    const tenants = simulator.consoles.map(({ name, url }, index) =>
      adapt({ name, url, username: "admin" }, index),
    );
    const fleet = new Fleet(simulator, tenants);
    fleet.use(tenants, options.signedUp === undefined);
    return fleet;
  }

  /** Writes the stacks of tenants. */
  use(tenants: readonly TenantStack[], bootstraps: boolean): void {
    const stacks = tenants.map((tenant): [string, StackJson] => [
      tenant.name,
      stackOf(tenant, this.simulator.caFile, bootstraps),
    ]);
    writeStacks(this.folder, Object.fromEntries(stacks));
  }

  start(...argv: readonly string[]): Running {
    return this.command(...argv, "--out-dir", join(this.folder, "cdktf.out"));
  }

  /** Starts a command that takes no stacks. */
  command(...argv: readonly string[]): Running {
    return startCli(argv, {
      cwd: this.folder,
      environment: { ...SECRETS, ...this.environment },
    });
  }

  /** Calls `listener` with the tenant for each request that may change its console. */
  onWrite(listener: (name: string) => void): void {
    for (const { name, console } of this.simulator.consoles) {
      const handle = console.handle.bind(console);
      console.handle = (request) => {
        const isRead = request.method === "GET" || request.path.endsWith("/authenticate");
        if (!isRead) listener(name);
        return handle(request);
      };
    }
  }

  /** The state of a tenant, without what differs from run to run. */
  state(name: string): unknown {
    const file = join(this.folder, `terraform.${name}.tfstate`);
    if (!existsSync(file)) return undefined;
    const port = `127.0.0.1:${new URL(this.simulator.consoles[0].url).port}`;
    const text = readFileSync(file, "utf8").replaceAll(port, "console");
    const state: unknown = JSON.parse(text, (key, value: unknown) => {
      if (["lineage", "serial", "cdktf_console_runs"].includes(key)) return undefined;
      if (key !== "private" || typeof value !== "string") return value;
      // It has the policies that a console had before, with the times of their changes.
      return Buffer.from(value, "base64")
        .toString("utf8")
        .replaceAll(TIME, "TIME")
        .replaceAll(port, "console");
    });
    return state;
  }

  /** The policies and the license of each console, without times. */
  contents(): unknown {
    return this.simulator.consoles.map(({ name, console }) => ({
      name,
      policies: console.policies().map((policy) => ({ ...policy, modified: undefined })),
    }));
  }

  async close(): Promise<void> {
    await this.simulator.close();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

function stackOf({ url, username }: TenantStack, caFile: string, bootstraps: boolean): StackJson {
  const secret = { type: "string", sensitive: true, ephemeral: true };
  const after = (address: string) => (bootstraps ? { depends_on: [address] } : {});
  return {
    provider: {
      cwp: [{ base_url: url, ca_certificate_file: caFile, username, password: "${var.PASSWORD}" }],
    },
    variable: { PASSWORD: secret, LICENSE: secret },
    resource: {
      ...(bootstraps && { cwp_bootstrap: { bootstrap: {} } }),
      cwp_license: { license: { key: "${var.LICENSE}", ...after("cwp_bootstrap.bootstrap") } },
      cwp_compliance_policy_set: {
        policies: {
          policies: [{ name: "First", checks: { "41": true } }],
          depends_on: ["cwp_license.license"],
        },
      },
    },
    output: { policy: { value: "${cwp_compliance_policy_set.policies.content_sha256}" } },
  };
}
