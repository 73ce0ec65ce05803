import type { Environment } from "../environment";
import type { Printable } from "../printed";
import type { Diagnostic } from "../diagnostics";
import type { Log } from "../io/log";
import type { Attributes } from "../schema/attribute";
import type { ObjectValue, KnownValue } from "../values";
import type { ProviderAction } from "./action-definition";
import type { DataSource } from "./data-source-definition";
import type { Resource, OperationContext } from "./resource-definition";
import type { Type } from "../types";
import type { Diagnose } from "./failure";
import type { PrivateState } from "../private-state";
import type { ConfigOf, StateOf } from "../schema/types";

/** The credentials of a connection and where they are sent. Saved plans have their hash only. */
export interface ConnectionIdentity {
  readonly credentials: KnownValue;
  readonly destination: KnownValue;
  /** The address without secrets, to be displayed. */
  readonly address: string;
}

/** `connection` is undefined if the configuration has unknown values. */
export interface Configured<C> {
  readonly connection: C | undefined;
  /** Absent without credentials, or without a connection. */
  readonly identity?: ConnectionIdentity;
  readonly diagnostics: readonly Diagnostic[];
}

/** A provider, which both engines run. */
export interface ProviderDefinition<C> {
  /** `cdktf-console/cwp`, as in required_providers. */
  readonly source: string;
  /** Its local name, and the prefix of its types. */
  readonly name: string;
  readonly description: string;
  readonly configuration: Attributes;
  readonly resources: readonly Resource<C>[];
  readonly dataSources: readonly DataSource<C>[];
  readonly ephemeralResources: readonly EphemeralResource<C>[];
  readonly functions: readonly FunctionDefinition[];
  readonly actions: readonly ProviderAction<C>[];
  /**
   * Makes a connection of a valid configuration. Reads the files that it names, but sends no
   * request. Paths in the configuration are relative to `directory`, those in the environment to
   * the working directory.
   */
  configure(
    config: ObjectValue,
    environment: Environment,
    log: Log,
    directory: string,
  ): Promise<Configured<C>>;
  /** Converts the errors that operations may throw. Default: each is a bug. */
  readonly diagnose?: Diagnose;
  /** The address of the objects without secrets, for reviewers of a plan. */
  endpoint?(connection: C): string;
  /** Closes a connection. */
  close(connection: C): Promise<void>;
}

/**
 * A function of the provider, called as `provider::cwp::NAME(…)`. It is pure and needs no
 * configuration. Its arguments are wholly known and not null.
 */
export interface FunctionDefinition {
  /** `policies_from_json` */
  readonly name: string;
  /** One line. */
  readonly summary: string;
  readonly description: string;
  readonly parameters: readonly FunctionParameter[];
  readonly returns: Type;
  /** One argument for each parameter, converted to its type. */
  call(args: readonly KnownValue[]): FunctionResult;
}

export interface FunctionParameter {
  readonly name: string;
  /** `any` takes a value without conversion. */
  readonly type: Type;
  readonly description: string;
}

export type FunctionResult = { readonly value: KnownValue } | { readonly error: FunctionError };

interface FunctionError {
  /** Without a full stop: engines put it into a sentence. */
  readonly text: Printable;
  /** The position of the invalid argument, from 0; absent if it is not a single one. */
  readonly argument?: number;
}

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
  readonly category?: string;
  readonly description: string;
  readonly attributes: A;
  /** Checks that need more than one attribute. Values may be unknown. */
  validate?(config: ObjectValue): readonly Diagnostic[];
  /** Called with a wholly known configuration. May throw what `ProviderDefinition.diagnose` converts. */
  open(config: Config, context: OperationContext<C>): Promise<Opened<Result>>;
  /** Absent if an opened resource lasts longer than any run. */
  renew?(privateState: PrivateState, context: OperationContext<C>): Promise<Renewed>;
  /** Absent if there is nothing to close. */
  close?(privateState: PrivateState, context: OperationContext<C>): Promise<readonly Diagnostic[]>;
}

interface Opened<Result> {
  /** Null only with error diagnostics. */
  readonly result: Result | null;
  /** Data for `renew` and `close`, in memory only. */
  readonly private?: PrivateState;
  /** The latest time to renew; never if undefined. */
  readonly renewAt?: Date;
  readonly diagnostics?: readonly Diagnostic[];
}

interface Renewed {
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
