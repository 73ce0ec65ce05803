import { printed } from "../../../core/printed";
import { hasErrors, type Diagnostic } from "../../../core/diagnostics";
import type { RecordedStack } from "../../../core/documents/run-record";
import { type LoadOptions, type PlanMode, Session, type StackPlan } from "../../../runtime";
import type { StackEntry } from "../../../language";
import { ExitCode } from "../../exit-code";
import { interruptible, type Interruption } from "../../terminal/interruption";
import { openJsonScreen, openScreen, type Screen } from "../../terminal/screen";
import type { Terminal } from "../../terminal/terminal";
import type { PlanningCommand, Program } from "../../stacks/engines";
import { adviceOf } from "../../stacks/advice";
import { cwpProvider } from "../../../provider/cwp-provider";
import { SameConsoles } from "../../stored/same-console";
import { withCheckTitles } from "../../../review/protection/check-titles";
import { closingAfter } from "../../stacks/closing";
import { resolveInStacks } from "../../stacks/construct-paths";
import { followRun, type RunFollower } from "../../stacks/follow-run";
import type { PlannedRun } from "../../stacks/planned-run";
import { withLive } from "../../stacks/live";
import { loadOptions, sessionOptions, type RunOptions } from "../../stacks/run-options";
import { ProtectionGate } from "../../stacks/protection-gate";
import { reportPlanned } from "../../stacks/report-plans";
import { findSelected, readLabels } from "../../stacks/selection";

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

/** Plans that were printed and can be applied. Their states are locked until the decision ends. */
export interface PlannedStacks {
  readonly session: PlannedRun;
  /** The plans, with what `--live` and the contract know of them. */
  readonly plans: readonly StackPlan[];
  readonly gate: ProtectionGate;
  readonly interruption: Interruption;
  readonly follower: RunFollower;
}

/** Decides about plans, and acts. Another engine makes some of them when others are applied. */
type Decide = (planned: PlannedStacks) => Promise<ExitCode>;

/** Plans the selected stacks, prints the plans, and decides about them if they can be applied. */
export async function planAndReport(
  screen: Screen,
  patterns: readonly string[],
  given: RunOptions,
  purpose: Purpose & { readonly decide: Decide },
): Promise<ExitCode> {
  const prepared = await prepare(screen, patterns, given, purpose);
  if (!prepared) return ExitCode.ERROR;
  if ("problems" in prepared) {
    screen.report(prepared.problems);
    await purpose.failed?.(prepared.problems);
    return ExitCode.ERROR;
  }
  const { stacks, options, same } = prepared;
  if (stacks.length === 0) return (await purpose.nothing?.()) ?? ExitCode.DONE;
  const names = stacks.map(({ name }) => name);
  return interruptible(screen, async (interruption) => {
    const follower = followRun(screen, names, options);
    same.pause = follower.pause;
    follower.begin("Planning", names.length);
    const run = { ...prepared, screen, purpose, interruption, follower };
    const conclude = (session: PlannedRun): Promise<ExitCode> =>
      closingAfter(
        screen,
        () => report(run, session, purpose.decide),
        () => session.close(),
      );
    return options.engine === "embedded"
      ? conclude(await planEmbedded(run))
      : planByProgram(run, options.engine, conclude);
  });
}

/** All that planning needs, read and checked. */
interface Prepared {
  readonly stacks: readonly StackEntry[];
  /** The number of stacks of the app. */
  readonly total: number;
  readonly options: RunOptions;
  readonly load: LoadOptions;
  readonly same: SameConsoles;
  readonly gate: ProtectionGate;
}

interface Run extends Prepared {
  readonly screen: Screen;
  readonly purpose: Purpose;
  readonly interruption: Interruption;
  readonly follower: RunFollower;
}

interface Problems {
  readonly problems: readonly Diagnostic[];
}

/** Returns undefined after an error that is printed. */
async function prepare(
  screen: Screen,
  patterns: readonly string[],
  given: RunOptions,
  { choose = (selected) => selected, mode }: Purpose,
): Promise<Prepared | Problems | undefined> {
  const { directory, diagnostics, all, ...found } = await findSelected(screen, patterns, given);
  if (hasErrors(diagnostics) || directory === undefined) return { problems: diagnostics };
  screen.report(diagnostics);
  const stacks = await choose(found.stacks, all);
  if (!stacks) return undefined;
  const same = await SameConsoles.of(screen, given, { stacks, all });
  if ("problems" in same) return same;
  const options = await withAddresses(given, stacks, same);
  if ("problems" in options) return options;
  const opened = await ProtectionGate.open(screen.terminal, options, {
    names: all.map(({ name }) => name),
    labels: () => readLabels(all),
    mode,
  });
  if ("problems" in opened) return opened;
  const load = loadOptions(screen, directory, stacks, options);
  return { stacks, total: all.length, options, load, same, gate: opened.gate };
}

function planEmbedded({ screen, purpose, options, load, total, ...run }: Run): Promise<Session> {
  const { mode, operation, rollback, runId, judge } = purpose;
  const { interruption, follower } = run;
  return Session.plan({
    ...load,
    ...{ mode, operation },
    ...(rollback && { rollback }),
    ...(judge && { judge }),
    ...interruption,
    ...sessionOptions(screen, options, follower),
    refresh: options.refresh === "true",
    runId: runId?.(),
    replace: options.replace ?? [],
    targets: options.target ?? [],
    advice: adviceOf(options, total === 1),
    ignoreMissingStackDependencies: options.ignoreMissingStackDependencies ?? false,
  }).finally(follower.pause);
}

async function planByProgram(
  { screen, purpose, options, load, stacks, interruption, follower }: Run,
  program: Program,
  conclude: (session: PlannedRun) => Promise<ExitCode>,
): Promise<ExitCode> {
  const { mode, operation, judge } = purpose;
  const failed = (found: readonly Diagnostic[]) => Promise.resolve(purpose.failed?.(found));
  const described = { mode, operation, ...(judge && { judge }), failed, conclude };
  const run = { screen, program, options, load, interruption, follower, ...described };
  const { runLayers } = await import("../../terraform/run-layers.js");
  return runLayers(run, stacks);
}

/** Prints the plans, and decides about them unless planning failed or was interrupted. */
async function report(run: Run, session: PlannedRun, decide: Decide): Promise<ExitCode> {
  const { screen, options, purpose, gate, interruption, follower } = run;
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
    await purpose.failed?.(session.diagnostics);
    return ExitCode.ERROR;
  }
  if (options.strict && hasFindings(session)) return ExitCode.ERROR;
  const code = await decide({ session, plans, gate, interruption, follower });
  const isComplete = session.excluded.length === 0 || code === ExitCode.INTERRUPTED;
  return isComplete ? code : ExitCode.ERROR;
}

/** Converts the paths of constructs in `--target` and `--replace` to addresses. */
async function withAddresses(
  options: RunOptions,
  stacks: readonly StackEntry[],
  same: SameConsoles,
): Promise<RunOptions | Problems> {
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

function hasFindings({ plans }: PlannedRun): boolean {
  return plans.some(({ diagnostics }) => diagnostics.some(({ isFinding }) => isFinding));
}
