import { Fn, TerraformOutput } from "cdktf";
import { DataConsoleRegistrySettings } from "cdktf-console";
import { stack } from "../../stack";

const all = new DataConsoleRegistrySettings(stack, "all");
new TerraformOutput(stack, "how_many", { value: Fn.lengthOf(all.specifications) });
