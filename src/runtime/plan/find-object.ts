import { hasErrors } from "../../core/diagnostics";
import type { ObjectValue } from "../../core/values";
import type { PrivateState } from "../../core/private-state";
import { errorAt, locate } from "../config/located";
import { idOf } from "./refresh";
import type { Planning, StackRun } from "./run";
import type { Target } from "./target";

/** An existing object that is in no state yet. */
export interface FoundObject {
  readonly state: ObjectValue;
  readonly private: PrivateState;
}

/**
 * Imports an object by its ID, then reads it. If that fails, the run has the diagnostics.
 *
 * @param prepared Called when the provider has found the object.
 */
export async function findObject(
  { options: { observe, stop, abort } }: Planning,
  run: StackRun,
  { stack, type, provider, connection, where }: Target,
  id: string,
  prepared?: () => void,
): Promise<FoundObject | undefined> {
  const about = { stack, address: where.address };
  const call = { connection, signal: abort };
  const imported = await provider.import(type, id, call);
  run.report(locate(imported.diagnostics, where));
  if (stop.aborted || hasErrors(imported.diagnostics)) return undefined;
  const { state, private: privateState } = imported;
  if (!state) {
    run.report([notThere(where, id)]);
    return undefined;
  }
  prepared?.();
  observe({ type: "refresh_start", ...about, ...idOf(state) });
  const read = await provider.read(type, { ...call, state, private: privateState });
  observe({ type: "refresh_complete", ...about, ...idOf(read.state ?? state) });
  run.report(locate(read.diagnostics, where));
  if (hasErrors(read.diagnostics)) return undefined;
  if (read.state) return { state: read.state, private: read.private };
  run.report([notThere(where, id)]);
  return undefined;
}

function notThere(where: Target["where"], id: string) {
  return errorAt(
    where,
    "Cannot import non-existent remote object",
    `The console has no object with the ID ${JSON.stringify(id)}. An apply creates it.`,
  );
}
