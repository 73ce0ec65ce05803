import type { Diagnostic } from "../diagnostics";
import type { Log } from "../log";
import type { Attributes } from "../schema/attribute";
import type { ObjectValue } from "../values";
import type { DataSource } from "./data-source-definition";
import type { EphemeralResource } from "./ephemeral-definition";
import type { FunctionDefinition } from "./function-definition";
import type { Resource } from "./resource-definition";

/** `connection` undefined: the configuration holds unknown values, nothing can be read yet. */
export interface Configured<C> {
  readonly connection: C | undefined;
  readonly diagnostics: readonly Diagnostic[];
}

/** A provider: what both engines run. */
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
  /**
   * Pure but for reading the files that the configuration names; connects to nothing. Relative
   * paths start at `directory`, those of the environment at the process's.
   */
  configure(
    config: ObjectValue,
    environment: Environment,
    log: Log,
    directory: string,
  ): Promise<Configured<C>>;
  /** Where the objects are, as an address without secrets, for whoever reviews a plan. */
  endpoint?(connection: C): string;
  /** Ends what `configure` opened. */
  close(connection: C): Promise<void>;
}

export type Environment = Readonly<Record<string, string | undefined>>;
