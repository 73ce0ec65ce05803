#!/usr/bin/env node
import { join } from "node:path";
import { loadCompiled } from "../provider/compiled-code";
import { setStartFlags } from "../provider/start-flags";

setStartFlags();
loadCompiled(join(__dirname, "cli/main.js"));
