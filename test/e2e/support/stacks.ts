import { join } from "node:path";
import type { TerraformStack } from "cdktf";
import {
  CompliancePolicySet,
  ConsoleBootstrap,
  ContainerScan,
  DefenderArtifact,
  License,
  RegistryScan,
  Secret,
  ServerlessAutoDeploy,
  ServerlessScan,
  type CompliancePolicySetProps,
  type ConsoleProviderProps,
} from "../../../src";
import type { Release } from "../../../src/api/release";
import { FOLDER, synthesizeStack, type Synthesized } from "./synthesized";

/** The user and the license that a functional console needs. */
export function addSetup(stack: TerraformStack): void {
  new ConsoleBootstrap(stack, "bootstrap");
  new License(stack, "license", { key: Secret.fromEnv("CONSOLE_LICENSE_KEY") });
}

/** Minimal policies of a signed-up console. */
export function policyStack(
  names: readonly string[],
  props: Omit<CompliancePolicySetProps, "policies"> = {},
  console: ConsoleProviderProps = {},
): Synthesized {
  return synthesizeStack((stack) => {
    new CompliancePolicySet(stack, "policies", {
      ...props,
      policies: names.map((name) => ({ name, checks: { 41: true } })),
    });
  }, console);
}

/** Every construct with every optional attribute of the release. */
export function everything(release: Release): Synthesized {
  return synthesizeStack(
    (stack) => {
      const setup = {
        username: "admin",
        password: Secret.fromEnv("CONSOLE_PASSWORD"),
        waitTimeout: 30,
      };
      new ConsoleBootstrap(stack, "bootstrap", setup);
      new License(stack, "license", { key: Secret.fromEnv("CONSOLE_LICENSE_KEY") });
      const policies = new CompliancePolicySet(stack, "policies", {
        ownership: "exclusive",
        onDestroy: "clear",
        policies: [
          {
            name: "Everything set",
            disabled: true,
            verbose: true,
            resources: {
              hosts: ["b", "a"],
              images: ["registry/*", "other/*"],
              labels: ["team:*"],
              containers: [],
              namespaces: ["prod-*", "stage-*"],
              accountIds: ["222", "111"],
            },
            checks: { 599: true, 41: false, 51: true },
          },
          { name: "Nothing set", checks: {} },
        ],
      });
      const scan = {
        registry: "registry.example.com",
        cap: 5,
        os: "linux",
        hostname: "node-1",
        namespace: "apps",
        useAwsRole: true,
        version: "2",
        roleArn: "arn:aws:iam::1:role/scan",
        scanners: 2,
        versionPattern: "v*",
      };
      const inline = {
        type: "basic",
        accountId: "robot",
        accountGuid: "1-2-3",
        secret: Secret.fromEnv("REGISTRY_SECRET"),
        apiToken: Secret.fromEnv("REGISTRY_API_TOKEN"),
      };
      new RegistryScan(stack, "registries", {
        ownership: "exclusive",
        onDestroy: "clear",
        specifications: [
          { ...scan, repository: "z/*", tag: "v*", credentialId: "stored" },
          {
            ...scan,
            repository: "a/*",
            tag: "*",
            ...(release === "20.04" && { credential: inline }),
          },
          { registry: "", repository: "library/*", tag: "latest" },
        ],
      });
      new ServerlessAutoDeploy(stack, "functions", {
        onDestroy: "clear",
        specs: [
          {
            name: "orders",
            credentialId: "aws-orders",
            provider: "aws",
            runtimes: ["python3.8", "nodejs12.x"],
            extraJson: JSON.stringify({
              consoleAddr: "console.example.com",
              tags: [{ b: 1, a: 2 }],
            }),
          },
          { name: "billing", credentialId: "aws-billing" },
        ],
      });
      const account =
        release === "next"
          ? { credentialIds: ["aws-2", "aws-1"] }
          : { credentialId: "aws-1", region: "eu-west-1", pattern: "orders-*" };
      new ServerlessScan(stack, "scopes", {
        onDestroy: "clear",
        scopes: [
          {
            ...account,
            provider: "aws",
            cap: 10,
            enabled: false,
            extraJson: JSON.stringify({ scanLayers: true }),
          },
          { credentialId: "gcp-1" },
        ],
      });
      new ContainerScan(stack, "scan", {
        triggers: { policies: policies.contentSha256 },
        timeout: 60,
        pollInterval: 0.01,
      });
      new DefenderArtifact(stack, "chart", {
        kind: "helm_chart",
        product: "acme",
        requestJson: JSON.stringify({ namespace: "apps", privileged: true }),
        filename: join(FOLDER, "artifacts", "chart.tar.gz"),
      });
      new DefenderArtifact(stack, "script", {
        kind: "linux_script",
        filename: join(FOLDER, "defender.sh"),
      });
    },
    { release, requestTimeout: 20, maxRetries: 2, maxConcurrency: 4, auth: "token" },
  );
}

/** The environment of `everything` in addition to the secrets of the console. */
export const REGISTRY_SECRETS = {
  REGISTRY_SECRET: "canary-registry-secret",
  REGISTRY_API_TOKEN: "canary-registry-api-token",
};
