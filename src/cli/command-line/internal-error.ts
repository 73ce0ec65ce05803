import { block, Printed, printed, verbatim } from "../../core/printed";
import { version } from "../../../package.json";
import { error, type Diagnostic } from "../../core/diagnostics";
import { diagnosticMessage, formatMessage } from "../../formats/ui-stream/message";
import { ExitCode } from "../exit-code";
import type { Terminal } from "../terminal/terminal";

/** A command that was started. */
export interface StartedCommand {
  /** Its words and the names of its options: values may be secrets. */
  readonly text: string;
  /** True if standard output has Terraform's JSON lines. */
  readonly streams: boolean;
}

/**
 * Reports a failure that no command handles. Diagnostics are values, so an exception that gets here
 * is a bug of this program.
 */
export function reportInternalError(
  { stdout, stderr }: Terminal,
  { text, streams }: StartedCommand,
  failure: unknown,
): ExitCode {
  const trace = failure instanceof Error ? (failure.stack ?? failure.message) : String(failure);
  const problem = error(
    "Internal error",
    printed`This is a bug in cdktf-console, not in your configuration. The command did not finish, so its output is not a result. What an apply had done is in the state or its journal: plan again to see it.\n\nPlease report the bug with the following lines. Remove secrets before you send them.\n\ncdktf-console ${version}, Node.js ${process.version}, ${process.platform} ${process.arch}\nCommand: cdktf-console ${text}\n${block(trace)}`,
  );
  if (streams) streamProblem(stdout, problem);
  const { summary, detail } = problem;
  stderr.write(printed`\nError: ${summary}\n\n${Printed.of(detail)}\n`.toString());
  return ExitCode.ERROR;
}

/** Writes an error as a line of Terraform's JSON, where no screen is open. */
export function streamProblem(stdout: Terminal["stdout"], problem: Diagnostic): void {
  stdout.write(verbatim(`${formatMessage(diagnosticMessage(problem), new Date())}\n`));
}
