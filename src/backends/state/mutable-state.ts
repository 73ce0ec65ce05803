import { compareStrings } from "../../core/values";
import {
  formatResourceAddress,
  type InstanceAddress,
  type ResourceAddress,
} from "../../core/documents/address";
import type { RunMark } from "../../core/documents/run-record";
import { withRunMark } from "./run-marks";
import type {
  InstanceKey,
  InstanceState,
  OutputState,
  ResourceState,
  State,
} from "../../core/documents/state";

/** The objects at one address by deposed key: undefined is the current object. */
type Objects = Map<string | undefined, InstanceState>;

interface MutableResource {
  readonly resource: Omit<ResourceState, "instances">;
  readonly instances: Map<InstanceKey | undefined, Objects>;
  /** The present content; undefined after a change. */
  whole: ResourceState | undefined;
}

/**
 * A state that changes object by object. The time of a change does not depend on the number of
 * objects, so that a run of n changes takes time in proportion to n.
 */
export class MutableState {
  /** By address. */
  private readonly resources = new Map<string, MutableResource>();
  private readonly outputs: Map<string, OutputState>;
  private rest: Omit<State, "resources" | "outputs">;
  /** The present content; undefined after a change. */
  private snapshot: State | undefined;

  constructor(state: State) {
    const { resources, outputs, ...rest } = state;
    this.rest = rest;
    this.outputs = new Map(Object.entries(outputs));
    for (const whole of resources) {
      const { instances, ...resource } = whole;
      const name = formatResourceAddress(resource);
      const known = this.resources.get(name);
      const added = known ?? { resource, instances: new Map(), whole: undefined };
      this.resources.set(name, added);
      for (const instance of instances) insert(added, instance);
      // The same resource may be there once for each provider.
      if (!known) added.whole = whole;
    }
    this.snapshot = state;
  }

  /** Returns the present content as immutable data. */
  current(): State {
    return (this.snapshot ??= {
      ...this.rest,
      outputs: Object.fromEntries(this.outputs),
      resources: [...this.resources.values()].map(wholeOf),
    });
  }

  /** Finds the current object at the address, or the deposed one with that key. */
  find(address: InstanceAddress, deposed?: string): InstanceState | undefined {
    return this.instancesOf(address)?.get(address.key)?.get(deposed);
  }

  /** Returns the objects at an address: the current one and deposed ones. */
  objectsAt(address: InstanceAddress): readonly InstanceState[] {
    return [...(this.instancesOf(address)?.get(address.key)?.values() ?? [])];
  }

  /** Returns the keys of the instances of a resource that have objects, deposed ones included. */
  keysOf(address: ResourceAddress): Iterable<InstanceKey | undefined> {
    return this.instancesOf(address)?.keys() ?? [];
  }

  /** Reports whether there is an object at the address, also a deposed one. */
  has(address: InstanceAddress): boolean {
    return this.instancesOf(address)?.has(address.key) ?? false;
  }

  hasResource(address: ResourceAddress): boolean {
    return this.resources.has(formatResourceAddress(address));
  }

  /** Returns the provider of a resource; undefined if the state has no object of it. */
  providerOf(address: ResourceAddress): string | undefined {
    return this.resources.get(formatResourceAddress(address))?.resource.provider;
  }

  /**
   * Sets the object at an address; replaces one with the same `deposed` key. The instance gets the
   * key of the address, and the whole resource gets the provider.
   */
  set(address: InstanceAddress, provider: string, instance: InstanceState): void {
    const { module, mode, type, name, key } = address;
    const id = formatResourceAddress(address);
    const found = this.resources.get(id);
    const changed = {
      resource: { ...found?.resource, module, mode, type, name, provider },
      instances: found?.instances ?? new Map<InstanceKey | undefined, Objects>(),
      whole: undefined,
    };
    insert(changed, { ...instance, indexKey: key });
    this.resources.set(id, changed);
    this.snapshot = undefined;
  }

  /** Removes an object, and its resource with the last one. */
  remove(address: InstanceAddress, deposed?: string): void {
    const found = this.resources.get(formatResourceAddress(address));
    const objects = found?.instances.get(address.key);
    if (!found || !objects?.delete(deposed)) return;
    if (objects.size === 0) found.instances.delete(address.key);
    if (found.instances.size === 0) this.resources.delete(formatResourceAddress(address));
    found.whole = undefined;
    this.snapshot = undefined;
  }

  /** Moves all objects at an address, with deposed ones, to a free one. */
  rename(from: InstanceAddress, to: InstanceAddress): void {
    const provider = this.providerOf(from) ?? "";
    for (const object of this.objectsAt(from)) {
      this.remove(from, object.deposed);
      this.set(to, provider, object);
    }
  }

  /** Moves a resource with all its objects. The dependencies of others stay as they were recorded. */
  renameResource(from: ResourceAddress, to: ResourceAddress): void {
    for (const key of [...this.keysOf(from)]) this.rename({ ...from, key }, { ...to, key });
  }

  /** Updates the dependencies of others after a resource was moved. */
  renameDependencies(from: ResourceAddress, to: ResourceAddress): void {
    const [before, after] = [formatResourceAddress(from), formatResourceAddress(to)];
    for (const resource of this.resources.values()) {
      for (const objects of resource.instances.values()) {
        for (const [deposed, object] of objects) {
          if (!object.dependencies.includes(before)) continue;
          const dependencies = object.dependencies
            .map((address) => (address === before ? after : address))
            .sort(compareStrings);
          objects.set(deposed, { ...object, dependencies });
          resource.whole = undefined;
        }
      }
    }
    this.snapshot = undefined;
  }

  /** Removes the results of all data sources. */
  removeData(): void {
    for (const [id, { resource }] of this.resources) {
      if (resource.mode === "data") this.resources.delete(id);
    }
    this.snapshot = undefined;
  }

  /** Sets an output; null removes it. */
  setOutput(name: string, output: OutputState | null): void {
    if (output) this.outputs.set(name, output);
    else this.outputs.delete(name);
    this.snapshot = undefined;
  }

  setCheckResults(checkResults: State["checkResults"]): void {
    this.rest = { ...this.rest, checkResults };
    this.snapshot = undefined;
  }

  setRunMark(mark: RunMark): void {
    this.rest = { ...this.rest, unknown: withRunMark(this.rest.unknown, mark) };
    this.snapshot = undefined;
  }

  private instancesOf(address: ResourceAddress): MutableResource["instances"] | undefined {
    return this.resources.get(formatResourceAddress(address))?.instances;
  }
}

function wholeOf(found: MutableResource): ResourceState {
  return (found.whole ??= {
    ...found.resource,
    instances: [...found.instances.values()].flatMap((objects) => [...objects.values()]),
  });
}

function insert(resource: MutableResource, instance: InstanceState): void {
  const { instances } = resource;
  const { indexKey, deposed } = instance;
  const objects: Objects = instances.get(indexKey) ?? new Map<string | undefined, InstanceState>();
  objects.set(deposed, instance);
  instances.set(indexKey, objects);
  resource.whole = undefined;
}

/** Returns a state with changes. */
export function changed(state: State, change: (state: MutableState) => void): State {
  const mutable = new MutableState(state);
  change(mutable);
  return mutable.current();
}
