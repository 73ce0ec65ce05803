import { type JournalRecord, listInstances } from "../../backends";
import { storeKnownOutputs } from "../plan/outputs";
import type { Planning, StackRun } from "../plan/run";
import { formatAddress } from "../../core/documents/address";
import type { StackApply } from "./stack-apply";

/** Prepares a stack for its first step. */
export function startStack({ run }: StackApply, { options, selection }: Planning): void {
  run.startApply();
  // Terraform stores them regardless of later failures.
  storeKnownOutputs(run);
  if (options.mode === "destroy" && !selection) run.state.removeData();
}

/** Opens the journal of a stack and records what is moved and imported; false if that fails. */
export async function recordPlanned(applying: StackApply): Promise<boolean> {
  if (!needsJournal(applying.run)) return true;
  return (
    (await applying.open()) && (await recordMoves(applying)) && (await recordImports(applying))
  );
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
async function recordMoves(applying: StackApply): Promise<boolean> {
  const { run } = applying;
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
  return puts.length === 0 || applying.recordMoves([...puts, ...clears]);
}

/**
 * Stores the imported objects of a stack, as Terraform does: they stay in the state if what they
 * depend on fails. False if that cannot be recorded.
 */
async function recordImports(applying: StackApply): Promise<boolean> {
  const imports = [...applying.run.changes.values()].flat().flatMap(({ imported, target }) => {
    if (!imported) return [];
    return applying.store(target, { instance: imported });
  });
  return (await Promise.all(imports)).every((isStored) => isStored);
}
