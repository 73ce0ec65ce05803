import type { PrivateState } from "../private-state";
import type { Diagnostic } from "../diagnostics";
import type { Attributes } from "../schema/attribute";
import type { AttributePath, KnownObject, ObjectValue } from "../values";

/**
 * The operations of a provider as both engines call them. They never throw: whatever goes wrong is
 * a diagnostic, and what was reached is in the result.
 *
 * Configurations come in complete: every attribute of the schema is there, null where it is not
 * set, converted to its type, sets canonical. So do states, by way of `upgradeState`.
 */
export interface ProviderOperations<C> {
  resourceAttributes(type: string): { version: number; attributes: Attributes } | undefined;
  dataSourceAttributes(type: string): Attributes | undefined;

  validateConfiguration(config: ObjectValue): readonly Diagnostic[];
  /** With a connection, also what depends on the provider's configuration, as its release. */
  validateResource(type: string, config: ObjectValue, connection?: C): readonly Diagnostic[];
  validateDataSource(type: string, config: ObjectValue, connection?: C): readonly Diagnostic[];

  /** From what a state file holds to an object of today's schema. */
  upgradeState(type: string, stored: StoredObject): ReachedObject;
  /** `state` null in the result: the object is gone. */
  read(type: string, request: ReadRequest<C>): Promise<ReachedObject>;
  plan(type: string, request: PlanRequest<C>): Promise<PlannedObject>;
  apply(type: string, request: ApplyRequest<C>): Promise<ReachedObject>;
  import(type: string, id: string, context: CallContext<C>): Promise<ReachedObject>;
  /** The ID to import from where none is given; undefined where the type has no such. */
  importId(type: string): string | undefined;
  readDataSource(
    type: string,
    config: ObjectValue,
    context: CallContext<C>,
  ): Promise<ReachedObject>;
}

export interface StoredObject {
  readonly schemaVersion: number;
  readonly attributes: KnownObject;
}

export interface ReachedObject {
  readonly state: ObjectValue | null;
  readonly private: PrivateState;
  readonly diagnostics: readonly Diagnostic[];
}

/** `connection` undefined: the provider's configuration is not known yet. */
export interface CallContext<C> {
  readonly connection: C | undefined;
  readonly signal: AbortSignal;
  readonly progress?: (message: string) => void;
}

export interface ReadRequest<C> extends CallContext<C> {
  readonly state: ObjectValue;
  readonly private: PrivateState;
}

/** `prior` null: create; `config` null: destroy. */
export interface PlanRequest<C> extends CallContext<C> {
  readonly prior: ObjectValue | null;
  readonly config: ObjectValue | null;
  readonly private: PrivateState;
  /** The engine has validated `config` with this connection. */
  readonly validated?: boolean;
}

export interface PlannedObject {
  readonly planned: ObjectValue | null;
  /** Where a change cannot be made in place; empty on create. */
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
  /** Called before the first write with what must survive a kill; see `ApplyContext.checkpoint`. */
  readonly checkpoint?: (reached: { state: ObjectValue; private: PrivateState }) => Promise<void>;
}
