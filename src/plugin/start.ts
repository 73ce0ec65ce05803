import { join } from "node:path";
import { loadCompiled } from "../provider/compiled-code";

/* The file that Terraform starts. */
loadCompiled(join(__dirname, "provider-main.js"));
