import { resolve } from "node:path";
import { error, hasErrors, type Diagnostic } from "../../core/diagnostics";
import type { UiMessage } from "../../formats/ui-stream/message";
import { printable, printed } from "../../core/printed";
import {
  dependentsLeft,
  type LoadOptions,
  type PlanMode,
  sharedStates,
  type StackPlan,
} from "../../runtime";
import { readStack, type StackEntry } from "../../language";
import { ExitCode } from "../exit-code";
import { MOST_FOLLOWED, type RunFollower } from "../stacks/follow-run";
import type { PlannedRun } from "../stacks/planned-run";
import type { RunOptions } from "../stacks/run-options";
import type { Interruption } from "../terminal/interruption";
import type { Screen } from "../terminal/screen";
import { openEngine, type OpenEngine } from "./engine";
import type { PlanningCommand, Program } from "../stacks/engines";
import { EngineSession } from "./engine-session";
import { layersOf } from "./layers";

/** A run of a command over stacks by Terraform or OpenTofu. */
export interface LayeredRun {
  readonly screen: Screen;
  readonly program: Program;
  readonly operation: PlanningCommand;
  readonly mode: PlanMode;
  readonly options: RunOptions;
  /** The options with which the executor would load the stacks. */
  readonly load: LoadOptions;
  readonly interruption: Interruption;
  readonly follower: RunFollower;
  readonly judge?: (plan: StackPlan) => Promise<readonly Diagnostic[]>;
  /** Reports the plans and executes them, and returns the exit code. Closes the session. */
  readonly conclude: (session: PlannedRun) => Promise<ExitCode>;
  /** Called if nothing could be planned. */
  readonly failed: (diagnostics: readonly Diagnostic[]) => Promise<unknown>;
}

/**
 * Plans stacks with Terraform or OpenTofu, several at a time. An apply plans the stacks that depend on
 * others when these are applied (a destroy: before them), because a plan reads their stored outputs,
 * and skips those whose dependency failed.
 */
export async function runLayers(run: LayeredRun, stacks: readonly StackEntry[]): Promise<ExitCode> {
  const { screen, program, operation, options } = run;
  const isDestroy = run.mode === "destroy";
  const layers = operation === "plan" ? [stacks] : layersOf(stacks, isDestroy);
  const { environment } = screen.terminal;
  const read = await Promise.all(stacks.map((stack) => readStack(stack, environment)));
  const shared = sharedStates(
    read.flatMap(({ config, faulty }) => config ?? faulty ?? []),
    environment,
  );
  const isGuarded = isDestroy && !options.ignoreMissingStackDependencies;
  const left = isGuarded ? await dependentsLeft(run.load) : [];
  const unusable = [...shared, ...left, ...unusableFor(options, layers)];
  const engine = hasErrors(unusable)
    ? { diagnostics: unusable }
    : await openEngine(screen, { program, operation }, options, stacks);
  if (!("serve" in engine)) {
    screen.report(engine.diagnostics);
    if (run.interruption.stop.aborted) {
      screen.print(printed`\nPlanning was interrupted. Nothing was changed.\n`);
      return ExitCode.INTERRUPTED;
    }
    await run.failed(engine.diagnostics);
    return ExitCode.ERROR;
  }
  return inLayers(run, engine, layers);
}

async function inLayers(
  run: LayeredRun,
  engine: OpenEngine,
  layers: readonly (readonly StackEntry[])[],
): Promise<ExitCode> {
  const { screen, operation, mode, options, interruption, follower } = run;
  const total = layers.flat().length;
  const failed = new Set<string>();
  const failureOf = ({ name, dependencies }: StackEntry) =>
    mode === "destroy"
      ? layers.flat().find((one) => failed.has(one.name) && one.dependencies.includes(name))?.name
      : dependencies.find((one) => failed.has(one));
  let changes = false;
  for (const layer of layers) {
    if (options.failFast && failed.size > 0) {
      screen.report([notStarted(layers.slice(layers.indexOf(layer)).flat(), operation)]);
      return ExitCode.ERROR;
    }
    const left = layer.filter((stack) => failureOf(stack) === undefined);
    for (const stack of layer) {
      const cause = failureOf(stack);
      if (cause === undefined) continue;
      screen.report([skippedStack(stack.name, operation, cause)]);
      failed.add(stack.name);
    }
    if (left.length === 0) continue;
    follower.begin("Planning", left.length);
    const session = await EngineSession.plan(engine, left, {
      mode,
      stop: interruption.stop,
      failFast: options.failFast ?? false,
      ...(options.out !== undefined && { out: resolve(screen.terminal.directory, options.out) }),
      planned: follower.ended,
      ...(run.judge && { judge: run.judge }),
      event: (stack, message) => {
        follower.reached(stack);
        if (message.type === "apply_complete" || message.type === "apply_errored") {
          follower.operated(stack);
        }
        if (total <= MOST_FOLLOWED || screen.stream || options.expand) {
          printEvent(screen, total > 1 ? stack : undefined, message);
        }
      },
    }).finally(follower.pause);
    const code = await run.conclude(session);
    // Not approved, refused or interrupted: what depends on it is not started.
    const isEnd = operation !== "plan" && session.applicable && !session.applied;
    if (isEnd || code === ExitCode.INTERRUPTED) return code;
    for (const name of session.failed) failed.add(name);
    if (code === ExitCode.WEAKER) return code;
    if (code === ExitCode.ERROR && session.failed.size === 0) return code;
    changes ||= code === ExitCode.CHANGES;
  }
  if (failed.size > 0) return ExitCode.ERROR;
  return changes ? ExitCode.CHANGES : ExitCode.DONE;
}

function printEvent(screen: Screen, stack: string | undefined, message: UiMessage): void {
  if (screen.stream) {
    screen.stream.send(message, stack === undefined ? [] : [stack]);
    return;
  }
  const margin = stack === undefined ? "" : `${printable(stack)}  `;
  screen.print(printed`${margin}${screen.style.bold(printed`${message.text}`)}\n`);
}

function skippedStack(stack: string, operation: PlanningCommand, cause: string): Diagnostic {
  const detail = `The ${operation} of stack "${stack}" was skipped because "${cause}" failed.`;
  return error("Stack was skipped", detail);
}

function notStarted(stacks: readonly StackEntry[], operation: PlanningCommand): Diagnostic {
  const names = stacks.map(({ name }) => name).join(", ");
  const detail = `A stack failed, and with --fail-fast no further ${operation} is started. Not started: ${names}.`;
  return error("Stacks were not started", detail);
}

function unusableFor(
  options: RunOptions,
  layers: readonly (readonly StackEntry[])[],
): readonly Diagnostic[] {
  const { engine, out } = options;
  const names = layers.flat().map(({ name }) => name);
  if (out !== undefined && names.length > 1) {
    const detail = `A plan file of ${engine} has the plan of one stack. This plan has several: ${names.join(", ")}. Name one of them, or plan without --engine ${engine}.`;
    return [error("Several stacks for one plan file", detail)];
  }
  const ordered = ["waves", "check", "maxFailures", "runLog", "resume"] as const;
  if (layers.length === 1 || !ordered.some((name) => options[name] !== undefined)) return [];
  const detail = `With ${engine}, --waves, --check, --max-failures, --run-log and --resume need stacks that do not depend on each other, because a plan reads what the stacks before it have stored. Select such stacks, or use the embedded engine.`;
  return [error("Stacks depend on each other", detail)];
}
