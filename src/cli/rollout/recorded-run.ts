import { error, type Diagnostic } from "../../core/diagnostics";
import { formatStackCount } from "../../formats/text/counts";
import { planWaves } from "../../fleet/rollout/waves";
import type { Waves } from "../../fleet/rollout/wave-steps";
import type { StackLabels } from "../../fleet/selection/labels";
import { unmatchedLabels } from "../../fleet/selection/select-stacks";
import { shortStackList } from "../../review/exclusions/exclusions-text";
import type { RunOperation } from "../../fleet/run-log/entries";
import type { RunRecord } from "../../fleet/run-log/read-run-log";
import type { Shard } from "../../fleet/selection/shard";
import { whoRuns } from "../../runtime";
import type { Screen } from "../terminal/screen";
import { readEarlierRun, resumeStacks } from "./earlier-run";
import type { RolloutOptions } from "../stacks/rollout-settings";
import { courseOf, type Course } from "./course";
import { KnownTenants } from "./known-tenants";
import { RunLog } from "./run-log";

type RecordedOptions = RolloutOptions & { readonly shard?: Shard };

/** The stacks that a run chooses from. */
export interface Choice<S> {
  readonly selected: readonly S[];
  /** All stacks of the app. A saved plan does not know them. */
  readonly app?: readonly { readonly name: string }[];
  /** Those of all stacks that are known. Read only if waves need them. */
  readonly labels: () => Promise<ReadonlyMap<string, StackLabels>>;
  /** The digest of the app. Read only for a run with `--run-id`. */
  readonly program?: () => Promise<string>;
}

/** A run with its log. */
export class RecordedRun {
  readonly log: RunLog;
  readonly options: RecordedOptions;
  readonly course: Course;
  readonly tenants: KnownTenants;
  private known: ReadonlyMap<string, StackLabels> = new Map();

  private constructor(
    private readonly screen: Screen,
    private readonly operation: RunOperation,
    private readonly earlier: RunRecord | undefined,
    { options, course, tenants }: Pick<RecordedRun, "options" | "course" | "tenants">,
  ) {
    this.options = options;
    this.course = course;
    this.tenants = tenants;
    this.log = new RunLog(screen, options);
  }

  /** Checks the options, and reads the log of the run to resume. Undefined after an error. */
  static async open(
    screen: Screen,
    operation: RunOperation,
    given: RecordedOptions,
  ): Promise<RecordedRun | undefined> {
    const unusable = unusableCheck(given) ?? unusableId(given);
    if (unusable && screen.report([unusable])) return undefined;
    const { resume } = given;
    const { terminal } = screen;
    const read =
      resume === undefined ? undefined : await readEarlierRun(terminal, resume, operation);
    if (read && "problem" in read) {
      screen.report([read.problem]);
      return undefined;
    }
    const earlier = read?.record;
    // A run with waves goes on with its record, which knows what is left.
    const isContinued = earlier?.rollout !== undefined && earlier.id !== undefined;
    const continued = isContinued && resume !== undefined && { runLog: resume };
    const options = given.runLog === undefined ? { ...given, ...continued } : given;
    const course = courseOf(options, earlier, terminal.environment);
    if ("problem" in course) {
      screen.report([course.problem]);
      return undefined;
    }
    const tenants = await KnownTenants.of(terminal, options, earlier);
    return new RecordedRun(screen, operation, earlier, { options, course, tenants });
  }

  /** Returns the labels of a chosen stack, if waves need them. */
  readonly labels = (stack: string): StackLabels => this.known.get(stack) ?? {};

  /**
   * Limits the selected stacks to those that an earlier run left, and starts the log with them.
   * Undefined after an error.
   */
  async choose<S extends { readonly name: string }>(
    { selected, app, labels, program }: Choice<S>,
    rolledBack?: { readonly id: string },
  ): Promise<readonly S[] | undefined> {
    const { screen, operation, earlier, options } = this;
    const stacks = earlier ? resumeStacks(screen, earlier, selected) : selected;
    if (stacks.length === 0) return stacks;
    const names = stacks.map(({ name }) => name);
    const { waves } = options;
    if (waves?.some(({ selector }) => selector)) this.known = await labels();
    const faults = waves && waveFaults(waves, { stacks: names, app, labels: this.labels });
    if (faults && screen.report(faults)) return undefined;
    if (screen.report(this.log.openFile(options, earlier?.id))) return undefined;
    const isShared = options.runId !== undefined;
    this.log.add({
      type: "run_start",
      run: {
        operation,
        resumed: earlier !== undefined,
        stacks: names,
        ...(this.log.name !== undefined && { id: this.log.id, by: whoRuns() }),
        ...(rolledBack && { rolls_back: rolledBack.id }),
        ...(isShared && options.shard && { shard: { ...options.shard } }),
        ...(isShared && program && { program: await program() }),
      },
    });
    return this.log.isWritten ? stacks : undefined;
  }
}

/**
 * Reports selectors of waves that no stack of the app has, and stacks that are in no wave.
 *
 * @param app Undefined where all stacks are not known.
 */
export function waveFaults(
  waves: Waves,
  {
    stacks,
    app = [],
    labels,
  }: {
    readonly stacks: readonly string[];
    readonly app?: readonly { readonly name: string }[] | undefined;
    readonly labels: (stack: string) => StackLabels;
  },
): readonly Diagnostic[] {
  const selectors = waves.flatMap(({ selector }) => selector ?? []);
  const unmatched =
    app.length > 0 ? unmatchedLabels(app, selectors, ({ name }) => labels(name)) : [];
  if (unmatched.length > 0) return unmatched;
  const all = { stacks, changed: new Set(stacks), awaited: new Map() };
  const { left } = planWaves({ ...all, waves, labels });
  return left.length > 0 ? [inNoWave(left)] : [];
}

/** The error for stacks that `--waves` leaves out. */
export function inNoWave(left: readonly string[]): Diagnostic {
  return error(
    "Stacks are in no wave",
    `--waves takes all stacks but ${formatStackCount(left.length)}: ${shortStackList(left)}. Add a wave for them, such as 100% at the end, or select the others only.`,
  );
}

function unusableId({ runId, runLog, resume }: RolloutOptions): Diagnostic | undefined {
  if (runId === undefined) return undefined;
  if (resume !== undefined) {
    const detail = "A resumed run continues the record of the run, which has its ID.";
    return error("--run-id cannot be used with --resume", detail);
  }
  if (runLog !== undefined) return undefined;
  const detail = "The ID names the run in its record. Name a file or a folder with --run-log.";
  return error("--run-id needs --run-log", detail);
}

function unusableCheck({ check, waves }: RolloutOptions): Diagnostic | undefined {
  if (check === undefined || waves) return undefined;
  const detail = "--check is run between waves. Give their sizes too, as --waves 1,5%,100%.";
  return error("--check needs --waves", detail);
}
