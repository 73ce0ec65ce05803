import { printed } from "../../../core/printed";
import { formatStackCount } from "../../../formats/text/counts";
import { error } from "../../../core/diagnostics";
import { Schedules } from "../../../temporal";
import { ExitCode } from "../../exit-code";
import { withServer } from "../../remote/server";
import type { RunOptions } from "../../stacks/run-options";
import { selectedStacks } from "../../stacks/selection";
import { openScreen, type CommonOptions } from "../../terminal/screen";
import type { Terminal } from "../../terminal/terminal";
import { prepareRun } from "./remote";

type ScheduleOptions = Omit<RunOptions, keyof typeof DEFAULTS> & {
  readonly cron?: string;
  /** The ID of the schedule. Default: the operation. */
  readonly id?: string;
};

/** Options of plan that a schedule does not have. */
const DEFAULTS = { engine: "embedded", refresh: "true", lockTimeout: 0 } as const;

/** Lets Temporal plan the stacks, or read their status, again and again. Each time is a separate run. */
export async function scheduleAdd(
  terminal: Terminal,
  operation: string,
  names: readonly string[],
  { cron, id = operation, ...given }: ScheduleOptions,
): Promise<ExitCode> {
  const options = { ...given, ...DEFAULTS, runId: id };
  const screen = openScreen(terminal, options);
  if (cron === undefined) {
    const detail = 'Say when, as --cron "0 6 * * *". Times are in UTC.';
    return screen.fail(error("Time is not given", detail));
  }
  if (operation !== "status" && operation !== "plan") {
    const detail = printed`Say what is done at these times: status or plan, not ${JSON.stringify(operation)}. "cdktf-console rollout schedule add status" reads all stacks.`;
    return screen.fail(error("Operation cannot be scheduled", detail));
  }
  const selected = await selectedStacks(screen, names, options);
  if (!selected) return ExitCode.ERROR;
  if (selected.stacks.length === 0) return ExitCode.DONE;
  const prepared = await prepareRun({ screen, operation, selected, options });
  if ("problems" in prepared) return screen.fail(...prepared.problems);
  return withServer(screen, async (sdk, server) => {
    await new Schedules(sdk, server).add(prepared.input, cron);
    screen.print(
      printed`Schedule ${id} ${operation === "plan" ? "plans" : "reads"} ${formatStackCount(selected.stacks.length)} at ${cron} (UTC). "cdktf-console rollout list" has its runs.\n`,
    );
    return ExitCode.DONE;
  });
}

/** Lists the schedules of runs. */
export function scheduleList(terminal: Terminal, options: CommonOptions): Promise<ExitCode> {
  const screen = openScreen(terminal, options);
  return withServer(screen, async (sdk, server) => {
    for await (const { id, next, isPaused } of new Schedules(sdk, server).list()) {
      const time = isPaused ? "paused" : (next?.toISOString() ?? "never");
      screen.print(printed`${id}  next: ${time}\n`);
    }
    return ExitCode.DONE;
  });
}

/** Deletes a schedule. A run that it has started goes on. */
export function scheduleDelete(
  terminal: Terminal,
  id: string,
  options: CommonOptions,
): Promise<ExitCode> {
  const screen = openScreen(terminal, options);
  return withServer(screen, async (sdk, server) => {
    await new Schedules(sdk, server).delete(id);
    screen.print(printed`Schedule ${id} was deleted.\n`);
    return ExitCode.DONE;
  });
}
