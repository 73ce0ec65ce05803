import type { Diagnostic } from "../../core/diagnostics";
import type { ResourceConfig, StackConfig } from "../../language";
import type { Evaluated } from "../../core/values";
import type { StackNodes } from "./configuration";
import type { ProviderConnections } from "../evaluation/provider-connections";
import { selectResource, type Providers, type Selected } from "../evaluation/providers";
import type { RemoteInstance } from "../evaluation/remote-state";
import type { Validations } from "../evaluation/validations";

/** The context in which a stack is evaluated: the same in validation, plan and apply. */
export interface StackContext {
  readonly config: StackConfig;
  readonly variables: ReadonlyMap<string, Evaluated>;
  /** The given values of variables before conversion, to be displayed. */
  readonly given: ReadonlyMap<string, Evaluated>;
  readonly nodes: StackNodes;
  readonly providers: Providers;
  /** The stacks that the app declares as dependencies. */
  readonly after: readonly string[];
  /** The instances of each terraform_remote_state, by its address. */
  readonly remoteStates: ReadonlyMap<string, readonly RemoteInstance[]>;
  readonly connections: ProviderConnections;
  readonly validations: Validations;
}

/** A provider with the schema of one of its types. */
export type Schema = Exclude<Selected, { readonly problem: Diagnostic }>;

export function resourceSchema(
  { config, providers }: StackContext,
  block: ResourceConfig<"managed" | "data" | "ephemeral">,
): Selected {
  return selectResource(config, block, providers);
}
