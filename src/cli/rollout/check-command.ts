import { printed, prose } from "../../core/printed";
import type { Wave } from "../../fleet/rollout/rollout";
import type { Environment } from "../../core/environment";
import { error, type Diagnostic } from "../../core/diagnostics";
import { hideSecrets } from "../../core/io/secrets-in-use";
import { runCommand } from "../../runtime";
import type { Screen } from "../terminal/screen";

/** A command to run between waves, as the user gave it. */
export interface Check {
  readonly command: string;
  /** Without the values of ephemeral variables. */
  readonly environment: Environment;
  /** Once aborted, the command is ended. */
  readonly stop: AbortSignal;
}

/**
 * Runs the check after a wave in a shell. It gets the names of the stacks of the wave on standard
 * input, one a line, and the number of the wave in `CDKTF_CONSOLE_WAVE`. Its output is shown.
 * Returns an error unless its exit code is 0.
 */
export async function runCheck(
  screen: Screen,
  { command, environment, stop }: Check,
  { number, stacks }: Wave,
): Promise<Diagnostic | undefined> {
  const ended = await runCommand(
    {
      program: "/bin/sh",
      args: ["-c", command],
      directory: screen.terminal.directory,
      environment: { ...environment, CDKTF_CONSOLE_WAVE: String(number) },
      input: stacks.map((name) => `${name}\n`).join(""),
      signal: stop,
    },
    (line) => {
      screen.print(printed`${prose(hideSecrets(line))}\n`);
    },
  );
  const failed = (problem: string) =>
    error(
      "Check failed",
      printed`The check after wave ${number} ${problem}: ${command}\n\nNo further stack is started.`,
    );
  if (ended.kind === "not-started") return failed(`could not be started (${ended.reason})`);
  if (ended.code === 0) return undefined;
  if (ended.code === null) return failed(`was ended by ${ended.signal ?? "a signal"}`);
  return failed(`ended with exit code ${ended.code}`);
}
