import type { KeptObject, OperationContext, Outcome } from "../definitions/resource-definition";
import type { Diagnostic } from "../diagnostics";
import type { ContentRecord } from "../definitions/content-record";
import type { PrivateState } from "../private-state";
import type { ObjectValue, AttributePath, KnownObject } from "../values";
import { diagnoseFailure, type Diagnose } from "../definitions/failure";

/** The attributes of an object as a state has them, with the version of their schema. */
export interface RawState {
  readonly schemaVersion: number;
  readonly attributes: KnownObject;
}

/** The object that an operation has reached; null if it is gone. */
export type OperationResult = Required<Omit<Outcome<ObjectValue>, "isUnconfirmed">> &
  Pick<Outcome<ObjectValue>, "isUnconfirmed">;

/** `connection` is undefined while the provider's configuration is unknown. */
export interface CallContext<C> {
  readonly connection: C | undefined;
  readonly signal: AbortSignal;
  /** See `OperationContext.stop`. */
  readonly stop?: AbortSignal;
  readonly progress?: (message: string) => void;
}

export interface ReadRequest<C> extends CallContext<C> {
  readonly state: ObjectValue;
  readonly private: PrivateState;
}

/** `prior` is null to create, `config` is null to destroy. */
export interface PlanRequest<C> extends CallContext<C> {
  readonly prior: ObjectValue | null;
  readonly config: ObjectValue | null;
  readonly private: PrivateState;
  /** See `ModifyPlanRequest.replaced`. */
  readonly replaced?: KeptObject;
  /** The engine has validated `config` with this connection. */
  readonly validated?: boolean;
}

export interface PlannedObject {
  readonly planned: ObjectValue | null;
  /** The attributes whose change requires a replacement; empty on create. */
  readonly requiresReplace: readonly AttributePath[];
  /** See `ModifyPlanResult.displaced`. */
  readonly displaced?: readonly string[];
  readonly private: PrivateState;
  readonly diagnostics: readonly Diagnostic[];
}

export interface ApplyRequest<C> extends CallContext<C> {
  readonly prior: ObjectValue | null;
  readonly planned: ObjectValue | null;
  readonly config: ObjectValue | null;
  readonly private: PrivateState;
  /** Resolves when an effect is allowed; to false if none is any more. Default: always allowed. */
  readonly beforeWrite?: () => boolean | Promise<boolean>;
  /** See `WriteContext.waitUntil`. */
  readonly waitUntil?: number | undefined;
  /** See `WriteContext.record`. */
  readonly record?: ((entry: ContentRecord) => Promise<void>) | undefined;
  /** Makes a state durable before the first write; absent if the engine cannot. */
  readonly checkpoint?: (reached: { state: ObjectValue; private: PrivateState }) => Promise<void>;
}

/** Runs an operation that only reads. An error becomes a diagnostic next to the state before it. */
export async function runOperation(
  before: Pick<OperationResult, "state" | "private">,
  operation: () => Promise<Outcome<ObjectValue>>,
  diagnose: Diagnose | undefined,
): Promise<OperationResult> {
  try {
    const { state, private: privateState = {}, diagnostics = [] } = await operation();
    return { state, private: privateState, diagnostics };
  } catch (failure) {
    return { ...before, diagnostics: [diagnoseFailure(failure, diagnose)] };
  }
}

export const NOTHING_READ = { state: null, private: {} };

export function contextOf<C>(request: CallContext<C>, connection: C): OperationContext<C> {
  const { signal, stop, progress = () => undefined } = request;
  return { connection, signal, ...(stop && { stop }), progress };
}

export function refused(
  diagnostic: Diagnostic,
  state: ObjectValue | null = null,
  privateState: PrivateState = {},
): OperationResult {
  return { state, private: privateState, diagnostics: [diagnostic] };
}
