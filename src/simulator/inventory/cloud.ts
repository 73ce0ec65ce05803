import type { Random } from "./random";

interface CloudAccount {
  readonly provider: string;
  readonly id: string;
  readonly credentialID: string;
  readonly regions: readonly [string, ...string[]];
  readonly runtimes: readonly [string, ...string[]];
  /** Services other than functions that are discovered, under the provider's names. */
  readonly services: readonly string[];
  readonly functionService: string;
}

export interface ServerlessFunction {
  readonly id: string;
  readonly name: string;
  readonly account: CloudAccount;
  readonly region: string;
  readonly runtime: string;
  readonly handler: string;
  readonly description: string;
  /** In MB. */
  readonly memory: number;
  /** In seconds. */
  readonly timeout: number;
  /** True if a defender was installed before any auto-deploy. */
  readonly defended: boolean;
}

const AWS = {
  provider: "aws",
  regions: ["us-east-1", "eu-west-1", "eu-central-1"],
  runtimes: ["nodejs12.x", "nodejs10.x", "python3.8", "python3.7", "java11", "ruby2.7"],
  services: ["aws-ecr", "aws-eks", "aws-ec2"],
  functionService: "aws-lambda",
} as const;

const CLOUD_ACCOUNTS: readonly CloudAccount[] = [
  { ...AWS, id: "210987654321", credentialID: "aws-production" },
  { ...AWS, id: "123456789012", credentialID: "aws-development" },
  {
    provider: "azure",
    id: "5e0ffb6e-3c1a-4c6b-9c55-0d7f0f7a4f10",
    credentialID: "azure-main",
    regions: ["westeurope", "eastus"],
    runtimes: ["node12", "python3.8", "dotnetcore3.1"],
    services: ["azure-acr", "azure-aks", "azure-vm"],
    functionService: "azure-functions",
  },
  {
    provider: "gcp",
    id: "data-platform-281009",
    credentialID: "gcp-data",
    regions: ["europe-west1", "us-central1"],
    runtimes: ["nodejs12", "python38", "go113"],
    services: ["gcp-gcr", "gcp-gke", "gcp-vm-instance"],
    functionService: "gcp-functions",
  },
];

const SUBJECTS = ["order", "invoice", "customer", "image", "report", "payment", "stock"] as const;
const TASKS = ["import", "export", "resize", "notify", "archive", "sync", "validate"] as const;
const STAGES = ["prod", "test"] as const;

/** Descriptions with commas, quotes and line breaks. */
const DESCRIPTIONS = [
  "",
  "Runs every hour, see the wiki",
  'Called by "storefront", never by hand',
  "First line\nand a second one",
  "Übernimmt Aufträge; siehe Handbuch",
] as const;

/** Returns about 200 functions: every task of every subject, twice. */
export function functionsIn(random: Random): readonly ServerlessFunction[] {
  const [first, ...others] = CLOUD_ACCOUNTS;
  if (first === undefined) return [];
  const names = SUBJECTS.flatMap((subject) =>
    TASKS.flatMap((task) => STAGES.map((stage) => `${subject}-${task}-${stage}`)),
  );
  return [...names, ...names.map((name) => `${name}-v2`)].map((name) => {
    const account = random.pick([first, ...others]);
    const region = random.pick(account.regions);
    return {
      id: random.hex(40),
      name,
      account,
      region,
      runtime: random.pick(account.runtimes),
      handler: random.pick(["index.handler", "main.handle", "app.lambda_handler"]),
      description: random.pick(DESCRIPTIONS),
      memory: 128 * random.between(1, 8),
      timeout: random.between(3, 300),
      defended: random.chance(0.3),
    };
  });
}

/** Discovered objects of one service in one region. */
export interface Discovered {
  readonly account: CloudAccount;
  readonly region: string;
  readonly service: string;
  readonly total: number;
  readonly defended: number;
}

/** Returns registries, clusters and hosts; functions are counted separately. */
export function discoveredIn(random: Random): readonly Discovered[] {
  return CLOUD_ACCOUNTS.flatMap((account) =>
    account.regions.flatMap((region) =>
      random.some(account.services, 0.85).map((service) => {
        const total = random.between(1, 40);
        return { account, region, service, total, defended: random.integer(total + 1) };
      }),
    ),
  );
}

/** Errors of accounts that could not be examined. */
export const DISCOVERY_ERRORS: readonly string[] = [
  "credential aws-legacy: the security token included in the request is invalid",
  "credential gcp-old: permission denied on resource project, functions.list",
];
