import type { PlannedInstance } from "../plan/planned-instance";
import type { StackRun } from "../plan/run";
import { count, record, recordInstance, type Applying } from "./applying";

/**
 * Stores the imported objects of a stack, as Terraform does: they stay in the state if what they
 * depend on fails. False if that cannot be recorded.
 */
export async function recordImports(applying: Applying, run: StackRun): Promise<boolean> {
  const imports = [...run.changes.values()].flat().flatMap(({ imported, change, target }) => {
    if (!imported || !change.importing) return [];
    const { providerAddress: provider } = target;
    run.state.set(target.instance, provider, imported);
    const { address } = change;
    return [{ kind: "instance", address, provider, instance: imported } as const];
  });
  return imports.length === 0 || record(applying, run, ...imports);
}

/** Reports an imported object when the steps of its change begin. */
export function reportImport(applying: Applying, run: StackRun, change: PlannedInstance): void {
  const { importing, address } = change.change;
  if (!change.imported || !importing || applying.imported.has(change)) return;
  applying.imported.add(change);
  const { observe } = applying.planning.options;
  const about = { stack: run.name, address, id: importing.id };
  observe({ type: "import_apply_start", ...about });
  count(applying, run, "import");
  observe({ type: "import_apply_complete", ...about });
}

/** Removes an object from the state and keeps it on the console; false if that fails. */
export function forget(
  applying: Applying,
  run: StackRun,
  change: PlannedInstance,
): Promise<boolean> {
  const { instance } = change.target;
  const { deposed } = change.change;
  const provider = run.state.providerOf(instance) ?? "";
  run.state.remove(instance, deposed);
  return recordInstance(applying, run, change, provider, { deposed, instance: null });
}
