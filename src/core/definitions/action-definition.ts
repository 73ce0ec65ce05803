import type { Diagnostic } from "../diagnostics";
import type { Attributes } from "../schema/attribute";
import type { StateOf } from "../schema/types";
import type { ObjectValue } from "../values";
import type { WriteContext } from "./resource-definition";

/**
 * An action is an effect without an object: Terraform invokes it after changes of a resource, or on
 * demand, and no state has it.
 */
export interface ActionDefinition<A extends Attributes, C, Config = StateOf<A>> {
  /** `cwp_container_scan` */
  readonly type: string;
  /** The heading of the docs that lists the definition. */
  readonly category?: string;
  readonly description: string;
  /** Attributes that are configured: an action has no results. */
  readonly attributes: A;
  /** Checks that need more than one attribute. Values and the connection may be unknown. */
  validate?(config: ObjectValue, connection: C | undefined): readonly Diagnostic[];
  /**
   * Called with a valid and wholly known configuration, with its defaults. Returns the errors and
   * warnings. May throw what `ProviderDefinition.diagnose` converts.
   */
  invoke(config: Config, context: WriteContext<C>): Promise<readonly Diagnostic[]>;
}

/** An action without its attribute types, for registries and engines. */
export type ProviderAction<C> = ActionDefinition<Attributes, C, ObjectValue>;
