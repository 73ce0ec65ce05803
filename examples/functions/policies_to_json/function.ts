import { TerraformOutput } from "cdktf";
import { CompliancePolicySet } from "cdktf-console";
import { stack } from "../../stack";

const set = new CompliancePolicySet(stack, "policies", {
  policies: [{ name: "No root", checks: { 599: true } }],
});

// Another console can import the output.
new TerraformOutput(stack, "exported", {
  value: `\${provider::cwp::policies_to_json(${set.fqn}.policies)}`,
});
