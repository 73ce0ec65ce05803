import { setFlagsFromString } from "node:v8";
import { nodeProblem } from "../provider/node-version";
import { wasmTieringFlag } from "./wasm-tiering";
import { processTerminal } from "./process-terminal";
import { runCommandLine } from "./run";

const { node } = process.versions;
const problem = nodeProblem(node);
if (problem === undefined) {
  const flag = wasmTieringFlag(node);
  if (flag !== undefined) setFlagsFromString(flag);
  void runCommandLine(process.argv.slice(2), processTerminal()).then((code) => {
    process.exitCode = code;
  });
} else {
  process.stderr.write(`\nError: Node is too old\n\n${problem}\n`);
  process.exitCode = 1;
}
