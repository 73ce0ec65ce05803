import { Fn, TerraformOutput } from "cdktf";
import { DataConsoleContainers } from "cdktf-console";
import { stack } from "../../stack";

const shop = new DataConsoleContainers(stack, "shop", { search: "shop", limit: 20 });
new TerraformOutput(stack, "how_many", { value: Fn.lengthOf(shop.containers) });
