import { error, type Diagnostic } from "../../provider/diagnostics";
import { compareAddresses, formatAddress, parseAddress } from "../../runtime/state/address";
import type { InstanceState, ResourceState, State } from "../../runtime/state/state";

/** One resource instance of a state. */
export interface StoredObject {
  readonly address: string;
  readonly resource: ResourceState;
  readonly instance: InstanceState;
}

/** The resource instances of a state by address, without deposed objects, as Terraform lists them. */
export function objectsOf(state: State): readonly StoredObject[] {
  return state.resources
    .flatMap((resource) =>
      resource.instances
        .filter(({ deposed }) => deposed === undefined)
        .map((instance) => ({ resource, instance, at: { ...resource, key: instance.indexKey } })),
    )
    .sort((a, b) => compareAddresses(a.at, b.at))
    .map(({ resource, instance, at }) => ({ address: formatAddress(at), resource, instance }));
}

/** Errors for the texts that are not addresses. */
export function addressProblems(texts: readonly string[]): readonly Diagnostic[] {
  return texts.filter((text) => !parseAddress(text)).map(invalidAddress);
}

export function invalidAddress(text: string): Diagnostic {
  return error(
    "Invalid address",
    `"${text}" is not the address of a resource, such as cwp_license.main or null_resource.gate[0].`,
  );
}
