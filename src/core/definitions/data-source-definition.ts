import type { Diagnostic } from "../diagnostics";
import type { Attributes } from "../schema/attribute";
import type { ConfigOf, StateOf } from "../schema/types";
import type { ObjectValue } from "../values";
import type { OperationContext, Outcome } from "./resource-definition";

export interface DataSourceDefinition<
  A extends Attributes,
  C,
  State = StateOf<A>,
  Config = ConfigOf<A>,
> {
  readonly type: string;
  readonly description: string;
  readonly attributes: A;
  validate?(config: ObjectValue, connection: C | undefined): readonly Diagnostic[];
  read(config: Config, context: OperationContext<C>): Promise<Outcome<State>>;
}

/** A data source without its attribute types, for registries and engines. */
export type DataSource<C> = DataSourceDefinition<Attributes, C, ObjectValue, ObjectValue>;
