import { diagnose } from "../console/diagnose";
import type { OperationContext, Outcome } from "../definitions/operation";
import type { Diagnostic } from "../diagnostics";
import type { PrivateState } from "../private-state";
import type { ObjectValue } from "../values";
import type { CallContext, ReachedObject } from "./requests";

/** Runs an operation. An error becomes a diagnostic next to the state reached before it. */
export async function runOperation(
  reached: () => Pick<ReachedObject, "state" | "private">,
  operation: () => Promise<Outcome<ObjectValue>>,
): Promise<ReachedObject> {
  try {
    const { state, private: privateState = {}, diagnostics = [] } = await operation();
    return { state, private: privateState, diagnostics };
  } catch (failure) {
    return { ...reached(), diagnostics: [diagnose(failure)] };
  }
}

export const nothingReached = () => ({ state: null, private: {} });

export function contextOf<C>(request: CallContext<C>, connection: C): OperationContext<C> {
  return { connection, signal: request.signal, progress: request.progress ?? (() => undefined) };
}

export function refused(
  diagnostic: Diagnostic,
  state: ObjectValue | null = null,
  privateState: PrivateState = {},
): ReachedObject {
  return { state, private: privateState, diagnostics: [diagnostic] };
}
