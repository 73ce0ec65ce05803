import { TerraformOutput } from "cdktf";
import { DataConsoleImages } from "cdktf-console";
import { stack } from "../../stack";

const latest = new DataConsoleImages(stack, "latest", { limit: 50 });
new TerraformOutput(stack, "first_image", { value: latest.images.get(0).id });
