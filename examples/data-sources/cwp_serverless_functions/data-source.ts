import { TerraformOutput } from "cdktf";
import { DataConsoleServerlessFunctions } from "cdktf-console";
import { stack } from "../../stack";

const exposed = new DataConsoleServerlessFunctions(stack, "exposed", { defended: false });
new TerraformOutput(stack, "exposed_functions", { value: exposed.names });
