import { basename } from "node:path";
import { loadCompiled } from "../core/io/compiled-code";
import { inExecutable } from "../core/io/package-files";
import { setStartFlags } from "../core/io/start-flags";

/* The start of an executable. A copy that is named as Terraform names providers is the provider. */
const isProvider = basename(process.execPath).startsWith("terraform-provider-");

setStartFlags();
loadCompiled(inExecutable(isProvider ? "dist/provider-main.js" : "dist/cli/main.js"));
