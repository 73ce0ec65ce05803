import { TerraformOutput } from "cdktf";
import { DataConsoleLicense } from "cdktf-console";
import { stack } from "../../stack";

const installed = new DataConsoleLicense(stack, "installed");
new TerraformOutput(stack, "license_expires_at", { value: installed.expiresAt });
