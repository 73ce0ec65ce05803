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

const { CONSOLE_URL, CONSOLE_CA_FILE, CONSOLE_USERNAME } = process.env;

const app = new App();
const stack = new TerraformStack(app, "quickstart");

new ConsoleProvider(stack, "console", {
  baseUrl: CONSOLE_URL ?? "https://localhost:8083",
  caCertificateFile: CONSOLE_CA_FILE,
  username: CONSOLE_USERNAME ?? "admin",
  password: Secret.fromEnv("CONSOLE_PASSWORD"),
});

new ConsoleBootstrap(stack, "bootstrap");
new License(stack, "license", { key: Secret.fromEnv("CONSOLE_LICENSE_KEY") });

new CompliancePolicySet(stack, "policies", {
  policies: [
    { name: "No root in production", resources: { namespaces: ["prod-*"] }, checks: { 599: true } },
    {
      name: "Trusted images",
      resources: { images: ["registry.example.com/*"] },
      checks: { 422: true, 424: false },
    },
    {
      name: "Host hardening",
      resources: { hosts: ["node-*"] },
      checks: { 6151: false, 6518: false },
    },
    { name: "Everything else", checks: { 41: false, 51: false } },
  ],
});

new RegistryScan(stack, "registries", {
  specifications: [
    { registry: "registry.example.com", repository: "team/*", tag: "v*", version: "2", cap: 5 },
  ],
});

new ServerlessAutoDeploy(stack, "functions", {
  specs: [
    { name: "orders", credentialId: "aws-orders", provider: "aws", runtimes: ["nodejs18.x"] },
  ],
});

app.synth();
