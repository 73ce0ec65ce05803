import { CompliancePolicySet } from "cdktf-console";
import { stack } from "../../stack";

// cdktf has no construct for actions.
stack.addOverride("action.cwp_container_scan.all", { config: { timeout: 900 } });

// Scans after the policies were created or changed.
const policies = new CompliancePolicySet(stack, "policies", {
  policies: [{ name: "No root", checks: { 599: true } }],
});
policies.addOverride("lifecycle.action_trigger", {
  events: ["after_create", "after_update"],
  actions: ["action.cwp_container_scan.all"],
});
