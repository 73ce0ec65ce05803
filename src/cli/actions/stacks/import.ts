import { printed } from "../../../core/printed";
import { importObject as importInto } from "../../../runtime";
import { adviceOf } from "../../stacks/advice";
import { loadOptions, type VariableOptions } from "../../stacks/run-options";
import { followRun } from "../../stacks/follow-run";
import { ExitCode } from "../../exit-code";
import { interruptible } from "../../terminal/interruption";
import { openScreen, type CommonOptions } from "../../terminal/screen";
import { locateStacks, type AppOptions } from "../../stacks/app-stacks";
import type { Terminal } from "../../terminal/terminal";

export interface ImportCommandOptions extends CommonOptions, AppOptions, VariableOptions {
  /** Milliseconds. */
  readonly lockTimeout: number;
}

const SUCCESS = printed`
Import successful!

The resources that were imported are shown above. These resources are now in
your Terraform state and will henceforth be managed by Terraform.
`;

/** Imports existing objects of a console into the state of a stack. */
export async function importObject(
  terminal: Terminal,
  stack: string,
  address: string,
  id: string | undefined,
  options: ImportCommandOptions,
): Promise<ExitCode> {
  const screen = openScreen(terminal, options);
  const directory = await locateStacks(screen, options);
  if (directory === undefined) return ExitCode.ERROR;
  return interruptible(screen, async (interruption) => {
    const { imported, interrupted, diagnostics } = await importInto({
      ...loadOptions(screen, directory, [{ name: stack }], options),
      ...interruption,
      stack,
      address,
      ...(id !== undefined && { id }),
      lockWaitMs: options.lockTimeout,
      advice: adviceOf(options),
      environment: terminal.environment,
      observe: followRun(screen, [stack]).observe,
    });
    if (imported !== undefined) screen.print(screen.style.green(SUCCESS));
    const failed = screen.report(diagnostics);
    if (interrupted) {
      screen.print(printed`\nThe import was interrupted. Nothing was changed.\n`);
      return ExitCode.INTERRUPTED;
    }
    return failed ? ExitCode.ERROR : ExitCode.DONE;
  });
}
