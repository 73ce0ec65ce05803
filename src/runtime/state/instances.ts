import {
  compareAddresses,
  sameResource,
  type InstanceAddress,
  type ResourceAddress,
} from "./address";
import type { InstanceState, OutputState, ResourceState, State } from "./state";

/** An object of the state with its address and provider. */
export interface StoredInstance {
  readonly address: InstanceAddress;
  readonly provider: string;
  readonly instance: InstanceState;
}

function instanceAddress(resource: ResourceState, instance: InstanceState): InstanceAddress {
  const { module, mode, type, name } = resource;
  return { module, mode, type, name, key: instance.indexKey };
}

/** Lists every object in Terraform's order, deposed ones after the current one. */
export function listInstances(state: State): readonly StoredInstance[] {
  return state.resources
    .flatMap((resource) =>
      resource.instances.map((instance) => ({
        address: instanceAddress(resource, instance),
        provider: resource.provider,
        instance,
      })),
    )
    .sort(
      (a, b) =>
        compareAddresses(a.address, b.address) ||
        Number(a.instance.deposed !== undefined) - Number(b.instance.deposed !== undefined),
    );
}

export function findResource(state: State, address: ResourceAddress): ResourceState | undefined {
  return state.resources.find((resource) => sameResource(resource, address));
}

/** Finds the current object at the address, or the deposed one with that key. */
export function findInstance(
  state: State,
  address: InstanceAddress,
  deposed?: string,
): InstanceState | undefined {
  return findResource(state, address)?.instances.find((instance) =>
    isAt(instance, address, deposed),
  );
}

/**
 * Sets the object at an address; replaces one with the same `deposed` key. The instance gets the key
 * of the address, and the whole resource gets the provider.
 */
export function setInstance(
  state: State,
  address: InstanceAddress,
  provider: string,
  instance: InstanceState,
): State {
  const { module, mode, type, name, key } = address;
  const resource = findResource(state, address) ?? { module, mode, type, name, instances: [] };
  const others = resource.instances.filter((other) => !isAt(other, address, instance.deposed));
  return replaceResource(state, {
    ...resource,
    provider,
    instances: [...others, { ...instance, indexKey: key }],
  });
}

/** Removes an object, and its resource with the last one. */
export function removeInstance(state: State, address: InstanceAddress, deposed?: string): State {
  const resource = findResource(state, address);
  if (!resource) return state;
  return replaceResource(state, {
    ...resource,
    instances: resource.instances.filter((instance) => !isAt(instance, address, deposed)),
  });
}

/** Moves all objects at an address, with deposed ones, to a free one. */
export function renameInstance(state: State, from: InstanceAddress, to: InstanceAddress): State {
  const source = findResource(state, from);
  const moved = source?.instances.filter(({ indexKey }) => indexKey === from.key) ?? [];
  return moved.reduce(
    (current, instance) =>
      setInstance(
        removeInstance(current, from, instance.deposed),
        to,
        source?.provider ?? "",
        instance,
      ),
    state,
  );
}

/** Sets an output; null removes it. */
export function setOutput(state: State, name: string, output: OutputState | null): State {
  const others = Object.entries(state.outputs).filter(([other]) => other !== name);
  return { ...state, outputs: Object.fromEntries(output ? [...others, [name, output]] : others) };
}

function isAt(instance: InstanceState, address: InstanceAddress, deposed?: string): boolean {
  return instance.indexKey === address.key && instance.deposed === deposed;
}

function replaceResource(state: State, resource: ResourceState): State {
  const others = state.resources.filter((other) => !sameResource(other, resource));
  return {
    ...state,
    resources: resource.instances.length > 0 ? [...others, resource] : others,
  };
}
