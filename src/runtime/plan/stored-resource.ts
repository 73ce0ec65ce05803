import { hasErrors } from "../../core/diagnostics";
import { locate } from "../../language";
import { decodeInstance, type StoredObject } from "../evaluation/stored-objects";
import { formatAddress } from "../../core/documents/address";
import type { InstanceKey } from "../../core/documents/state";
import type { StackRun } from "./run";
import type { TargetResource } from "./target";

/** The stored objects of a resource. */
export interface StoredResource {
  readonly current: ReadonlyMap<InstanceKey | undefined, StoredObject>;
  readonly deposed: readonly {
    readonly key: InstanceKey | undefined;
    readonly object: StoredObject;
  }[];
}

/** Decodes all objects of a resource. If one fails, the run has the diagnostics. */
export function decodeResource(
  run: StackRun,
  resource: TargetResource,
): StoredResource | undefined {
  const { mode, type, name, connection } = resource;
  const current = new Map<InstanceKey | undefined, StoredObject>();
  const deposed: { key: InstanceKey | undefined; object: StoredObject }[] = [];
  let failed = false;
  for (const instance of run.instancesOf(resource)) {
    const address = formatAddress({ mode, type, name, key: instance.indexKey });
    const { object, diagnostics } = decodeInstance(connection.provider, type, instance);
    run.report(locate(diagnostics, { ...resource.config?.where, address }));
    if (!object || hasErrors(diagnostics)) failed = true;
    else if (instance.deposed === undefined) current.set(instance.indexKey, object);
    else deposed.push({ key: instance.indexKey, object });
  }
  return failed ? undefined : { current, deposed };
}
