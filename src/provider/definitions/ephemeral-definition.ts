import type { Category } from "./listing";
import type { OperationContext } from "./operation";
import type { PrivateState } from "../private-state";
import type { Diagnostic } from "../diagnostics";
import type { Attributes } from "../schema/attribute";
import type { ConfigOf, StateOf } from "../schema/types";
import type { ObjectValue } from "../values";

/**
 * What is there while Terraform runs, and in no plan and no state: opened when its values are
 * needed, renewed while they are, closed after that.
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
  /** What no single attribute can tell. Values may be unknown. */
  validate?(config: ObjectValue): readonly Diagnostic[];
  /** Not called before the configuration is wholly known. May throw the API's errors. */
  open(config: Config, context: OperationContext<C>): Promise<Opened<Result>>;
  /** Not there where what was opened lasts longer than any run. */
  renew?(privateState: PrivateState, context: OperationContext<C>): Promise<Renewed>;
  /** Not there where nothing needs an end. */
  close?(privateState: PrivateState, context: OperationContext<C>): Promise<readonly Diagnostic[]>;
}

export interface Opened<Result> {
  /** Null with error diagnostics only. */
  readonly result: Result | null;
  /** What `renew` and `close` need; kept in memory. */
  readonly private?: PrivateState;
  /** When to renew at the latest; never where it is undefined. */
  readonly renewAt?: Date;
  readonly diagnostics?: readonly Diagnostic[];
}

export interface Renewed {
  readonly private: PrivateState;
  readonly renewAt?: Date;
  readonly diagnostics?: readonly Diagnostic[];
}

/** An ephemeral resource whose attribute types are forgotten: what registries and engines hold. */
export type EphemeralResource<C> = EphemeralResourceDefinition<
  Attributes,
  C,
  ObjectValue,
  ObjectValue
>;
