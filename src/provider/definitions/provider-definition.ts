import type { Diagnostic } from "../diagnostics";
import type { Log } from "../log";
import type { Attributes } from "../schema/attribute";
import type { ObjectValue } from "../values";
import type { DataSource } from "./data-source-definition";
import type { EphemeralResource } from "./ephemeral-definition";
import type { FunctionDefinition } from "./function-definition";
import type { Resource } from "./resource-definition";

/** `connection` is undefined if the configuration has unknown values. */
export interface Configured<C> {
  readonly connection: C | undefined;
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
  /** The address of the objects without secrets, for reviewers of a plan. */
  endpoint?(connection: C): string;
  /** Closes a connection. */
  close(connection: C): Promise<void>;
}

export type Environment = Readonly<Record<string, string | undefined>>;
