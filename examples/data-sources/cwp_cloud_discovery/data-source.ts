import { TerraformOutput } from "cdktf";
import { DataConsoleCloudDiscovery } from "cdktf-console";
import { stack } from "../../stack";

const accounts = new DataConsoleCloudDiscovery(stack, "accounts");
new TerraformOutput(stack, "errors", { value: accounts.errors });
