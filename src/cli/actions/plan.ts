import type { Diagnostic } from "../../provider/diagnostics";
import { hasChanges, Session, type PlanOptions } from "../../runtime";
import { loadOptions, selectedNames, type VariableOptions } from "../stacks/load-options";
import { ExitCode } from "../exit-code";
import { interruptible, type Interruption } from "../terminal/interruption";
import { writePlanFile } from "../stacks/plan-file";
import { printPlans } from "../stacks/run-report";
import { printProgress } from "../progress";
import { openJsonScreen, openScreen, type CommonOptions, type Screen } from "../terminal/screen";
import { locateStacks, type AppOptions } from "../stacks";
import type { Terminal } from "../terminal/terminal";
import type { Planned, ReviewOptions } from "../stacks/write-reviews";

/** Options of what plans and applies. */
export interface RunOptions extends CommonOptions, AppOptions, VariableOptions {
  readonly parallelism: number;
  readonly refresh: "true" | "false";
  readonly target?: readonly string[];
  /** JSON lines instead of text. */
  readonly json?: boolean;
  /** Milliseconds. */
  readonly lockTimeout: number;
}

/** What plan and apply take beside. */
export interface ChangeOptions extends RunOptions {
  readonly refreshOnly?: boolean;
  readonly replace?: readonly string[];
}

export interface PlanCommandOptions extends ChangeOptions, ReviewOptions {
  readonly destroy?: boolean;
  readonly detailedExitcode?: boolean;
  /** The file to save the plan in. */
  readonly out?: string;
}

/** Prints what apply would do. */
export async function plan(
  terminal: Terminal,
  stacks: readonly string[],
  options: PlanCommandOptions,
): Promise<ExitCode> {
  const screen = runScreen(terminal, options);
  const mode = options.refreshOnly ? "refresh-only" : options.destroy ? "destroy" : "normal";
  const review = async (planned: Planned): Promise<boolean> => {
    if (options.html === undefined && options.markdown === undefined) return true;
    const { writeReviews } = await import("../stacks/write-reviews.js");
    return !screen.report(await writeReviews(terminal.directory, planned, options));
  };
  const purpose = { mode, operation: "plan", failed: review } as const;
  return planning(screen, stacks, options, purpose, async (session) => {
    if (!(await review(session))) return ExitCode.ERROR;
    const changes = session.plans.some(hasChanges);
    if (options.out !== undefined) {
      const problems = await writePlanFile(terminal, options.out, session);
      if (screen.report(problems)) return ExitCode.ERROR;
      if (changes) screen.print(savedText(options.out, screen));
    }
    return options.detailedExitcode && changes ? ExitCode.CHANGES : ExitCode.DONE;
  });
}

/** As Terraform says it. */
function savedText(file: string, { style, width }: Screen): string {
  return (
    `\n${style.dim("─".repeat(width - 1))}\n\nSaved the plan to: ${file}\n\n` +
    "To perform exactly these actions, run the following command to apply:\n" +
    `    cdktf-console apply ${JSON.stringify(file)}\n`
  );
}

/** What a plan is for. */
interface Purpose extends Pick<PlanOptions, "mode" | "operation"> {
  /** Told why, where there is no plan that could be applied; not where planning was interrupted. */
  readonly failed?: (planned: { readonly failure: readonly Diagnostic[] }) => Promise<unknown>;
}

export function runScreen(terminal: Terminal, options: RunOptions): Screen {
  return options.json ? openJsonScreen(terminal, options) : openScreen(terminal, options);
}

/**
 * Plans and prints the plans, then does what comes `after` a plan that can be applied. The stacks
 * stay locked until that is done.
 */
export async function planning(
  screen: Screen,
  stacks: readonly string[],
  options: ChangeOptions,
  { failed, ...purpose }: Purpose,
  after: (session: Session, interruption: Interruption) => Promise<ExitCode>,
): Promise<ExitCode> {
  const located = await locateStacks(screen, options);
  if (screen.report(located.diagnostics) || located.directory === undefined) {
    await failed?.({ failure: located.diagnostics });
    return ExitCode.ERROR;
  }
  const load = loadOptions(screen, located.directory, stacks, options);
  const names = await selectedNames(located.directory, stacks);
  return interruptible(screen, async (interruption) => {
    const session = await Session.plan({
      ...load,
      ...purpose,
      ...interruption,
      parallelism: options.parallelism,
      refresh: options.refresh === "true",
      replace: options.replace ?? [],
      targets: options.target ?? [],
      lockWaitMs: options.lockTimeout,
      environment: screen.terminal.environment,
      observe: screen.stream?.observer(names) ?? printProgress(screen, names),
    });
    try {
      if (session.applicable) printPlans(screen, session.plans);
      const faulty = screen.report(session.diagnostics);
      if (session.interrupted) {
        screen.print("\nPlanning was interrupted. Nothing was changed.\n");
        return ExitCode.INTERRUPTED;
      }
      if (!faulty) return await after(session, interruption);
      await failed?.({ failure: session.diagnostics });
      return ExitCode.ERROR;
    } finally {
      screen.report(await session.close());
    }
  });
}
