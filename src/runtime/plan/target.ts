import type { Provider } from "../../core/provider";
import type { Location, ResourceConfig } from "../../language";
import type { ProviderConnection } from "../evaluation/providers";
import type { ResourceNode } from "../graph/configuration";
import type { Schema } from "../graph/stack-context";
import { formatAddress, formatProvider, type InstanceAddress } from "../../core/documents/address";
import type { InstanceKey } from "../../core/documents/state";
import type { ResourceChange } from "../../core/documents/stack-plan";

/** A resource of the configuration or, without `config`, of the state alone. */
export interface TargetResource {
  readonly stack: string;
  readonly mode: "managed" | "data";
  readonly type: string;
  readonly name: string;
  readonly providerKey: string;
  readonly schema: Schema;
  readonly connection: ProviderConnection;
  readonly config?: ResourceConfig;
}

/** A resource of the configuration, with its place in the graph. */
export interface ConfiguredResource extends TargetResource {
  readonly config: ResourceConfig;
  readonly node: ResourceNode;
}

/** One instance that is planned. */
export interface Target extends Omit<TargetResource, "connection"> {
  readonly instance: InstanceAddress;
  readonly provider: Provider<unknown>;
  /** Undefined while the configuration of the provider is not wholly known. */
  readonly connection: unknown;
  /** In the format of state files. */
  readonly providerAddress: string;
  readonly where: Location;
  /** The members that every change of the instance has. */
  readonly described: Pick<
    ResourceChange,
    "address" | "mode" | "type" | "name" | "key" | "provider" | "constructPath" | "attributes"
  >;
}

export function targetOf(resource: TargetResource, key: InstanceKey | undefined): Target {
  const { mode, type, name, schema, connection, config, providerKey } = resource;
  const instance: InstanceAddress = { mode, type, name, key };
  const address = formatAddress(instance);
  const constructPath = config?.where.constructPath;
  const path = constructPath === undefined ? {} : { constructPath };
  const alias = providerKey.split(".")[1];
  return {
    ...resource,
    instance,
    provider: connection.provider,
    connection: connection.connection,
    providerAddress: formatProvider(connection.address, alias),
    where: { address, ...path },
    described: {
      address,
      mode,
      type,
      name,
      ...(key !== undefined && { key }),
      provider: connection.address,
      ...path,
      attributes: schema.attributes,
    },
  };
}
