import "../core/io/require-node";
import { join } from "node:path";
import { loadCompiled } from "../core/io/compiled-code";
import { setStartFlags } from "../core/io/start-flags";

/* The file that Terraform starts. */
setStartFlags();
loadCompiled(join(__dirname, "provider-main.js"));
