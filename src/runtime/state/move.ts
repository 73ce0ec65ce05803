import { error, type Diagnostic } from "../../provider/diagnostics";
import { compareStrings } from "../../provider/values";
import { formatAddress, formatResourceAddress, type InstanceAddress } from "./address";
import { findInstance, findResource, renameInstance } from "./instances";
import type { InstanceKey, State } from "./state";

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
    : { state: renameResource(state, from, to), diagnostics: [] };
}

/** Moves a resource with all its objects, and updates the dependencies of others. */
export function renameResource(state: State, from: InstanceAddress, to: InstanceAddress): State {
  const keys = new Set<InstanceKey | undefined>(
    findResource(state, from)?.instances.map(({ indexKey }) => indexKey),
  );
  const renamed = [...keys].reduce<State>(
    (current, key) => renameInstance(current, { ...from, key }, { ...to, key }),
    state,
  );
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
