import type { PreparedChange } from "../plan/prepared";
import type { StackRun } from "../plan/run";
import { connectedTarget, count, recordInstance, type Applying } from "./applying";

/** Stores an imported object before it is changed; false if that fails. */
export async function recordImport(
  applying: Applying,
  run: StackRun,
  change: PreparedChange,
): Promise<boolean> {
  const { imported } = change;
  const { importing, address } = change.change;
  if (!imported || !importing || applying.imported.has(change)) return true;
  applying.imported.add(change);
  const target = connectedTarget(run, change);
  if (!target) return false;
  const { observe } = applying.planning.options;
  const about = { stack: run.name, address, id: importing.id };
  observe({ type: "import_apply_start", ...about });
  const { providerAddress: provider } = target;
  run.state.set(target.instance, provider, imported);
  const recorded = await recordInstance(applying, run, change, provider, { instance: imported });
  if (!recorded) return false;
  count(applying, run, "import");
  observe({ type: "import_apply_complete", ...about });
  return true;
}

/** Removes an object from the state and keeps it on the console; false if that fails. */
export function forget(
  applying: Applying,
  run: StackRun,
  change: PreparedChange,
): Promise<boolean> {
  const { instance } = change.target;
  const { deposed } = change.change;
  const provider = run.state.providerOf(instance) ?? "";
  run.state.remove(instance, deposed);
  return recordInstance(applying, run, change, provider, { deposed, instance: null });
}
