import type { PrivateState } from "../private-state";
import type { Diagnostic } from "../diagnostics";
import type { AttributePath, KnownObject, ObjectValue } from "../values";

export interface StoredObject {
  readonly schemaVersion: number;
  readonly attributes: KnownObject;
}

export interface ReachedObject {
  readonly state: ObjectValue | null;
  readonly private: PrivateState;
  readonly diagnostics: readonly Diagnostic[];
}

/** `connection` is undefined while the provider's configuration is unknown. */
export interface CallContext<C> {
  readonly connection: C | undefined;
  readonly signal: AbortSignal;
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
  /** Makes a state durable before the first write; see `ApplyContext.checkpoint`. */
  readonly checkpoint?: (reached: { state: ObjectValue; private: PrivateState }) => Promise<void>;
}
