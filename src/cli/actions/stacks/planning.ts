import { printed } from "../../../core/printed";
import { strictly, type Diagnostic } from "../../../core/diagnostics";
import type { RecordedStack } from "../../../core/documents/run-record";
import { type PlanMode, Session, type StackPlan } from "../../../runtime";
import type { StackEntry } from "../../../language";
import { ExitCode } from "../../exit-code";
import { interruptible, type Interruption } from "../../terminal/interruption";
import { openJsonScreen, openScreen, type Screen } from "../../terminal/screen";
import type { Terminal } from "../../terminal/terminal";
import type { PlanningCommand } from "../../stacks/engines";
import { adviceOf } from "../../stacks/advice";
import { blindMessage, blindWarning, groupBlind } from "../../../review/exclusions/blind-stacks";
import { blindCause } from "../../../provider/console/not-readable";
import { cwpProvider } from "../../../provider/cwp-provider";
import { SameConsoles } from "../../stored/same-console";
import { isFirstSetup } from "../../../review/protection/first-setup";
import { withCheckTitles } from "../../../review/protection/check-titles";
import { closingAfter } from "../../stacks/closing";
import { resolveInStacks } from "../../stacks/construct-paths";
import { printExclusions, reportExcluded, reportOfStacks } from "../../stacks/exclusions";
import { followRun, type RunFollower } from "../../stacks/follow-run";
import type { PlannedRun } from "../../stacks/planned-run";
import { describeSources } from "../../../review/protection/live-text";
import { withLive } from "../../stacks/live";
import { loadOptions, type RunOptions } from "../../stacks/run-options";
import { printPlans } from "../../stacks/run-report";
import { ProtectionGate } from "../../stacks/protection-gate";
import { findSelected, readLabels } from "../../stacks/selection";
import { noteOf } from "../../../core/notes";
import { LIVE } from "../../../review/protection/live-reading";

/** Opens the output of plan, apply or destroy. */
export function runScreen(terminal: Terminal, options: RunOptions): Screen {
  return options.json ? openJsonScreen(terminal, options) : openScreen(terminal, options);
}

/** Reason for planning. */
export interface Purpose {
  readonly mode: PlanMode;
  readonly operation: PlanningCommand;
  /** The changes that a rollback takes back, by stack. */
  readonly rollback?: ReadonlyMap<string, RecordedStack>;
  /** The ID of the run, which its locks have. */
  readonly runId?: () => string;
  /** Returns errors that exclude a stack which was planned. */
  readonly judge?: (plan: StackPlan) => Promise<readonly Diagnostic[]>;
  /** Limits the selected stacks, given all of the app. Undefined after an error. */
  readonly choose?: (
    selected: readonly StackEntry[],
    all: readonly StackEntry[],
  ) => readonly StackEntry[] | undefined | Promise<readonly StackEntry[] | undefined>;
  /** Called instead of planning if no stack is selected. */
  readonly nothing?: () => Promise<ExitCode>;
  /** Called if planning fails, but not if it is interrupted. */
  readonly failed?: (diagnostics: readonly Diagnostic[]) => Promise<unknown>;
}

/**
 * Plans the selected stacks and prints the plans, then runs `after` if they can be applied. The states stay
 * locked until `after` ends.
 */
export async function planAndReport(
  screen: Screen,
  patterns: readonly string[],
  given: RunOptions,
  { failed, nothing, runId, choose = (selected) => selected, ...purpose }: Purpose,
  after: (
    session: PlannedRun,
    interruption: Interruption,
    follower: RunFollower,
    gate: ProtectionGate,
    plans: readonly StackPlan[],
  ) => Promise<ExitCode>,
): Promise<ExitCode> {
  const { directory, diagnostics, ...found } = await findSelected(screen, patterns, given);
  if (screen.report(diagnostics) || directory === undefined) {
    await failed?.(diagnostics);
    return ExitCode.ERROR;
  }
  const stacks = await choose(found.stacks, found.all);
  if (!stacks) return ExitCode.ERROR;
  const same = await SameConsoles.of(screen, given, { stacks, all: found.all });
  const options = "problems" in same ? same : await withAddresses(given, stacks, same);
  if ("problems" in options) {
    screen.report(options.problems);
    await failed?.(options.problems);
    return ExitCode.ERROR;
  }
  const opened = await ProtectionGate.open(screen.terminal, options, {
    names: found.all.map(({ name }) => name),
    labels: () => readLabels(found.all),
    mode: purpose.mode,
  });
  if ("problems" in opened) {
    screen.report(opened.problems);
    await failed?.(opened.problems);
    return ExitCode.ERROR;
  }
  const { gate } = opened;
  if (stacks.length === 0) return (await nothing?.()) ?? ExitCode.DONE;
  const names = stacks.map(({ name }) => name);
  const { engine } = options;
  const load = loadOptions(screen, directory, stacks, options);
  return interruptible(screen, async (interruption) => {
    const follower = followRun(screen, names, options);
    if (!("problems" in same)) same.pause = follower.pause;
    follower.begin("Planning", names.length);
    const report = async (session: PlannedRun): Promise<ExitCode> => {
      const found = await reviewedPlans(session, options, interruption);
      const plans = withCheckTitles(found, gate.checkTitles);
      reportPlanned(screen, session, plans, options);
      // Nothing is planned yet while the secrets command runs.
      const isStopped = interruption.stop.aborted && (!session.applicable || options.consoles);
      if (session.interrupted || isStopped) {
        screen.print(printed`\nPlanning was interrupted. Nothing was changed.\n`);
        return ExitCode.INTERRUPTED;
      }
      if (!session.applicable) {
        await failed?.(session.diagnostics);
        return ExitCode.ERROR;
      }
      if (options.strict && hasFindings(session)) return ExitCode.ERROR;
      const code = await after(session, interruption, follower, gate, plans);
      const isComplete = session.excluded.length === 0 || code === ExitCode.INTERRUPTED;
      return isComplete ? code : ExitCode.ERROR;
    };
    const conclude = (session: PlannedRun): Promise<ExitCode> =>
      closingAfter(
        screen,
        () => report(session),
        () => session.close(),
      );
    if (engine !== "embedded") {
      const run = {
        screen,
        program: engine,
        options,
        interruption,
        follower,
        conclude,
        ...purpose,
      };
      const { runLayers } = await import("../../terraform/run-layers.js");
      return runLayers(
        { ...run, load, failed: (found) => Promise.resolve(failed?.(found)) },
        stacks,
      );
    }
    const planned = await Session.plan({
      ...load,
      ...purpose,
      ...interruption,
      ...(options.parallelism !== undefined && { parallelism: options.parallelism }),
      refresh: options.refresh === "true",
      runId: runId?.(),
      replace: options.replace ?? [],
      targets: options.target ?? [],
      lockWaitMs: options.lockTimeout,
      advice: adviceOf(options, found.all.length === 1),
      environment: screen.terminal.environment,
      observe: follower.observe,
      reached: follower.reached,
      stepped: follower.stepped,
      planned: follower.ended,
      failFast: options.failFast ?? false,
      ignoreMissingStackDependencies: options.ignoreMissingStackDependencies ?? false,
    }).finally(follower.pause);
    return conclude(planned);
  });
}

/** Converts the paths of constructs in `--target` and `--replace` to addresses. */
async function withAddresses(
  options: RunOptions,
  stacks: readonly StackEntry[],
  same: SameConsoles,
): Promise<RunOptions | { readonly problems: readonly Diagnostic[] }> {
  const target = await resolveInStacks(options.target ?? [], stacks);
  if ("problems" in target) return target;
  const replace = await resolveInStacks(options.replace ?? [], stacks);
  if ("problems" in replace) return replace;
  const { consoles, provider: given = consoles?.definition ?? cwpProvider } = options;
  const provider = same.provider(given);
  return { ...options, provider, target: target.addresses, replace: replace.addresses };
}

/** The plans, with `--live` also what runs on their consoles. */
async function reviewedPlans(
  { plans, applicable }: PlannedRun,
  { consoles }: RunOptions,
  { stop }: Interruption,
): Promise<readonly StackPlan[]> {
  if (!consoles || !applicable) return plans;
  try {
    return await withLive(plans, (address) => consoles.at(address)?.client, stop);
  } catch (failure) {
    if (stop.aborted) return plans;
    throw failure;
  }
}

/** Prints the plans, and the diagnostics of all stacks. */
function reportPlanned(
  screen: Screen,
  session: PlannedRun,
  plans: readonly StackPlan[],
  options: RunOptions,
): void {
  const several = plans.length + session.excluded.length > 1;
  if (session.applicable) {
    printPlans(screen, plans, several, options);
    if (options.consoles) reportLive(screen, plans);
  }
  reportFindings(screen, session, options);
}

/** The plans and the problems that planning has found. */
export type Findings = Pick<PlannedRun, "plans" | "excluded" | "problems" | "diagnostics">;

/** Prints the diagnostics of all stacks, and those that are excluded. */
export function reportFindings(screen: Screen, session: Findings, options: RunOptions): void {
  const { plans, excluded, problems } = session;
  const total = plans.length + excluded.length;
  const shown = (found: readonly Diagnostic[]) => (options.strict ? found.map(strictly) : found);
  // Its text has a sentence about the console that cannot be read yet.
  const setups = new Set(screen.stream ? [] : plans.filter(isFirstSetup));
  if (total <= 1) {
    const isSaid = (found: Diagnostic) => setups.size > 0 && isRefused(found);
    screen.report(shown(session.diagnostics.filter((found) => !isSaid(found))));
    return;
  }
  // Validation reports a warning of a block before its plan does.
  const ofPlans = new Set(plans.flatMap(({ diagnostics }) => diagnostics.map(comparableJson)));
  screen.report(shown(problems.filter((problem) => !ofPlans.has(comparableJson(problem)))));
  const blind = groupBlind(
    plans.filter((plan) => !setups.has(plan) || !plan.diagnostics.some(isRefused)),
  );
  // The stream has each warning, too.
  const isSummed = (found: Diagnostic) => !screen.stream && blindCause(found) !== undefined;
  reportOfStacks(
    screen,
    plans.map(({ stack, diagnostics }) => ({
      stack,
      diagnostics: shown(diagnostics.filter((found) => !isSummed(found))),
    })),
  );
  if (blind.length > 0) {
    if (screen.stream) screen.stream.send(blindMessage(blind, total));
    else screen.report([blindWarning(blind, total)]);
  }
  reportExcluded(screen, excluded, options);
  printExclusions(screen, "Excluded", excluded, total);
}

/** A new console refuses all credentials. */
function isRefused(diagnostic: Diagnostic): boolean {
  return blindCause(diagnostic) === "refused";
}

function comparableJson(diagnostic: Diagnostic): string {
  return JSON.stringify(diagnostic);
}

/** Says that nothing was read; a stream of messages, which has no review, also what was. */
function reportLive(screen: Screen, plans: readonly StackPlan[]): void {
  const found = plans.flatMap(({ changes }) =>
    changes.flatMap((change) => noteOf(change, LIVE) ?? []),
  );
  if (found.length === 0) {
    screen.print(printed`\nNo plan changes container policies, so no containers were read.\n`);
  } else if (screen.stream) {
    const sources = found.flatMap((live) => describeSources(live, live.counts?.running));
    for (const source of sources) screen.print(printed`${source}\n`);
  }
}

function hasFindings({ plans }: PlannedRun): boolean {
  return plans.some(({ diagnostics }) => diagnostics.some(({ isFinding }) => isFinding));
}
