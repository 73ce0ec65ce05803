import { isDeepStrictEqual } from "node:util";
import { error, type Diagnostic } from "../../provider/diagnostics";
import { Session, type SavedPlan } from "../../runtime";
import { readAssembly } from "../../runtime/config/assembly";
import { readJsonFile } from "../../runtime/config/json-file";
import { reportApplied } from "../apply-report";
import { loadOptions } from "../stacks/load-options";
import { ExitCode } from "../exit-code";
import { interruptible } from "../terminal/interruption";
import { readPlanFile } from "../stacks/plan-file";
import { printProgress } from "../progress";
import type { Screen } from "../terminal/screen";
import { locateStacks } from "../stacks";
import type { Terminal } from "../terminal/terminal";
import type { ApplyOptions } from "./apply";
import { runScreen } from "./plan";

/** Does what a saved plan says, or nothing. Nobody is asked: the plan was reviewed. */
export async function applySaved(
  terminal: Terminal,
  file: string,
  options: ApplyOptions,
): Promise<ExitCode> {
  const screen = runScreen(terminal, options);
  if (screen.report(settledOptions(options))) return ExitCode.ERROR;
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
      observe: screen.stream?.observer([name]) ?? printProgress(screen, [name]),
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

/** What the plan has settled cannot be said once more. */
function settledOptions(options: ApplyOptions): readonly Diagnostic[] {
  const given = [
    ...(options.target ? ["--target"] : []),
    ...(options.replace ? ["--replace"] : []),
    ...(options.refreshOnly ? ["--refresh-only"] : []),
    ...(options.refresh === "false" ? ["--refresh"] : []),
  ];
  return given.map((option) =>
    error(
      "Option of a plan",
      `${option} is for plans that are made now: it cannot be given with a saved plan, which has settled what is done.`,
    ),
  );
}

/** Where the stacks are named too, the plan must be of one of them as it is now. */
async function checkConfiguration(
  screen: Screen,
  { stack, configuration }: SavedPlan,
  options: ApplyOptions,
): Promise<readonly Diagnostic[]> {
  if (options.outDir === undefined && options.app === undefined) return [];
  const located = await locateStacks(screen, options);
  if (located.directory === undefined) return located.diagnostics;
  const { assembly, diagnostics } = await readAssembly(located.directory);
  if (!assembly) return diagnostics;
  const entry = assembly.stacks.find(({ name }) => name === stack.name);
  if (!entry) {
    const names = assembly.stacks.map(({ name }) => name).join(", ");
    const detail = `The plan is of the stack "${stack.name}". The stacks here are: ${names}.`;
    return [error("Plan of another stack", detail)];
  }
  const read = await readJsonFile(entry.file);
  if (read.kind === "faulty") return [read.diagnostic];
  if (read.kind === "read" && isDeepStrictEqual(read.json, configuration)) return [];
  return [
    error(
      "Plan of another configuration",
      `The stack "${stack.name}" is not configured any more as it was when the plan was made. Plan again.`,
    ),
  ];
}
