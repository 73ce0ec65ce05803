import { hasErrors, type Diagnostic } from "../../provider/diagnostics";
import { emptyState, type State } from "../../runtime/state/state";
import { ExitCode } from "../exit-code";
import { openScreen } from "../terminal/screen";
import type { Terminal } from "../terminal/terminal";
import { openStoredStack, type StoredOptions } from "./stored-stacks";

/** Result of an edit: the new state and the lines to print. An error discards both. */
export interface Edited {
  /** Absent if the state does not change. */
  readonly state?: State;
  readonly lines?: readonly string[];
  readonly diagnostics?: readonly Diagnostic[];
}

/**
 * Edits the state of one stack under its lock. The backend keeps a backup of the previous state.
 *
 * @param operation - shown to other runs that the lock keeps out
 */
export async function editStored(
  terminal: Terminal,
  options: StoredOptions,
  operation: string,
  edit: (state: State) => Edited,
): Promise<ExitCode> {
  const screen = openScreen(terminal, options);
  const stack = await openStoredStack(screen, options);
  if (!stack) return ExitCode.ERROR;
  const { backend } = stack;
  const { lock, diagnostics } = await backend.lock({ operation });
  screen.report(diagnostics);
  if (!lock) return ExitCode.ERROR;
  try {
    const { state: present, diagnostics: found } = await backend.read();
    if (hasErrors(found)) {
      screen.report(found);
      return ExitCode.ERROR;
    }
    const { state, lines = [], diagnostics: problems = [] } = edit(present ?? emptyState());
    const isWritten = state !== undefined && !hasErrors(problems);
    const written = isWritten ? await backend.write(state) : undefined;
    const failed = screen.report([...found, ...problems, ...(written?.diagnostics ?? [])]);
    if (failed) return ExitCode.ERROR;
    for (const line of lines) screen.print(`${line}\n`);
    return ExitCode.DONE;
  } finally {
    screen.report(await lock.release());
  }
}
