import { TerraformOutput } from "cdktf";
import { DataConsoleRuntimePolicies } from "cdktf-console";
import { stack } from "../../stack";

const all = new DataConsoleRuntimePolicies(stack, "all");
new TerraformOutput(stack, "runtime_policies_json", { value: all.rawJson });
