import { error, type Diagnostic } from "../../core/diagnostics";
import type { RunOperation } from "../../fleet/run-log/entries";
import type { RunRecord } from "../../fleet/run-log/read-run-log";
import { whoRuns } from "../../runtime";
import type { Screen } from "../terminal/screen";
import { readEarlierRun, resumeStacks } from "./earlier-run";
import type { RolloutOptions } from "../stacks/rollout-options";
import { KnownTenants } from "./known-tenants";
import { RunLog } from "./run-log";

/** A run with its log. */
export class RecordedRun {
  readonly log: RunLog;

  private constructor(
    private readonly screen: Screen,
    private readonly operation: RunOperation,
    private readonly options: RolloutOptions,
    private readonly earlier: RunRecord | undefined,
    readonly known: KnownTenants,
  ) {
    this.log = new RunLog(screen);
  }

  /** Checks the options, and reads the log of the run to resume. Undefined after an error. */
  static async open(
    screen: Screen,
    operation: RunOperation,
    options: RolloutOptions,
  ): Promise<RecordedRun | undefined> {
    const unusable = unusableCheck(options);
    if (unusable && screen.report([unusable])) return undefined;
    const { resume } = options;
    const { terminal } = screen;
    const earlier =
      resume === undefined ? undefined : await readEarlierRun(terminal, resume, operation);
    if (earlier && "problem" in earlier) {
      screen.report([earlier.problem]);
      return undefined;
    }
    const known = await KnownTenants.of(terminal, options, earlier?.record);
    return new RecordedRun(screen, operation, options, earlier?.record, known);
  }

  /**
   * Limits the selected stacks to those that an earlier run left, and starts the log with them.
   * Undefined after an error.
   */
  choose<S extends { readonly name: string }>(
    selected: readonly S[],
    rolledBack?: { readonly id: string },
  ): readonly S[] | undefined {
    const { screen, operation, earlier } = this;
    const stacks = earlier ? resumeStacks(screen, earlier, selected) : selected;
    if (stacks.length === 0) return stacks;
    if (screen.report(this.log.openFile(this.options, earlier?.id))) return undefined;
    const names = stacks.map(({ name }) => name);
    this.log.add({
      type: "run_start",
      run: {
        operation,
        resumed: earlier !== undefined,
        stacks: names,
        ...(this.log.name !== undefined && { id: this.log.id, by: whoRuns() }),
        ...(rolledBack && { rolls_back: rolledBack.id }),
      },
    });
    return this.log.isWritten ? stacks : undefined;
  }
}

function unusableCheck({ check, waves }: RolloutOptions): Diagnostic | undefined {
  if (check === undefined || waves) return undefined;
  const detail = "--check is run between waves. Give their sizes too, as --waves 1,5%,100%.";
  return error("--check needs --waves", detail);
}
