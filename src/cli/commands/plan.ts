import { hasChanges, Session, type PlanOptions } from "../../runtime";
import { loadOptions, selectedNames, type VariableOptions } from "../engine";
import { ExitCode } from "../exit-code";
import { interruptible, type Interruption } from "../interruption";
import { writePlanFile } from "../plan-file";
import { printPlans } from "../plan-report";
import { printProgress } from "../progress";
import { openJsonScreen, openScreen, type CommonOptions, type Screen } from "../screen";
import { locateStacks, type AppOptions } from "../stacks";
import type { Terminal } from "../terminal";
import type { ReviewOptions } from "./review";

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
  return planning(screen, stacks, options, { mode, operation: "plan" }, async (session) => {
    const { html, markdown } = options;
    if (html !== undefined || markdown !== undefined) {
      const { writeReviews } = await import("./review.js");
      const problems = await writeReviews(terminal.directory, session.plans, options);
      if (screen.report(problems)) return ExitCode.ERROR;
    }
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
  purpose: Pick<PlanOptions, "mode" | "operation">,
  after: (session: Session, interruption: Interruption) => Promise<ExitCode>,
): Promise<ExitCode> {
  const located = await locateStacks(screen, options);
  if (screen.report(located.diagnostics) || located.directory === undefined) return ExitCode.ERROR;
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
      const failed = screen.report(session.diagnostics);
      if (session.interrupted) {
        screen.print("\nPlanning was interrupted. Nothing was changed.\n");
        return ExitCode.INTERRUPTED;
      }
      return failed ? ExitCode.ERROR : await after(session, interruption);
    } finally {
      screen.report(await session.close());
    }
  });
}
