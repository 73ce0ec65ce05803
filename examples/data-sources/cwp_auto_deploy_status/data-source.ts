import { TerraformOutput } from "cdktf";
import { DataConsoleAutoDeployStatus } from "cdktf-console";
import { stack } from "../../stack";

const status = new DataConsoleAutoDeployStatus(stack, "status");
new TerraformOutput(stack, "serverless", { value: status.serverless });
