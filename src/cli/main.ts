import { nodeProblem } from "../provider/node-version";
import { processTerminal } from "./process-terminal";
import { runCommandLine } from "./run";

const problem = nodeProblem(process.versions.node);
if (problem === undefined) {
  void runCommandLine(process.argv.slice(2), processTerminal()).then((code) => {
    process.exitCode = code;
  });
} else {
  process.stderr.write(`\nError: Node is too old\n\n${problem}\n`);
  process.exitCode = 1;
}
