import { runCommandLine } from "./run";
import { processTerminal } from "./terminal/process-terminal";

/** Runs the command line of this process. */
void runCommandLine(process.argv.slice(2), processTerminal()).then((code) => {
  // A failure that came before is not overwritten.
  process.exitCode ??= code;
});
