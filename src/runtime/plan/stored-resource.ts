import { hasErrors } from "../../provider/diagnostics";
import type { ResourceConfig } from "../config/stack-config";
import { locate } from "../evaluation/located";
import { decodeInstance, type StoredObject } from "../evaluation/stored-objects";
import { formatAddress } from "../state/address";
import { renameInstance } from "../state/instances";
import type { InstanceKey } from "../state/state";
import type { StackRun } from "./run";
import type { TargetResource } from "./target";

/** The objects that state has of a resource. */
export interface StoredResource {
  readonly current: ReadonlyMap<InstanceKey | undefined, StoredInstance>;
  readonly deposed: readonly {
    readonly key: InstanceKey | undefined;
    readonly object: StoredObject;
  }[];
}

export interface StoredInstance {
  readonly object: StoredObject;
  /** Set where state has it at another address. */
  readonly previousAddress?: string;
}

/** Decodes all objects of a resource. Undefined where one cannot be: the run has the diagnostics. */
export function decodeResource(
  run: StackRun,
  resource: TargetResource,
): StoredResource | undefined {
  const { mode, type, name, connection } = resource;
  const current = new Map<InstanceKey | undefined, StoredInstance>();
  const deposed: { key: InstanceKey | undefined; object: StoredObject }[] = [];
  let failed = false;
  for (const instance of run.instancesOf(resource)) {
    const address = formatAddress({ mode, type, name, key: instance.indexKey });
    const { object, diagnostics } = decodeInstance(connection.provider, type, instance);
    run.report(locate(diagnostics, { ...resource.config?.where, address }));
    if (!object || hasErrors(diagnostics)) failed = true;
    else if (instance.deposed === undefined) current.set(instance.indexKey, { object });
    else deposed.push({ key: instance.indexKey, object });
  }
  if (failed) return undefined;
  if (resource.config) moveImplied(run, resource, resource.config, current);
  return { current, deposed };
}

/** Where `count` comes, the one object becomes the first instance; where it goes, the reverse. */
function moveImplied(
  run: StackRun,
  { mode, type, name }: TargetResource,
  { count, forEach }: ResourceConfig,
  current: Map<InstanceKey | undefined, StoredInstance>,
): void {
  if (forEach) return;
  const [from, to] = count ? [undefined, 0] : [0, undefined];
  const moved = current.get(from);
  if (!moved || current.has(to)) return;
  const previous = { mode, type, name, key: from };
  run.state = renameInstance(run.state, previous, { mode, type, name, key: to });
  current.delete(from);
  current.set(to, { ...moved, previousAddress: formatAddress(previous) });
}
