import { join } from "node:path";
import { loadCompiled } from "../provider/compiled-code";
import { setStartFlags } from "../provider/start-flags";

/* The file that Terraform starts. */
setStartFlags();
loadCompiled(join(__dirname, "provider-main.js"));
