#!/usr/bin/env node
import "../core/io/require-node";
import { join } from "node:path";
import { loadCompiled } from "../core/io/compiled-code";
import { setStartFlags } from "../core/io/start-flags";

setStartFlags();
loadCompiled(join(__dirname, "cli/main.js"));
