import { TerraformOutput } from "cdktf";
import { DataConsoleContainerLabels } from "cdktf-console";
import { stack } from "../../stack";

const all = new DataConsoleContainerLabels(stack, "all");
new TerraformOutput(stack, "labels", { value: all.labels });
