import { TerraformOutput } from "cdktf";
import { DataConsoleCustomRules } from "cdktf-console";
import { stack } from "../../stack";

const all = new DataConsoleCustomRules(stack, "all");
new TerraformOutput(stack, "custom_rules_json", { value: all.rawJson });
