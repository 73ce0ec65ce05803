import {
  compareAddresses,
  sameResource,
  formatAddress,
  type InstanceAddress,
  type ResourceAddress,
} from "../../core/documents/address";
import { changed } from "./mutable-state";
import type { InstanceState, ResourceState, State } from "../../core/documents/state";
import { error, type Diagnostic } from "../../core/diagnostics";

function instanceAddress(resource: ResourceState, instance: InstanceState): InstanceAddress {
  const { module, mode, type, name } = resource;
  return { module, mode, type, name, key: instance.indexKey };
}

/** Lists every object with its address in Terraform's order, deposed ones after the current one. */
export function listInstances(state: State) {
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
  return findResource(state, address)?.instances.find(
    (instance) => instance.indexKey === address.key && instance.deposed === deposed,
  );
}

/** Returns the state with an object at an address; see `MutableState`, which sets many. */
export function setInstance(
  state: State,
  address: InstanceAddress,
  provider: string,
  instance: InstanceState,
): State {
  return changed(state, (present) => {
    present.set(address, provider, instance);
  });
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
    return refuse(
      "source",
      `Cannot move ${source}: does not match anything in the current state. "state list" prints the addresses in it.`,
    );
  }
  const cannot = `Cannot move ${source} to ${destination}: `;
  if (from.mode !== to.mode || from.type !== to.type) {
    return refuse(
      "target",
      `${cannot}resource types don't match. Name an address of the type ${from.type}.`,
    );
  }
  if (from.module !== to.module) {
    return refuse("target", `${cannot}Terraform can move it to another module.`);
  }
  if (single) {
    return findInstance(state, to)
      ? refuse("target", taken(destination, "resource instance"))
      : {
          state: changed(state, (moved) => {
            moved.rename(from, to);
          }),
          diagnostics: [],
        };
  }
  if (to.key !== undefined) {
    return refuse(
      "target",
      `${cannot}the source is a whole resource (not a resource instance) so the target must also be a whole resource.`,
    );
  }
  return findResource(state, to)
    ? refuse("target", taken(destination, "resource"))
    : {
        state: changed(state, (moved) => {
          moved.renameResource(from, to);
          moved.renameDependencies(from, to);
        }),
        diagnostics: [],
      };
}

function taken(address: string, what: string): string {
  return `Cannot move to ${address}: there is already a ${what} at that address in the current state.`;
}
