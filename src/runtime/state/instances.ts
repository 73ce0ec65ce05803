import {
  compareAddresses,
  sameResource,
  formatAddress,
  formatResourceAddress,
  type InstanceAddress,
  type ResourceAddress,
} from "./address";
import type { InstanceState, OutputState, ResourceState, State, InstanceKey } from "./state";
import { error, type Diagnostic } from "../../provider/diagnostics";
import { compareStrings } from "../../provider/values";

/** An object of the state with its address and provider. */
interface StoredInstance {
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

/**
 * Moves one object, or a resource with all its objects, to a free address. Without a state, the
 * diagnostics have the error.
 */
export function moveInState(
  state: State,
  from: InstanceAddress,
  to: InstanceAddress,
): { state?: State; diagnostics: readonly Diagnostic[] } {
  const [source, destination] = [formatAddress(from), formatAddress(to)];
  const refuse = (end: "source" | "target", detail: string) => ({
    diagnostics: [error(`Invalid ${end} address`, detail)],
  });
  const resource = findResource(state, from);
  const single = findInstance(state, from) !== undefined;
  if (!resource || (!single && from.key !== undefined)) {
    return refuse("source", `Cannot move ${source}: does not match anything in the current state.`);
  }
  const cannot = `Cannot move ${source} to ${destination}: `;
  if (from.mode !== to.mode || from.type !== to.type) {
    return refuse("target", `${cannot}resource types don't match.`);
  }
  if (from.module !== to.module) {
    return refuse("target", `${cannot}Terraform can move it to another module.`);
  }
  if (single) {
    return findInstance(state, to)
      ? refuse("target", taken(destination, "resource instance"))
      : { state: renameInstance(state, from, to), diagnostics: [] };
  }
  if (to.key !== undefined) {
    return refuse(
      "target",
      `${cannot}the source is a whole resource (not a resource instance) so the target must also be a whole resource.`,
    );
  }
  return findResource(state, to)
    ? refuse("target", taken(destination, "resource"))
    : { state: renameWithDependents(state, from, to), diagnostics: [] };
}

/** Moves a resource with all its objects. The dependencies of others stay as they were recorded. */
export function renameResource(state: State, from: InstanceAddress, to: InstanceAddress): State {
  const keys = new Set<InstanceKey | undefined>(
    findResource(state, from)?.instances.map(({ indexKey }) => indexKey),
  );
  return [...keys].reduce<State>(
    (current, key) => renameInstance(current, { ...from, key }, { ...to, key }),
    state,
  );
}

/** Moves a resource, and updates the dependencies of others. */
function renameWithDependents(state: State, from: InstanceAddress, to: InstanceAddress): State {
  const renamed = renameResource(state, from, to);
  const [before, after] = [formatResourceAddress(from), formatResourceAddress(to)];
  const resources = renamed.resources.map((resource) => ({
    ...resource,
    instances: resource.instances.map((instance) =>
      instance.dependencies.includes(before)
        ? {
            ...instance,
            dependencies: instance.dependencies
              .map((address) => (address === before ? after : address))
              .sort(compareStrings),
          }
        : instance,
    ),
  }));
  return { ...renamed, resources };
}

function taken(address: string, what: string): string {
  return `Cannot move to ${address}: there is already a ${what} at that address in the current state.`;
}
