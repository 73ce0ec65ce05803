import { nodeProblem } from "../core/io/node-version";
import { runCommandLine } from "./run";
import { ExitCode } from "./exit-code";
import { processTerminal } from "./terminal/process-terminal";

/** Runs the command line of this process. */
export async function main(): Promise<number> {
  const { node } = process.versions;
  const problem = nodeProblem(node);
  if (problem !== undefined) {
    process.stderr.write(`\nError: Node is too old\n\n${problem}\n`);
    return ExitCode.ERROR;
  }
  return runCommandLine(process.argv.slice(2), processTerminal());
}

void main().then((code) => {
  // A failure that came before is not overwritten.
  process.exitCode ??= code;
});
