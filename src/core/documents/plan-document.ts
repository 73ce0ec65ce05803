import type { Attributes } from "../schema/attribute";
import type { Value } from "../values";
import type { JsonTree } from "../json/format-json";
import type { Json } from "./state-value";
import type { OutputState, ResourceState, State } from "./state";
import type { StackPlan } from "./stack-plan";

/** A plan with everything that its JSON contains, taken before anything is applied. */
export interface PlanDocument {
  readonly plan: StackPlan;
  /** The stack's configuration in the format of `terraform show -json`. */
  readonly configuration: JsonTree;
  /**
   * The values as given, before conversion; defaults for the others. Ephemeral variables are left
   * out unless they have a default.
   */
  readonly variables: Readonly<Record<string, Value>>;
  /** The planned outputs that are wholly known and not null, with their types. */
  readonly outputs: Readonly<Record<string, OutputState>>;
  /** The refreshed state, including all data that was read. */
  readonly priorState: State;
  /** The results of all conditions, in the format of the state; null where there are none. */
  readonly checks: Json;
  /** Finds the schemas of the objects in the prior state. */
  readonly schemaOf: SchemaLookup;
  /** By the address of the resource, without a key. */
  readonly schemaVersions: ReadonlyMap<string, number>;
  /** When the plan was made. */
  readonly timestamp: Date;
}

/** Undefined for a type of an unsupported provider: its attributes are shown as JSON. */
export type SchemaLookup = (resource: ResourceState) => Attributes | undefined;
