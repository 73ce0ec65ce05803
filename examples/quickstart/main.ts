import { resolve } from "node:path";
import { App, TerraformStack } from "cdktf";
import {
  CompliancePolicySet,
  ConsoleBootstrap,
  ConsoleProvider,
  License,
  RegistryScan,
  Secret,
  ServerlessAutoDeploy,
} from "cdktf-console";

const {
  CONSOLE_URL = "https://localhost:8083",
  CONSOLE_USERNAME = "admin",
  CONSOLE_CA_FILE,
} = process.env;

const app = new App();
const stack = new TerraformStack(app, "quickstart");

new ConsoleProvider(stack, "console", {
  baseUrl: CONSOLE_URL,
  caCertificateFile: CONSOLE_CA_FILE && resolve(CONSOLE_CA_FILE), // relative ones start at cdktf.out/stacks/quickstart
  username: CONSOLE_USERNAME,
  password: Secret.fromEnv("CONSOLE_PASSWORD"),
});

new ConsoleBootstrap(stack, "bootstrap");
new License(stack, "license", { key: Secret.fromEnv("CONSOLE_LICENSE_KEY") });

new CompliancePolicySet(stack, "policies", {
  policies: [
    { name: "No root in production", resources: { namespaces: ["prod-*"] }, checks: { 599: true } },
    {
      name: "Trusted images",
      resources: { images: ["trusted/*"] },
      checks: { 41: true, 51: true },
    },
    { name: "Hardened hosts", resources: { hosts: ["node-*"] }, checks: { 6151: false } },
    { name: "Everything else", checks: { 41: false, 51: false } },
  ],
});

new RegistryScan(stack, "registries", {
  specifications: [{ registry: "registry.example.com", repository: "team/*", tag: "v*", cap: 5 }],
});

new ServerlessAutoDeploy(stack, "functions", {
  specs: [{ name: "orders", credentialId: "aws-orders", provider: "aws", runtimes: ["python3.8"] }],
});

app.synth();
