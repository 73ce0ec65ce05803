import { formatAddress } from "../../../src/core/documents/address";
import { listInstances } from "../../../src/backends/state/instances";
import type { State } from "../../../src/core/documents/state";

/** The addresses of all objects in the state, in its order; deposed objects add none. */
export function listAddresses(state: State): readonly string[] {
  return [...new Set(listInstances(state).map(({ address }) => formatAddress(address)))];
}
