import type { Provider } from "../../provider/provider";
import type { ResourceConfig } from "../config/stack-config";
import type { Location } from "../config/located";
import type { Connection } from "../evaluation/providers";
import type { Schema } from "../graph/stack-context";
import { formatAddress, formatProvider, type InstanceAddress } from "../state/address";
import type { InstanceKey } from "../state/state";
import type { ResourceChange } from "../documents/plan";
import type { PreparedChange } from "./prepared";

/** A resource of the configuration or, without `config`, of the state alone. */
export interface TargetResource {
  readonly stack: string;
  readonly mode: "managed" | "data";
  readonly type: string;
  readonly name: string;
  readonly providerKey: string;
  readonly schema: Schema;
  readonly connection: Connection;
  readonly config?: ResourceConfig;
}

/** One instance that is planned. */
export interface Target {
  readonly stack: string;
  readonly type: string;
  readonly instance: InstanceAddress;
  readonly provider: Provider<unknown>;
  readonly connection: unknown;
  /** As state files have it. */
  readonly providerAddress: string;
  readonly schema: Schema;
  readonly where: Location;
  /** What every change of the instance says of it. */
  readonly described: Pick<
    ResourceChange,
    "address" | "mode" | "type" | "name" | "key" | "provider" | "constructPath" | "attributes"
  >;
  /** What every change of it tells apply. */
  readonly prepared: Pick<
    PreparedChange,
    "stack" | "instance" | "providerKey" | "schema" | "config" | "connected"
  >;
}

export function targetOf(resource: TargetResource, key: InstanceKey | undefined): Target {
  const { stack, mode, type, name, schema, connection, config, providerKey } = resource;
  const instance: InstanceAddress = { mode, type, name, key };
  const address = formatAddress(instance);
  const constructPath = config?.where.constructPath;
  const path = constructPath === undefined ? {} : { constructPath };
  const alias = providerKey.split(".")[1];
  return {
    stack,
    type,
    instance,
    provider: connection.provider,
    connection: connection.connection,
    providerAddress: formatProvider(connection.address, alias),
    schema,
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
    prepared: {
      stack,
      instance,
      providerKey,
      schema,
      ...(config && { config }),
      connected: connection.connection !== undefined,
    },
  };
}
