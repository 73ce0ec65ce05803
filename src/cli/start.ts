#!/usr/bin/env node
import { join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { loadCompiled } from "../provider/compiled-code";
import { wasmTieringFlag } from "./terminal/wasm-tiering";

// Flags that change later would not match those of the compiled code.
const flag = wasmTieringFlag(process.versions.node);
if (flag !== undefined) setFlagsFromString(flag);

loadCompiled(join(__dirname, "cli/main.js"));
