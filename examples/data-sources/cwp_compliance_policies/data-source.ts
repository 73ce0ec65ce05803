import { TerraformOutput } from "cdktf";
import { DataConsoleCompliancePolicies } from "cdktf-console";
import { stack } from "../../stack";

const all = new DataConsoleCompliancePolicies(stack, "all");
new TerraformOutput(stack, "first_policy", { value: all.policies.get(0).name });
