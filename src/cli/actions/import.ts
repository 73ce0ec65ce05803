import { importObject as importInto } from "../../runtime";
import { loadOptions, type VariableOptions } from "../stacks/load-options";
import { ExitCode } from "../exit-code";
import { interruptible } from "../terminal/interruption";
import { printProgress } from "../progress";
import { openScreen, type CommonOptions } from "../terminal/screen";
import { locateStacks, type AppOptions } from "../stacks";
import type { Terminal } from "../terminal/terminal";

export interface ImportCommandOptions extends CommonOptions, AppOptions, VariableOptions {
  /** Milliseconds. */
  readonly lockTimeout: number;
}

const SUCCESS = `
Import successful!

The resources that were imported are shown above. These resources are now in
your Terraform state and will henceforth be managed by Terraform.
`;

/** Takes what a console has into the state of a stack. */
export async function importObject(
  terminal: Terminal,
  stack: string,
  address: string,
  id: string | undefined,
  options: ImportCommandOptions,
): Promise<ExitCode> {
  const screen = openScreen(terminal, options);
  const located = await locateStacks(screen, options);
  if (screen.report(located.diagnostics) || located.directory === undefined) return ExitCode.ERROR;
  const load = loadOptions(screen, located.directory, [stack], options);
  return interruptible(screen, async (interruption) => {
    const { imported, interrupted, diagnostics } = await importInto({
      ...load,
      ...interruption,
      stack,
      address,
      ...(id !== undefined && { id }),
      lockWaitMs: options.lockTimeout,
      environment: terminal.environment,
      observe: printProgress(screen, [stack]),
    });
    if (imported !== undefined) screen.print(screen.style.green(SUCCESS));
    const failed = screen.report(diagnostics);
    if (interrupted) {
      screen.print("\nThe import was interrupted. Nothing was changed.\n");
      return ExitCode.INTERRUPTED;
    }
    return failed ? ExitCode.ERROR : ExitCode.DONE;
  });
}
