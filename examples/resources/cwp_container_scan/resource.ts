import { CompliancePolicySet, ContainerScan } from "cdktf-console";
import { stack } from "../../stack";

const policies = new CompliancePolicySet(stack, "policies", {
  policies: [{ name: "No root", checks: { 599: true } }],
});

// Scans again when the policies change.
new ContainerScan(stack, "scan", {
  timeout: 900,
  triggers: { policies: policies.contentSha256 },
});
