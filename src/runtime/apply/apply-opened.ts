import { error, hasErrors, type Diagnostic } from "../../provider/diagnostics";
import type { Journal } from "../backends/backend";
import { errorAt } from "../config/located";
import { hasChanges, type StackPlan } from "../documents/stack-plan";
import type { StackContext } from "../graph/stack-context";
import { relatedStacks } from "../graph/stack-order";
import { excludeStacks, without } from "../plan/exclude-stacks";
import type { OpenStack } from "../plan/open-stacks";
import type { Planning } from "../plan/run";
import { applyStacks, needsJournal, type AppliedStacks } from "./apply-stacks";

/** The plans to apply. */
interface Applicable {
  readonly planning: Planning;
  readonly plans: readonly StackPlan[];
  /** Of all selected stacks. */
  readonly contexts: ReadonlyMap<string, StackContext>;
}

/**
 * Applies the stacks whose journals can be written. A stack that another one's failure keeps from
 * its changes gets an error.
 */
export async function applyOpened(
  { planning, contexts, plans }: Applicable,
  opened: readonly OpenStack[],
): Promise<AppliedStacks["counts"]> {
  const { mode, stop } = planning.options;
  const journals = await openJournals(opened);
  const faults = new Map<string, readonly Diagnostic[]>();
  for (const { run } of opened) {
    if (hasErrors(run.diagnostics)) faults.set(run.name, run.diagnostics);
  }
  const ready = without(opened, excludeStacks(contexts, faults, mode)).map(({ run }) => run);
  const runs = new Map(ready.map((run) => [run.name, run]));
  const { counts, unfinished } = await applyStacks({ ...planning, runs }, journals);
  if (stop.aborted) return counts;
  const failed = opened.filter(({ run }) => hasErrors(run.diagnostics)).map(({ run }) => run.name);
  const behind = relatedStacks(contexts, failed, "after");
  const ahead = relatedStacks(contexts, failed, "before");
  const changed = new Set(plans.filter(hasChanges).map(({ stack }) => stack));
  for (const { run } of opened) {
    const { name } = run;
    const waits = unfinished.has(name) || !runs.has(name);
    const other = behind.get(name) ?? ahead.get(name);
    if (!waits || !changed.has(name) || hasErrors(run.diagnostics) || other === undefined) continue;
    run.report([waitedFor(name, other)]);
  }
  return counts;
}

function waitedFor(stack: string, other: string): Diagnostic {
  return error(
    "Not applied completely",
    `Changes of stack "${stack}" are ordered after changes of stack "${other}", which were not completed.`,
  );
}

async function openJournals(opened: readonly OpenStack[]): Promise<ReadonlyMap<string, Journal>> {
  const journals = new Map<string, Journal>();
  await Promise.all(
    opened.map(async ({ run, backend }) => {
      if (!needsJournal(run)) return;
      const { journal, diagnostics } = await backend.journal();
      run.report(diagnostics);
      if (journal) journals.set(run.name, journal);
      else if (!hasErrors(diagnostics)) {
        const where = { address: backend.location };
        run.report([errorAt(where, "Journal cannot be written", "There is no journal.")]);
      }
    }),
  );
  return journals;
}
