import { hasErrors, type Diagnostic } from "../../provider/diagnostics";
import { emptyState, type State } from "../../runtime/state/state";
import { ExitCode } from "../exit-code";
import { openScreen, type Screen } from "../terminal/screen";
import { openStoredStack, type StoredOptions } from "./stored-stacks";
import type { Terminal } from "../terminal/terminal";

/** What becomes of a state, and what is printed of it. With an error it stays as it is. */
export interface Edited {
  /** Absent: it stays as it is. */
  readonly state?: State;
  readonly lines?: readonly string[];
  readonly diagnostics?: readonly Diagnostic[];
}

/**
 * Changes the state of one stack, locked against others while it does; the state before is in the
 * backup.
 *
 * @param operation Shown to whom the lock keeps out.
 */
export async function editStored(
  terminal: Terminal,
  options: StoredOptions,
  operation: string,
  edit: (state: State, screen: Screen) => Edited,
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
    const { state, lines = [], diagnostics: problems = [] } = edit(present ?? emptyState(), screen);
    if (hasErrors(problems)) {
      screen.report([...found, ...problems]);
      return ExitCode.ERROR;
    }
    const written = state && (await backend.write(state));
    const failed = screen.report([...found, ...problems, ...(written?.diagnostics ?? [])]);
    if (failed) return ExitCode.ERROR;
    for (const line of lines) screen.print(`${line}\n`);
    return ExitCode.DONE;
  } finally {
    screen.report(await lock.release());
  }
}
