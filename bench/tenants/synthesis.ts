import { mkdirSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import {
  App,
  TerraformProvider,
  TerraformResource,
  TerraformStack,
  TerraformVariable,
} from "cdktf";
import type { Construct } from "constructs";
import { rounded } from "./compare";
import { writeStacks } from "./stacks";

export interface Synthesis {
  readonly tenants: number;
  /** CPU time of our constructs, as a multiple of cdktf's own with as many resources. */
  readonly cpuRatio: number;
}

/** Compares the synthesis of our constructs with that of plain cdktf resources of the same content. */
export async function synthesis(folder: string, tenants: number, runs: number): Promise<Synthesis> {
  const ratios: number[] = [];
  for (let run = -1; run < runs; run++) {
    const at = (name: string) => join(folder, `synthesis-${name}-${run}`);
    const consoles = Array.from({ length: tenants }, (_, index) => ({
      name: `tenant-${index}`,
      url: `https://console-${index}.example.com:8083`,
      caFile: "ca.pem",
    }));
    const ours = cpuOf(() => writeStacks(at("ours"), consoles, 8));
    const plain = cpuOf(() => {
      writePlain(at("plain"), consoles);
    });
    if (run >= 0) ratios.push(ours / plain); // The first one warms up.
    await rm(at("ours"), { recursive: true, force: true });
    await rm(at("plain"), { recursive: true, force: true });
  }
  ratios.sort((a, b) => a - b);
  return { tenants, cpuRatio: rounded(ratios[Math.floor(runs / 2)] ?? Number.NaN) };
}

function cpuOf(work: () => void): number {
  const start = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(start);
  return user + system;
}

type Attributes = Readonly<Record<string, unknown>>;

class PlainProvider extends TerraformProvider {
  constructor(
    scope: Construct,
    type: string,
    source: string,
    private readonly attributes: Attributes,
  ) {
    const terraformGeneratorMetadata = { providerName: type, providerVersion: "1.0.0" };
    super(scope, type, {
      terraformResourceType: type,
      terraformProviderSource: source,
      terraformGeneratorMetadata,
    });
  }

  protected override synthesizeAttributes(): Record<string, unknown> {
    return { ...this.attributes };
  }
}

class PlainResource extends TerraformResource {
  constructor(
    scope: Construct,
    type: string,
    private readonly attributes: Attributes,
    dependsOn: TerraformResource[],
  ) {
    super(scope, type, { terraformResourceType: type, dependsOn });
  }

  protected override synthesizeAttributes(): Record<string, unknown> {
    return { ...this.attributes };
  }
}

/** The stacks of `writeStacks`, written with cdktf alone. */
function writePlain(
  folder: string,
  consoles: readonly { readonly name: string; readonly url: string }[],
): void {
  mkdirSync(folder, { recursive: true });
  const app = new App({ outdir: join(folder, "cdktf.out") });
  for (const { name, url } of consoles) {
    const stack = new TerraformStack(app, name);
    const secret = (id: string) =>
      new TerraformVariable(stack, id, { sensitive: true }).stringValue;
    const password = secret("CONSOLE_PASSWORD");
    new PlainProvider(stack, "null", "null", {});
    new PlainProvider(stack, "cwp", "cdktf-console/cwp", {
      base_url: url,
      ca_certificate_file: "ca.pem",
      username: "admin",
      password,
      max_concurrency: 8,
    });
    const bootstrap = new PlainResource(stack, "cwp_bootstrap", {}, []);
    const license = new PlainResource(
      stack,
      "cwp_license",
      { key: secret("CONSOLE_LICENSE_KEY") },
      [bootstrap],
    );
    const triggers = { bootstrap: bootstrap.getStringAttribute("id") };
    const ready = new PlainResource(stack, "null_resource", { triggers }, [bootstrap, license]);
    for (const [type, attributes] of CONTENT) new PlainResource(stack, type, attributes, [ready]);
  }
  app.synth();
}

const CONTENT: readonly (readonly [string, Attributes])[] = [
  [
    "cwp_compliance_policy_set",
    {
      policies: [
        {
          name: "No root in production",
          resources: { namespaces: ["prod"] },
          checks: { 599: true },
        },
        { name: "Everything else", checks: { 41: false, 51: false } },
      ],
    },
  ],
  [
    "cwp_registry_scan",
    { specifications: [{ registry: "registry.example.com", repository: "team/*", tag: "v*" }] },
  ],
  ["cwp_serverless_auto_deploy", { specs: [{ name: "orders", credential_id: "aws-orders" }] }],
];
