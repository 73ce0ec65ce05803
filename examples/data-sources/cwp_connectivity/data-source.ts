import { TerraformOutput } from "cdktn";
import { DataConsoleConnectivity } from "cdktf-console";
import { stack } from "../../stack";

const connectivity = new DataConsoleConnectivity(stack, "console");
new TerraformOutput(stack, "serves", { value: connectivity.licensed });
