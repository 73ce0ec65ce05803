import { hasErrors } from "../../../core/diagnostics";
import { formatState } from "../../../formats/state-file/write";
import { ExitCode } from "../../exit-code";
import { openStoredStack, type StoredOptions } from "../../stored/stored-stacks";
import { openScreen } from "../../terminal/screen";
import type { Terminal } from "../../terminal/terminal";

/** Prints the state of one stack; nothing without one, as `terraform state pull`. */
export async function statePull(terminal: Terminal, options: StoredOptions): Promise<ExitCode> {
  const screen = openScreen(terminal, options, true);
  const stack = await openStoredStack(screen, options);
  if (!stack) return ExitCode.ERROR;
  const { state, diagnostics } = await stack.backend.read();
  screen.report(diagnostics);
  if (hasErrors(diagnostics)) return ExitCode.ERROR;
  if (state) screen.printDocument(formatState(state));
  return ExitCode.DONE;
}
