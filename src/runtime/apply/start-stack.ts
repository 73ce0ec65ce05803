import type { Journal, JournalRecord } from "../backends/backend";
import { storeKnownOutputs } from "../plan/outputs";
import type { StackRun } from "../plan/run";
import { formatAddress } from "../../core/documents/address";
import { listInstances } from "../state/instances";
import { nothingDone, record, type Applying } from "./applying";
import { recordImports } from "./state-only";

/** Prepares a stack for its first step; false if its changes cannot be recorded. */
export async function startStack(
  applying: Applying,
  run: StackRun,
  openJournal: (run: StackRun) => Promise<Journal | undefined>,
): Promise<boolean> {
  applying.counts.set(run.name, nothingDone());
  run.startApply();
  // Terraform stores them regardless of later failures.
  storeKnownOutputs(run);
  const { options, selection } = applying.planning;
  if (options.mode === "destroy" && !selection) run.state.removeData();
  if (!needsJournal(run)) return true;
  const journal = await openJournal(run);
  if (!journal) return false;
  applying.journals.set(run.name, journal);
  return (await recordMoves(applying, run)) && recordImports(applying, run);
}

/** Reports whether a stack has changes that must be recorded while they are made. */
function needsJournal(run: StackRun): boolean {
  const changes = [...run.changes.values()].flat();
  return (
    run.moved.previous.size > 0 ||
    changes.some(
      ({ change }) =>
        change.mode === "managed" && (change.action !== "no-op" || change.importing !== undefined),
    )
  );
}

/**
 * Records moved objects so that a killed process loses none: each is written to its present address
 * before its previous one is cleared, unless another object has moved there.
 */
async function recordMoves(applying: Applying, run: StackRun): Promise<boolean> {
  const { previous } = run.moved;
  const puts: JournalRecord[] = [];
  const clears: JournalRecord[] = [];
  for (const { address: at, provider, instance } of listInstances(run.state.current())) {
    const address = formatAddress(at);
    const from = previous.get(address);
    if (from === undefined) continue;
    const about = { kind: "instance", provider, deposed: instance.deposed } as const;
    puts.push({ ...about, address, instance });
    if (!previous.has(from)) clears.push({ ...about, address: from, instance: null });
  }
  return puts.length === 0 || record(applying, run, ...puts, ...clears);
}
