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
  'Called by "shopfront", never by hand',
  "First line\nand a second one",
  "Übernimmt Aufträge; siehe Handbuch",
] as const;

export type SimulatedFunction = ReturnType<typeof functionsIn>[number];

/** Returns about 200 functions: every task of every subject, twice. */
export function functionsIn(random: Random) {
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
      /** In MB. */
      memory: 128 * random.between(1, 8),
      /** In seconds. */
      timeout: random.between(3, 300),
      /** True if a defender was installed before any auto-deploy. */
      defended: random.chance(0.3),
    };
  });
}

/** Discovered objects of one service in one region. */
export type Discovered = ReturnType<typeof discoveredIn>[number];

/** Returns registries, clusters and hosts; functions are counted separately. */
export function discoveredIn(random: Random) {
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
