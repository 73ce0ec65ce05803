import type { EndpointName } from "../../api/endpoints";
import type { Diagnostic } from "../diagnostics";
import type { PrivateState } from "../private-state";
import type { Attributes } from "../schema/attribute";
import type { ConfigOf, PlannedOf, StateOf } from "../schema/types";
import type { KnownObject, ObjectValue } from "../values";
import type { ApplyContext, OperationContext, Outcome } from "./operation";
import type { ReleaseChange } from "./release-change";

export interface ModifyPlanRequest<C> {
  readonly config: ObjectValue;
  /** Null on create. */
  readonly prior: ObjectValue | null;
  readonly planned: ObjectValue;
  readonly private: PrivateState;
  /** Undefined while the provider's configuration is not known. Planning reads, it never writes. */
  readonly connection: C | undefined;
  readonly signal: AbortSignal;
}

export interface ModifyPlanResult {
  readonly planned: ObjectValue;
  /** What the console came with and goes with the creation, by name: context for reviewers. */
  readonly displaced?: readonly string[];
  readonly diagnostics?: readonly Diagnostic[];
}

/**
 * A resource: its schema, and what can be done with it. `read`, `create`, `update` and `delete`
 * may throw the API's errors, which become diagnostics; whatever else they throw is our bug.
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
  /** The schema's version, as state records it. */
  readonly version: number;
  readonly attributes: A;
  /** What its operations call of the console's API. Their deprecations follow from it. */
  readonly endpoints?: readonly EndpointName[];
  /** What a release changes for configurations that have certain members. */
  readonly releaseChanges?: readonly ReleaseChange[];

  /**
   * What no single attribute can tell. Values may be unknown, and so may the connection; what
   * needs it is validated when a plan is made.
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
  /** The last step of planning, for what needs the whole object or the console. */
  modifyPlan?(request: ModifyPlanRequest<C>): Promise<ModifyPlanResult>;
  /** What a user should know before the object is destroyed or forgotten. */
  planDestroy?(prior: State, privateState: PrivateState): readonly Diagnostic[];

  read(
    state: State,
    privateState: PrivateState,
    context: OperationContext<C>,
  ): Promise<Outcome<State>>;
  create(
    planned: Planned,
    config: Config,
    context: ApplyContext<C, State>,
  ): Promise<Outcome<State>>;
  /** Not there where every configurable attribute requires a replacement. */
  update?(
    prior: State,
    planned: Planned,
    config: Config,
    privateState: PrivateState,
    context: ApplyContext<C, State>,
  ): Promise<Outcome<State>>;
  /** `state` null in the outcome: gone. */
  delete(
    state: State,
    privateState: PrivateState,
    context: ApplyContext<C, State>,
  ): Promise<Outcome<State>>;

  /** From an import ID to a state that `read` can complete. */
  import?(id: string, context: OperationContext<C>): Promise<Outcome<State>>;
  /** The import ID where none is given: of what a console has one of. */
  readonly importId?: string;
  /**
   * The names of what stands beside the object unmanaged, as last read: context for reviewers.
   * Undefined where nobody has looked.
   */
  others?(privateState: PrivateState): readonly string[] | undefined;
  /** Without `import`: a sentence that says what to do instead. */
  readonly insteadOfImport?: string;
  /** By the version to upgrade from: one step, to the version after it. */
  readonly upgrades?: Readonly<Record<number, (attributes: KnownObject) => KnownObject>>;
}

/** A resource whose attribute types are forgotten: what registries and engines hold. */
export type Resource<C> = ResourceDefinition<Attributes, C, ObjectValue, ObjectValue, ObjectValue>;
