import { error } from "../../provider/diagnostics";
import { confirm } from "../terminal/confirmation";
import { ExitCode } from "../exit-code";
import { openScreen } from "../terminal/screen";
import { openStoredStack, type StoredOptions } from "../stacks/stored-stacks";
import type { Terminal } from "../terminal/terminal";

export interface ForceUnlockOptions extends StoredOptions {
  /** Without a question. */
  readonly force?: boolean;
}

/** Removes the lock with this ID, whoever holds it. */
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
      screen.report([
        error(
          "Not confirmed",
          "There is nobody to ask whether the lock may go. Give --force to remove it unasked.",
        ),
      ]);
      return ExitCode.ERROR;
    }
    const agreed = await confirm(screen, {
      title: "Do you really want to force-unlock?",
      lines: [
        `The lock of ${stack.backend.location} will be removed.`,
        "Another run that still works on it would no longer be kept out.",
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
