import { RegistryScan } from "cdktf-console";
import { stack } from "../../stack";

// cdktf has no construct for actions.
stack.addOverride("action.cwp_registry_scan_run.all", { config: { timeout: 7200 } });

// Scans after the registries were created or changed.
const registries = new RegistryScan(stack, "registries", {
  specifications: [{ registry: "registry.example.com", repository: "pay/*", tag: "*" }],
});
registries.addOverride("lifecycle.action_trigger", {
  events: ["after_create", "after_update"],
  actions: ["action.cwp_registry_scan_run.all"],
});
