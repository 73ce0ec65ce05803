import { processTerminal } from "./process-terminal";
import { runCommandLine } from "./run";

void runCommandLine(process.argv.slice(2), processTerminal()).then((code) => {
  process.exitCode = code;
});
