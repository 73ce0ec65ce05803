import type { Diagnostic } from "../diagnostics";
import type { ContentRecord, RecordedContent } from "./content-record";
import type { PrivateState } from "../private-state";
import type { Attributes } from "../schema/attribute";
import type { ConfigOf, PlannedOf, StateOf } from "../schema/types";
import type { KnownObject, ObjectValue } from "../values";

export interface OperationContext<C> {
  readonly connection: C;
  readonly signal: AbortSignal;
  /** Aborted when the run should end: an operation that only waits gives up. */
  readonly stop?: AbortSignal;
  /** Shows one line about the current wait during the operation. */
  readonly progress: (message: string) => void;
}

export interface WriteContext<C> extends OperationContext<C> {
  /**
   * Waits until the run allows an effect. Call it before the first request or file that changes
   * something, after all waiting for readiness. Rejects if the run allows no further effect.
   */
  readonly beforeWrite: () => Promise<void>;
  /** The end of all waiting for consoles in this run, by the steady clock; absent without an end. */
  readonly waitUntil?: number;
  /**
   * Records what a write replaces, before it, and what was reached, after it. Resolves when the record
   * is durable, and rejects if that fails; absent if nobody records the run.
   */
  readonly record?: (entry: ContentRecord) => Promise<void>;
}

export interface ApplyContext<C, State> extends WriteContext<C> {
  /**
   * Saves `state` and `private` before the first write to the console, so that the next run can
   * continue after a kill.
   *
   * @param elsewhere - saves what the next run needs under Terraform, which cannot save during an
   *   apply; absent if it needs nothing
   */
  readonly checkpoint: (reached: Reached<State>, elsewhere?: () => Promise<void>) => Promise<void>;
}

/** The current object. */
interface Reached<State> {
  readonly state: State;
  readonly private?: PrivateState;
}

/** `state` is null if the object is gone. With errors, it is the state before the error. */
export interface Outcome<State> {
  readonly state: State | null;
  readonly private?: PrivateState;
  readonly diagnostics?: readonly Diagnostic[];
  /**
   * Set with an error after which the object may be as planned all the same: the next plan reads it. It is
   * not to be replaced for that error, as one that was created in part.
   */
  readonly isUnconfirmed?: true;
}

export interface ModifyPlanRequest<C> {
  readonly config: ObjectValue;
  /** Null on create. */
  readonly prior: ObjectValue | null;
  readonly planned: ObjectValue;
  readonly private: PrivateState;
  /** The object that the created one replaces, if the engine knows it. */
  readonly replaced?: KeptObject;
  /** Undefined while the provider's configuration is unknown. Planning never writes. */
  readonly connection: C | undefined;
  readonly signal: AbortSignal;
}

export interface ModifyPlanResult {
  readonly planned: ObjectValue;
  /** Names of default entries that the creation removes, for reviewers. */
  readonly displaced?: readonly string[];
  readonly diagnostics?: readonly Diagnostic[];
}

/** Content that a run has written, and what it replaced. */
export interface RecordedWrite extends RecordedContent {
  /** The present object, or else the one before the run. */
  readonly object: ObjectValue;
}

/** How content that a run has replaced is put back. Nothing is written unless it still is what the run wrote. */
export interface Rollback<C> {
  /**
   * Compares the consoles with the record, and returns one result for each write.
   *
   * @param writes - of one connection, the last one first
   */
  plan(
    writes: readonly RecordedWrite[],
    context: OperationContext<C>,
  ): Promise<readonly PlannedRollback[]>;
  /** Puts back what one write has replaced. Returns the errors. */
  apply(write: RecordedWrite, context: WriteContext<C>): Promise<readonly Diagnostic[]>;
}

export interface PlannedRollback {
  /** See `ResourceDefinition.found`. */
  readonly found?: ObjectValue;
  /** The console has the content already. */
  readonly isDone?: boolean;
  /** The reason why it is not put back. */
  readonly problem?: Diagnostic;
}

/** A planned change of an object. `config` is for write-only values alone, as that of a create. */
export interface UpdateRequest<State, Planned, Config> {
  readonly prior: State;
  readonly planned: Planned;
  readonly config: Config;
  readonly private: PrivateState;
}

/** An object as a state keeps it. */
export interface KeptObject<State = ObjectValue> {
  readonly state: State;
  readonly private: PrivateState;
}

/**
 * A resource: its schema and its operations. `read`, `create`, `update` and `delete` may throw
 * what `ProviderDefinition.diagnose` converts; any other error is a bug.
 */
export interface ResourceDefinition<
  A extends Attributes,
  C,
  State = StateOf<A>,
  Planned = PlannedOf<A>,
  Config = ConfigOf<A>,
> {
  /** `cwp_license` */
  readonly type: string;
  readonly description: string;
  /** The version of the schema, as the state records it. */
  readonly version: number;
  readonly attributes: A;

  /**
   * Checks that need more than one attribute. Values and the connection may be unknown; checks that
   * need the connection run again at plan time.
   */
  validate?(config: ObjectValue, connection: C | undefined): readonly Diagnostic[];
  /**
   * Asks the console for what `validate` needs to know of it, and returns the errors; undefined if
   * the provider's configuration has it all. Called before a plan, which can do without, and with
   * `retry` before anything is written, which cannot.
   */
  learn?(
    connection: C,
    signal: AbortSignal,
    options: { readonly retry: boolean },
  ): Promise<readonly Diagnostic[] | undefined>;
  /** Changes the plan by the whole object or the console, as the last step of planning. */
  modifyPlan?(request: ModifyPlanRequest<C>): Promise<ModifyPlanResult>;
  /**
   * Returns an error if an object is not one of this connection. Called with each object of a state,
   * and with a planned one before it is created, before anything is read or compared.
   */
  refuse?(object: ObjectValue, privateState: PrivateState, connection: C): Diagnostic | undefined;
  /** Warns of what a destroy does not undo. */
  planDestroy?(prior: State, privateState: PrivateState): readonly Diagnostic[];

  read(
    state: State,
    privateState: PrivateState,
    context: OperationContext<C>,
  ): Promise<Outcome<State>>;
  /**
   * Creates the planned object. `config` is for write-only values alone: where `ignore_changes` keeps
   * prior values, the plan differs from it. An entry of a list has another index there.
   */
  create(
    planned: Planned,
    config: Config,
    context: ApplyContext<C, State>,
  ): Promise<Outcome<State>>;
  /** Absent if every configurable attribute requires a replacement. */
  update?(
    request: UpdateRequest<State, Planned, Config>,
    context: ApplyContext<C, State>,
  ): Promise<Outcome<State>>;
  /** `state` is null in the outcome if the object is gone. */
  delete(
    state: State,
    privateState: PrivateState,
    context: ApplyContext<C, State>,
  ): Promise<Outcome<State>>;

  /** Returns a state of an import ID, which `read` can complete. */
  import?(id: string, context: OperationContext<C>): Promise<Outcome<State>>;
  /**
   * Distinguishes what objects manage, of which a console has one each; undefined while the
   * configuration does not say it. Absent where it does not matter.
   */
  placeOf?(config: ObjectValue): string | undefined;
  /** The default import ID of an object that a console has once. */
  readonly importId?: string;
  /**
   * Names of unmanaged entries next to the object, as last read, for reviewers. Undefined until
   * they have been read.
   */
  others?(privateState: PrivateState): readonly string[] | undefined;
  /**
   * The collection that the object is a part of, as this connection has last read it, for reviewers.
   * Undefined if it has not been read. `destroyed` is null if the object is not destroyed.
   */
  found?(connection: C, destroyed: KeptObject<State> | null): ObjectValue | undefined;
  /** Absent if a rollback leaves the objects as they are. */
  readonly rollback?: Rollback<C>;
  /** A sentence of advice if there is no `import`. */
  readonly insteadOfImport?: string;
  /** Objects of another type that a `moved` block turns into objects of this one. */
  readonly movesFrom?: {
    /** The source of the provider: `hashicorp/null`. */
    readonly provider: string;
    readonly type: string;
    /** Converts attributes as the state has them. */
    convert(attributes: KnownObject): KnownObject;
  };
  /** Upgrades from a schema version to the next one, by the version to upgrade from. */
  readonly upgrades?: Readonly<Record<number, (attributes: KnownObject) => KnownObject>>;
}

/** A resource without its attribute types, for registries and engines. */
export type Resource<C> = ResourceDefinition<Attributes, C, ObjectValue, ObjectValue, ObjectValue>;
