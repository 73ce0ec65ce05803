import { error, hasErrors, type Diagnostic } from "../../core/diagnostics";
import { Limit } from "../../core/io/limit";
import { emptyState } from "../../core/documents/state";
import type { Backend, Journal } from "../../backends";
import { errorAt, recordBackend } from "../../language";
import {
  hasChanges,
  planIdentity,
  type ChangeCounts,
  type StackPlan,
} from "../../core/documents/stack-plan";
import type { Graph } from "../graph/graph";
import type { StackContext } from "../graph/stack-context";
import { relatedStacks } from "../graph/stack-order";
import type { OpenStack } from "../plan/open-stacks";
import type { Planning, StackRun } from "../plan/run";

import { stacksAwaited } from "./apply-graph";
import { HeldLocks } from "./held-locks";
import { applyPlannedStacks, type StackEnd } from "./apply-stacks";
import type { AppliedStack, Pace } from "./pace";
import type { ApplyNode } from "./steps";

/** The plans to apply. */
interface Applicable {
  readonly planning: Planning;
  readonly plans: readonly StackPlan[];
  /** The contexts of all selected stacks. */
  readonly contexts: ReadonlyMap<string, StackContext>;
}

/** An apply of opened stacks. */
export class OpenedApply {
  private readonly limit: Limit;
  /** The results of the stacks that were started; undefined for those that have written nothing. */
  private readonly results = new Map<string, Promise<AppliedStack | undefined>>();
  private readonly backends: ReadonlyMap<string, Backend>;
  /** The numbers of diagnostics of the plans. */
  private readonly before: ReadonlyMap<string, number>;
  private readonly changed: ReadonlySet<string>;
  /** The outputs whose values are not printed, by stack. */
  private readonly hidden: ReadonlyMap<string, ReadonlySet<string>>;

  constructor(
    private readonly applicable: Applicable,
    private readonly opened: readonly OpenStack[],
    /** Warnings that the plan has reported, as JSON. */
    private readonly warned: ReadonlySet<string>,
    private readonly pace: Pace,
  ) {
    this.limit = new Limit(applicable.planning.options.parallelism);
    this.backends = new Map(opened.map(({ run, backend }) => [run.name, backend]));
    this.before = new Map(opened.map(({ run }) => [run.name, run.diagnostics.length]));
    const changed = applicable.plans.filter(hasChanges);
    this.changed = new Set(changed.map(({ stack }) => stack));
    this.hidden = new Map(
      applicable.plans.map(({ stack, outputs }) => [
        stack,
        new Set(outputs.flatMap(({ name, sensitive }) => (sensitive ? [name] : []))),
      ]),
    );
  }

  /** Applies, and stores the state of each stack when its last step is done. */
  async run(
    graph: Graph<ApplyNode>,
  ): Promise<{ stacks: readonly AppliedStack[]; skipped: ReadonlySet<string> }> {
    const locks = new HeldLocks(this.opened, stacksAwaited(graph));
    await applyPlannedStacks(this.applicable.planning, graph, {
      pace: this.pace,
      openJournal: (run) => this.openJournal(run),
      ended: (run, counts, end) => {
        if (end === "unfinished" || end === "kept") this.reportWaiting(run);
        const ending = async () => {
          try {
            return await this.end(run, counts, end);
          } finally {
            await locks.ended(run.name);
          }
        };
        this.results.set(run.name, ending());
      },
    });
    const ended = this.opened.flatMap(({ run }) => this.results.get(run.name) ?? []);
    const stacks = (await Promise.all(ended)).filter((result) => result !== undefined);
    const applied = new Set(stacks.map(({ stack }) => stack));
    const names = this.opened.map(({ run }) => run.name);
    return { stacks, skipped: new Set(names.filter((name) => !applied.has(name))) };
  }

  private async end(
    run: StackRun,
    counts: ChangeCounts,
    end: StackEnd,
  ): Promise<AppliedStack | undefined> {
    // A stack that was not started keeps its state: nothing that it has recorded has an effect.
    const isKept = end === "untouched" || end === "kept";
    const state = isKept ? (run.stored ?? emptyState()) : run.state.current();
    // Outputs alone need no journal.
    if (end !== "untouched") await this.recordBackend(run);
    const written = await this.limit.run(() => this.backendOf(run).write(state));
    run.report(written.diagnostics);
    if (end === "untouched" && !run.hasErrors) {
      this.pace.refused?.(run.name);
      return undefined;
    }
    const result: AppliedStack = {
      ...planIdentity(run.context.config),
      counts,
      complete: end === "complete" && !run.hasErrors,
      state: written.state,
      hiddenOutputs: this.hidden.get(run.name),
      // Warnings of the plan are not repeated, but for results of checks.
      diagnostics: run.diagnostics
        .slice(this.before.get(run.name))
        .filter(
          (diagnostic) =>
            diagnostic.address?.startsWith("check.") === true ||
            !this.warned.has(JSON.stringify(diagnostic)),
        ),
    };
    this.pace.ended?.(result);
    return result;
  }

  private backendOf({ name }: StackRun): Backend {
    const backend = this.backends.get(name);
    if (!backend) throw new Error(`stack ${name} is not open`);
    return backend;
  }

  private recordBackend({ context }: StackRun): Promise<void> {
    return recordBackend(context.config, this.applicable.planning.options.environment);
  }

  private async openJournal(run: StackRun): Promise<Journal | undefined> {
    const backend = this.backendOf(run);
    await this.recordBackend(run);
    const { journal, diagnostics } = await backend.journal();
    run.report(diagnostics);
    if (!journal && !hasErrors(diagnostics)) {
      const where = { address: backend.location };
      run.report([errorAt(where, "Journal cannot be written", "There is no journal.")]);
    }
    return journal;
  }

  /** Reports an error for a stack that was kept from its changes, as by another one's failure. */
  private reportWaiting(run: StackRun): void {
    const { contexts, planning } = this.applicable;
    const { name } = run;
    if (planning.options.stop.aborted) return;
    if (!this.changed.has(name) || run.hasErrors) return;
    const failed = this.opened.flatMap(({ run: one }) => (one.hasErrors ? [one.name] : []));
    const other =
      relatedStacks(contexts, failed, "after").get(name) ??
      relatedStacks(contexts, failed, "before").get(name);
    run.report([other === undefined ? NOT_STARTED : waitedFor(name, other)]);
  }
}

/** An apply never ends well without its changes, whatever the reason is. */
const NOT_STARTED = error(
  "Not applied completely",
  "Changes were not started, though nothing failed. This is a bug in cdktf-console; please report it. What was done is stored: the next run plans the rest.",
);

function waitedFor(stack: string, other: string): Diagnostic {
  return error(
    "Not applied completely",
    `Changes of stack "${stack}" are ordered after changes of stack "${other}", which were not completed.`,
  );
}
