import { printed } from "../../../core/printed";
import { isDeepStrictEqual } from "node:util";
import { error, type Diagnostic } from "../../../core/diagnostics";
import { shortStackList } from "../../../review/exclusions/exclusions-text";
import { labelsOf } from "../../../fleet/selection/read-labels";
import { type LoadOptions, type SavedPlan, type SavedPlans, Session } from "../../../runtime";
import { readAssembly, readConfiguration, type StackEntry } from "../../../language";
import { ExitCode } from "../../exit-code";
import { adviceOf } from "../../stacks/advice";
import { closingAfter } from "../../stacks/closing";
import { RecordedRun } from "../../rollout/recorded-run";
import { announceRollout, planRollout } from "../../rollout/plan-rollout";
import { rollOut } from "../../rollout/roll-out";
import { findStacks } from "../../stacks/app-stacks";
import { readPlanFile } from "../../stacks/plan-file";
import { reportFindings, type Findings } from "../../stacks/report-plans";
import { runScreen } from "./planning";
import { printSavedPlans } from "../../stacks/run-report";
import { ProtectionGate } from "../../stacks/protection-gate";
import { loadOptions, sessionOptions, type RunOptions } from "../../stacks/run-options";
import { followRun } from "../../stacks/follow-run";
import { interruptible } from "../../terminal/interruption";
import type { Screen } from "../../terminal/screen";
import type { Terminal } from "../../terminal/terminal";

/** Applies saved plans without approval: they have been reviewed. */
export async function applySaved(
  terminal: Terminal,
  file: string,
  given: RunOptions,
): Promise<ExitCode> {
  const screen = runScreen(terminal, given);
  const opened = await openSaved(screen, file, given);
  if (typeof opened === "number") return opened;
  const { saved, load, faults, gate, recorded, options } = opened;
  const { log, course, labels } = recorded;
  return interruptible(screen, async (interruption) => {
    const names = saved.plans.map(({ stack }) => stack.name);
    const follower = followRun(screen, names, options);
    follower.begin("Planning", names.length);
    const session = await Session.resume(saved, {
      ...load,
      ...interruption,
      ...sessionOptions(screen, options, follower),
      faults,
      operation: "apply",
      runId: log.recordId,
      advice: adviceOf(options),
    }).finally(follower.pause);
    const work = async (): Promise<ExitCode> => {
      reportSaved(screen, session, options);
      if (session.interrupted) {
        screen.print(printed`\nThe apply was interrupted. Nothing was changed.\n`);
        return ExitCode.INTERRUPTED;
      }
      if (!session.applicable) return ExitCode.ERROR;
      const refusal = gate.refuse(screen, session.plans);
      if (refusal !== undefined) return refusal;
      log.addExcluded(session.excluded);
      const rollout = { session, operation: "apply", options, course, labels } as const;
      const planned = planRollout(rollout);
      if (planned.refusal) return screen.fail(planned.refusal);
      announceRollout(screen, planned, options);
      const code = await rollOut({ ...rollout, screen, interruption, log, follower }, planned);
      return session.excluded.length === 0 || code === ExitCode.INTERRUPTED ? code : ExitCode.ERROR;
    };
    return closingAfter(screen, work, async () => [...(await session.close()), ...log.close()]);
  });
}

/** Saved plans that can be resumed. */
interface OpenedPlans {
  /** Those that the options and an earlier run leave. */
  readonly saved: SavedPlans;
  readonly load: Pick<LoadOptions, "variables" | "providers">;
  readonly faults: ReadonlyMap<string, readonly Diagnostic[]>;
  readonly gate: ProtectionGate;
  readonly recorded: RecordedRun;
  readonly options: RunOptions;
}

/** Reads and checks all before a lock is taken; the code of a run that ends here is printed. */
async function openSaved(
  screen: Screen,
  file: string,
  given: RunOptions,
): Promise<OpenedPlans | ExitCode> {
  const { terminal } = screen;
  if (screen.report(planOptions(given))) return ExitCode.ERROR;
  const { variables, providers } = loadOptions(screen, terminal.directory, [], given);
  const { saved, diagnostics } = await readPlanFile(terminal, file, providers);
  if (screen.report(diagnostics) || !saved) return ExitCode.ERROR;
  const { faults, ...checked } = await checkConfigurations(screen, saved, given);
  if (screen.report(checked.diagnostics)) return ExitCode.ERROR;
  const recorded = await RecordedRun.open(screen, "apply", given);
  const selected = saved.plans.map((plan) => ({ name: plan.stack.name, plan }));
  const labels = () =>
    Promise.resolve(
      new Map(selected.map(({ name, plan }) => [name, labelsOf(plan.configuration)] as const)),
    );
  const plans = await recorded?.choose({ selected, labels });
  if (!recorded || !plans) {
    screen.report(recorded?.log.close() ?? []);
    return ExitCode.ERROR;
  }
  if (saved.plans.length === 0) {
    screen.print(printed`\nThe saved plan has no stacks. There is nothing to do.\n`);
    return ExitCode.DONE;
  }
  if (plans.length === 0) return ExitCode.DONE;
  const options = { ...given, ...recorded.options };
  // The stacks of the app that were not planned are not known.
  const opened = await ProtectionGate.open(terminal, options, { names: undefined, labels });
  if ("problems" in opened) {
    screen.report(opened.problems);
    return ExitCode.ERROR;
  }
  const chosen = { ...saved, plans: plans.map(({ plan }) => plan) };
  const load = { variables, providers };
  return { saved: chosen, load, faults, gate: opened.gate, recorded, options };
}

function reportSaved(screen: Screen, session: Session, options: RunOptions): void {
  const several = session.plans.length + session.excluded.length > 1;
  if (session.applicable) printSavedPlans(screen, session.plans, several, options);
  const shown = isRepeating(screen, options) ? withoutWarnings(session) : session;
  reportFindings(screen, shown, options);
}

/** The stream of the plan has its warnings. With `--strict` they are errors. */
function isRepeating({ stream }: Screen, { strict = false }: RunOptions): boolean {
  return stream !== undefined && !strict;
}

function withoutWarnings({ plans, problems, diagnostics, excluded }: Session): Findings {
  const errorsIn = (found: readonly Diagnostic[]) =>
    found.filter(({ severity }) => severity === "error");
  return {
    plans: plans.map((plan) => ({ ...plan, diagnostics: errorsIn(plan.diagnostics) })),
    problems: errorsIn(problems),
    diagnostics: errorsIn(diagnostics),
    excluded,
  };
}

/** Errors for options that only apply when a plan is made. */
function planOptions(options: RunOptions): readonly Diagnostic[] {
  const given = [
    ...(options.target ? ["--target"] : []),
    ...(options.replace ? ["--replace"] : []),
    ...(options.sameConsole ? ["--same-console"] : []),
    ...(options.refreshOnly ? ["--refresh-only"] : []),
    ...(options.refresh === "false" ? ["--refresh"] : []),
    ...(options.label ? ["--label"] : []),
    ...(options.stacksFrom === undefined ? [] : ["--stacks-from"]),
    ...(options.shard ? ["--shard"] : []),
    ...(options.changedFrom === undefined ? [] : ["--changed-from"]),
  ];
  return given.map((option) =>
    error(
      "Option cannot be used with a saved plan",
      `${option} affects planning, and a saved plan is already made. Use the option with "plan".`,
    ),
  );
}

/**
 * If the app is named too, each plan must be of one of its stacks with its current configuration.
 * Another one has a fault.
 */
async function checkConfigurations(
  screen: Screen,
  { plans }: SavedPlans,
  options: RunOptions,
): Promise<{
  readonly faults: ReadonlyMap<string, readonly Diagnostic[]>;
  readonly diagnostics: readonly Diagnostic[];
}> {
  const faults = new Map<string, readonly Diagnostic[]>();
  if (options.outDir === undefined && options.app === undefined) return { faults, diagnostics: [] };
  const located = await findStacks(screen, options);
  if (located.directory === undefined) return { faults, diagnostics: located.diagnostics };
  const { assembly, diagnostics } = await readAssembly(located.directory);
  if (!assembly) return { faults, diagnostics };
  const entries = new Map(assembly.stacks.map((entry) => [entry.name, entry]));
  for (const plan of plans) {
    const { name } = plan.stack;
    const problem = await configurationProblem(plan, entries.get(name), [...entries.keys()]);
    if (problem) faults.set(name, [problem]);
  }
  return { faults, diagnostics: [] };
}

async function configurationProblem(
  { stack, configuration }: SavedPlan,
  entry: StackEntry | undefined,
  names: readonly string[],
): Promise<Diagnostic | undefined> {
  if (!entry) {
    const detail = `The plan is of the stack "${stack.name}". The stacks here are: ${shortStackList(names)}.`;
    return error("Plan of another stack", detail);
  }
  const read = await readConfiguration(entry);
  if ("problem" in read) return read.problem;
  if (isDeepStrictEqual(read.json, configuration)) return undefined;
  return error(
    "Plan of another configuration",
    `The configuration of the stack "${stack.name}" has changed since the plan was made. Plan again.`,
  );
}
