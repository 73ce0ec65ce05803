import { TerraformOutput } from "cdktf";
import { DataConsoleConnectivity } from "cdktf-console";
import { stack } from "../../stack";

const connectivity = new DataConsoleConnectivity(stack, "console");
new TerraformOutput(stack, "serves", { value: connectivity.licensed });
