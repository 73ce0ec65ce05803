import type { z } from "zod";
import { error, type Diagnostic } from "../../../core/diagnostics";
import { printed } from "../../../core/printed";
import { formatStackCount } from "../../../formats/text/counts";
import { statusText } from "../../../review/status/status-text";
import {
  readResult,
  type Decision,
  type RemoteOperation,
  type RemoteStatus,
  type RolloutInput,
  type rolloutSchema,
  type Rollouts,
  type StackOutcome,
} from "../../../temporal";
import { ExitCode } from "../../exit-code";
import { basisOfRun, modeOf } from "../../remote/basis";
import { claimedName } from "../../rollout/course";
import { decisionOf, followRemote } from "../../remote/follow";
import type { ReviewRequest } from "../../remote/remote-review";
import { withRollouts } from "../../remote/server";
import { readReport } from "../../remote/status-part";
import { inputOf } from "../../remote/start-input";
import type { RunOptions } from "../../stacks/run-options";
import { ProtectionGate } from "../../stacks/protection-gate";
import { readLabels, selectedStacks, type SelectedStacks } from "../../stacks/selection";
import { prepareReviews, publishReviews, withPage } from "../../stacks/write-reviews";
import { openScreen, type CommonOptions, type Screen } from "../../terminal/screen";
import type { Terminal } from "../../terminal/terminal";
import { runScreen } from "./planning";

/** Starts a run over many machines, and shows it. */
export async function runRemotely(
  operation: RemoteOperation,
  terminal: Terminal,
  names: readonly string[],
  given: RunOptions,
): Promise<ExitCode> {
  const options = await withPage(given);
  const screen = runScreen(terminal, options);
  if (screen.report(await prepareReviews(terminal, options))) return ExitCode.ERROR;
  const selected = await selectedStacks(screen, names, options);
  if (!selected) return ExitCode.ERROR;
  if (selected.stacks.length === 0) return ExitCode.DONE;
  const prepared = await prepareRun({ screen, operation, selected, options });
  if ("problems" in prepared) {
    await publishReviews(screen, { failure: prepared.problems }, options);
    return screen.fail(...prepared.problems);
  }
  return withRollouts(screen, (rollouts) => begin(screen, rollouts, prepared));
}

/** Puts back what an earlier run has changed, by its records next to the states. */
export async function rolloutRollback(
  terminal: Terminal,
  id: string,
  names: readonly string[],
  given: RunOptions,
): Promise<ExitCode> {
  const screen = openScreen(terminal, given);
  const selected = await selectedStacks(screen, names, given);
  if (!selected) return ExitCode.ERROR;
  return withRollouts(screen, async (rollouts) => {
    const run = await readResult(rollouts, id);
    const { phase, queue_by: queueBy } = run.status;
    if (phase !== "ended") return screen.fail(isNotEnded(id));
    const stacks = selected.stacks.filter(({ name }) => wasHandedOut(run.outcomes.get(name)));
    if (stacks.length === 0) {
      screen.print(printed`The run ${id} has changed none of the selected stacks.\n`);
      return ExitCode.DONE;
    }
    const options = { ...NOT_OFFERED, queueBy, ...given };
    const prepared = await prepareRun({
      ...{ screen, options, operation: "rollback", rollsBack: id },
      selected: { ...selected, stacks },
    });
    if ("problems" in prepared) return screen.fail(...prepared.problems);
    return begin(screen, rollouts, prepared);
  });
}

function wasHandedOut(outcome: StackOutcome | undefined): boolean {
  return outcome !== undefined && !["excluded", "not started"].includes(outcome.status);
}

/** The values of options that `rollout rollback` does not have. */
const NOT_OFFERED = { engine: "embedded", refresh: "true", lockTimeout: 0 } as const;

function isNotEnded(id: string): Diagnostic {
  const detail = `Roll back the run ${id} when it has ended. "cdktf-console rollout stop ${id}" ends it after the stacks that its workers have.`;
  return error("The run goes on", detail);
}

/** A run to prepare. */
interface PrepareRequest {
  readonly screen: Screen;
  readonly operation: RemoteOperation;
  readonly selected: SelectedStacks;
  readonly options: RunOptions;
  /** The run to roll back. */
  readonly rollsBack?: string;
}

export interface PreparedRun {
  readonly input: Omit<RolloutInput, "attributes">;
  readonly reviewed: ReviewRequest;
}

/** Reads what a run is about, and refuses what it cannot do. */
export async function prepareRun(
  request: PrepareRequest,
): Promise<PreparedRun | { readonly problems: readonly Diagnostic[] }> {
  const { operation, options, rollsBack } = request;
  const { terminal } = request.screen;
  const { stacks, all } = request.selected;
  const found = await basisOfRun(all, terminal.directory, options.contract);
  if ("problems" in found) return found;
  const opened = await ProtectionGate.open(terminal, options, {
    names: all.map(({ name }) => name),
    labels: () => readLabels(all),
    mode: modeOf(operation),
  });
  if ("problems" in opened) return opened;
  const labels = await readLabels(all);
  const { basis } = found;
  const made = await inputOf({ operation, stacks, app: all, labels, basis, options, rollsBack });
  if ("problems" in made) return made;
  const names = stacks.map(({ name }) => name);
  return { input: made.input, reviewed: { options, gate: opened.gate, stacks: names } };
}

/** Starts a run if all its queues have workers, and shows it. */
async function begin(
  screen: Screen,
  rollouts: Rollouts,
  { input, reviewed }: PreparedRun,
): Promise<ExitCode> {
  const queues = [...new Set(input.units.map(({ queue }) => queue))];
  const missing = await missingWorkers(rollouts, queues);
  if (missing) return screen.fail(missing);
  await rollouts.start(input);
  const { runId, operation } = input;
  const { options } = reviewed;
  screen.print(
    printed`The run ${runId} has started. It goes on if this command ends: "cdktf-console rollout wait ${runId}" shows it again.\n`,
  );
  const asks = screen.terminal.interactive && options.input !== false && !options.json;
  const detailed = operation === "plan" && options.detailedExitcode === true;
  return followRemote({ screen, rollouts, runId, asks, reviewed, detailed });
}

/** The error for a run that no worker would begin. */
export async function missingWorkers(
  rollouts: Rollouts,
  queues: readonly string[],
): Promise<Diagnostic | undefined> {
  const missing = await rollouts.withoutWorker(queues);
  if (missing.length > 0) {
    const detail = `No worker has these queues: ${missing.join(", ")}. Start one where their consoles can be reached: cdktf-console worker --queue ${missing[0] ?? ""}`;
    return error("Queues have no worker", detail);
  }
  if (await rollouts.runsWorkflows()) return undefined;
  const detail =
    "The workers run another version of cdktf-console than this command. Runs begin with workers of the version that starts them.";
  return error("Workers have another version", detail);
}

/** Lists the runs of the namespace. */
export function rolloutList(terminal: Terminal, options: CommonOptions): Promise<ExitCode> {
  const screen = openScreen(terminal, options);
  return withRollouts(screen, async (rollouts) => {
    for await (const { id, status, startedAt } of rollouts.list()) {
      screen.print(printed`${id}  ${status.toLowerCase()}  ${startedAt.toISOString()}\n`);
    }
    return ExitCode.DONE;
  });
}

/** Shows where a run is. */
export function rolloutShow(
  terminal: Terminal,
  id: string,
  options: CommonOptions & { readonly json?: boolean },
): Promise<ExitCode> {
  const screen = openScreen(terminal, options, options.json);
  return withRollouts(screen, async (rollouts) => {
    const result = await readResult(rollouts, id);
    const { status, outcomes } = result;
    const isReport = status.operation === "status" && status.phase === "ended";
    const report = isReport ? await readReport(rollouts, id, result) : undefined;
    if (options.json) {
      const document = {
        format_version: "1.0",
        id,
        ...status,
        stacks: [...outcomes.values()],
        ...(report && { report }),
      } satisfies z.input<typeof rolloutSchema>;
      screen.printDocument(`${JSON.stringify(document)}\n`);
    } else {
      printProgress(screen, id, status);
      if (report) screen.print(printed`\n${statusText(report, screen.style)}`);
    }
    return ExitCode.DONE;
  });
}

function printProgress(screen: Screen, id: string, status: RemoteStatus): void {
  const { operation, phase, question, paused, wave, waves, total } = status;
  const { applied, failed, excluded, running } = status;
  const state = paused ? `${phase}, paused` : phase;
  screen.print(printed`Run ${id}: ${operation}, ${state}\n`);
  const left = total - applied - failed - excluded - running;
  screen.print(
    printed`${formatStackCount(total)}: ${applied} applied, ${running} running, ${failed} failed, ${excluded} excluded, ${left} left\n`,
  );
  if (wave > 0) screen.print(printed`Wave ${wave} of ${waves.length}\n`);
  if (!question) return;
  screen.print(
    printed`Waits for an answer: "cdktf-console rollout approve ${id} --wave ${question.wave}"\n`,
  );
}

/** Shows a run until it ends, with the exit code of `apply`. */
export function rolloutWait(
  terminal: Terminal,
  id: string,
  options: CommonOptions,
): Promise<ExitCode> {
  const screen = openScreen(terminal, options);
  return withRollouts(screen, (rollouts) =>
    followRemote({ screen, rollouts, runId: id, asks: false }),
  );
}

function noWave(id: string): Diagnostic {
  const detail = `Name the wave that the run asks about, as --wave 2. "cdktf-console rollout show ${id}" shows it.`;
  return error("Wave is not named", detail);
}

const decide =
  (kind: Exclude<Decision["kind"], "set">, done: string) =>
  (
    terminal: Terminal,
    id: string,
    options: CommonOptions & { readonly wave?: number },
  ): Promise<ExitCode> => {
    const screen = openScreen(terminal, options);
    const isAnswer = kind === "approve" || kind === "reject";
    if (isAnswer && options.wave === undefined) return Promise.resolve(screen.fail(noWave(id)));
    return withRollouts(screen, async (rollouts) => {
      await rollouts.decide(id, decisionOf(screen, kind, options.wave ?? 0));
      screen.print(printed`${done}\n`);
      return ExitCode.DONE;
    });
  };

/** Changes the limits of a run that goes on. Stacks that were handed out are completed. */
export function rolloutSet(
  terminal: Terminal,
  id: string,
  { maxFailures, parallelism, ...options }: SetOptions,
): Promise<ExitCode> {
  const screen = openScreen(terminal, options);
  if (maxFailures === undefined && parallelism === undefined) {
    const detail = "Set the limits of the run with --max-failures, --parallelism or both.";
    return Promise.resolve(screen.fail(error("Nothing to set", detail)));
  }
  return withRollouts(screen, async (rollouts) => {
    const by = claimedName(terminal.environment);
    const limits = { ...(maxFailures && { maxFailures }), ...(parallelism && { parallelism }) };
    await rollouts.decide(id, { kind: "set", ...limits, by });
    screen.print(printed`The run has the new limits.\n`);
    return ExitCode.DONE;
  });
}

type SetOptions = CommonOptions & Pick<RunOptions, "maxFailures" | "parallelism">;

export const rolloutDecisions = {
  approve: decide("approve", "Approved."),
  reject: decide("reject", "Rejected. The run ends."),
  pause: decide("pause", "Paused. Stacks that were handed out are completed."),
  continue: decide("continue", "The run continues."),
  stop: decide("stop", "Stopping. Stacks that were handed out are completed."),
};
