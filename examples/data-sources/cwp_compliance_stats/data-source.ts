import { TerraformOutput } from "cdktf";
import { DataConsoleComplianceStats } from "cdktf-console";
import { stack } from "../../stack";

const today = new DataConsoleComplianceStats(stack, "today");
new TerraformOutput(stack, "kind", { value: today.kind });
