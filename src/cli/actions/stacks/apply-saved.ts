import { isDeepStrictEqual } from "node:util";
import { error, type Diagnostic } from "../../../provider/diagnostics";
import { Session, type SavedPlan } from "../../../runtime";
import { readAssembly } from "../../../runtime/config/assembly";
import { ExitCode } from "../../exit-code";
import { findStacks, readConfiguration } from "../../stacks/app-stacks";
import { readPlanFile } from "../../stacks/plan-file";
import { runScreen } from "../../stacks/planning";
import { loadOptions, type RunOptions } from "../../stacks/run-options";
import { progressOf, reportApplied } from "../../stacks/run-report";
import { interruptible } from "../../terminal/interruption";
import type { Screen } from "../../terminal/screen";
import type { Terminal } from "../../terminal/terminal";

/** Applies a saved plan as a whole, without approval: the plan has been reviewed. */
export async function applySaved(
  terminal: Terminal,
  file: string,
  options: RunOptions,
): Promise<ExitCode> {
  const screen = runScreen(terminal, options);
  if (screen.report(planOptions(options))) return ExitCode.ERROR;
  const { variables, providers } = loadOptions(screen, terminal.directory, [], options);
  const { saved, diagnostics } = await readPlanFile(terminal, file, providers);
  if (screen.report(diagnostics) || !saved) return ExitCode.ERROR;
  if (screen.report(await checkConfiguration(screen, saved, options))) return ExitCode.ERROR;
  const { name } = saved.stack;
  return interruptible(screen, async (interruption) => {
    const session = await Session.resume(saved, {
      variables,
      providers,
      ...interruption,
      parallelism: options.parallelism,
      operation: "apply",
      lockWaitMs: options.lockTimeout,
      environment: terminal.environment,
      observe: progressOf(screen, [name]),
    });
    try {
      const failed = screen.report(session.diagnostics);
      if (session.interrupted) {
        screen.print("\nThe apply was interrupted. Nothing was changed.\n");
        return ExitCode.INTERRUPTED;
      }
      return failed ? ExitCode.ERROR : reportApplied(screen, "apply", await session.apply());
    } finally {
      screen.report(await session.close());
    }
  });
}

/** Errors for options that only apply when a plan is made. */
function planOptions(options: RunOptions): readonly Diagnostic[] {
  const given = [
    ...(options.target ? ["--target"] : []),
    ...(options.replace ? ["--replace"] : []),
    ...(options.refreshOnly ? ["--refresh-only"] : []),
    ...(options.refresh === "false" ? ["--refresh"] : []),
  ];
  return given.map((option) =>
    error(
      "Option cannot be used with a saved plan",
      `${option} affects planning, and a saved plan is already made. Use the option with "plan".`,
    ),
  );
}

/** If the app is named too, the plan must be of one of its stacks with its current configuration. */
async function checkConfiguration(
  screen: Screen,
  { stack, configuration }: SavedPlan,
  options: RunOptions,
): Promise<readonly Diagnostic[]> {
  if (options.outDir === undefined && options.app === undefined) return [];
  const located = await findStacks(screen, options);
  if (located.directory === undefined) return located.diagnostics;
  const { assembly, diagnostics } = await readAssembly(located.directory);
  if (!assembly) return diagnostics;
  const entry = assembly.stacks.find(({ name }) => name === stack.name);
  if (!entry) {
    const names = assembly.stacks.map(({ name }) => name).join(", ");
    const detail = `The plan is of the stack "${stack.name}". The stacks here are: ${names}.`;
    return [error("Plan of another stack", detail)];
  }
  const read = await readConfiguration(entry);
  if ("problem" in read) return [read.problem];
  if (isDeepStrictEqual(read.json, configuration)) return [];
  return [
    error(
      "Plan of another configuration",
      `The configuration of the stack "${stack.name}" has changed since the plan was made. Plan again.`,
    ),
  ];
}
