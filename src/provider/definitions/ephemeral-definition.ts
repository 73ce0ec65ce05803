import type { Category } from "./listing";
import type { OperationContext } from "./operation";
import type { PrivateState } from "../private-state";
import type { Diagnostic } from "../diagnostics";
import type { Attributes } from "../schema/attribute";
import type { ConfigOf, StateOf } from "../schema/types";
import type { ObjectValue } from "../values";

/**
 * An ephemeral resource exists during a run and is stored in no plan or state: it is opened when
 * its values are needed, renewed while they are in use, and closed afterwards.
 */
export interface EphemeralResourceDefinition<
  A extends Attributes,
  C,
  Result = StateOf<A>,
  Config = ConfigOf<A>,
> {
  /** `cwp_token` */
  readonly type: string;
  /** The heading of the docs that lists the definition. */
  readonly category?: Category;
  readonly description: string;
  readonly attributes: A;
  /** Checks that need more than one attribute. Values may be unknown. */
  validate?(config: ObjectValue): readonly Diagnostic[];
  /** Called with a wholly known configuration. May throw the API's errors. */
  open(config: Config, context: OperationContext<C>): Promise<Opened<Result>>;
  /** Absent if an opened resource lasts longer than any run. */
  renew?(privateState: PrivateState, context: OperationContext<C>): Promise<Renewed>;
  /** Absent if there is nothing to close. */
  close?(privateState: PrivateState, context: OperationContext<C>): Promise<readonly Diagnostic[]>;
}

export interface Opened<Result> {
  /** Null only with error diagnostics. */
  readonly result: Result | null;
  /** Data for `renew` and `close`, in memory only. */
  readonly private?: PrivateState;
  /** The latest time to renew; never if undefined. */
  readonly renewAt?: Date;
  readonly diagnostics?: readonly Diagnostic[];
}

export interface Renewed {
  readonly private: PrivateState;
  readonly renewAt?: Date;
  readonly diagnostics?: readonly Diagnostic[];
}

/** An ephemeral resource without its attribute types, for registries and engines. */
export type EphemeralResource<C> = EphemeralResourceDefinition<
  Attributes,
  C,
  ObjectValue,
  ObjectValue
>;
