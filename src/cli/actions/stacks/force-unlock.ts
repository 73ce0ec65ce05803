import { error } from "../../../provider/diagnostics";
import { confirm } from "../../terminal/confirmation";
import { ExitCode } from "../../exit-code";
import { openScreen } from "../../terminal/screen";
import { openStoredStack, type StoredOptions } from "../../stacks/stored-stacks";
import type { Terminal } from "../../terminal/terminal";

export interface ForceUnlockOptions extends StoredOptions {
  /** Skip the confirmation. */
  readonly force?: boolean;
}

/** Removes the lock with this ID, regardless of its holder. */
export async function forceUnlock(
  terminal: Terminal,
  id: string,
  options: ForceUnlockOptions,
): Promise<ExitCode> {
  const screen = openScreen(terminal, options);
  const stack = await openStoredStack(screen, options);
  if (!stack) return ExitCode.ERROR;
  if (!options.force) {
    if (!terminal.interactive) {
      const detail =
        "The removal of the lock cannot be confirmed interactively, because standard input or standard output is not a terminal. Use --force to skip the confirmation.";
      return screen.fail(error("Not confirmed", detail));
    }
    const agreed = await confirm(screen, {
      title: "Do you really want to force-unlock?",
      lines: [
        `The lock of ${stack.backend.location} will be removed.`,
        "A run that still holds it would no longer be protected from other runs.",
        "Only 'yes' will be accepted to confirm.",
      ],
    });
    if (!agreed) {
      screen.print("\nForce-unlock cancelled.\n");
      return ExitCode.ERROR;
    }
  }
  if (screen.report(await stack.backend.forceUnlock(id))) return ExitCode.ERROR;
  screen.print("The state has been unlocked.\n");
  return ExitCode.DONE;
}
