import { RegistryScan, RegistryScanRun } from "cdktf-console";
import { stack } from "../../stack";

const registries = new RegistryScan(stack, "registries", {
  specifications: [{ registry: "registry.example.com", repository: "pay/*", tag: "*" }],
});

// Scans once the registries are configured.
new RegistryScanRun(stack, "scan", {
  timeout: 7200,
  triggers: { repositories: "pay/*" },
  dependsOn: [registries],
});
