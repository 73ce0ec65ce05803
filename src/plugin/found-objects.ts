import type { PrivateState } from "../provider/private-state";
import type { ObjectValue, Value } from "../provider/values";

/**
 * The private state of what was read on a connection, by type and ID.
 *
 * Terraform plans the replacement of a tainted object as a creation, gives no private state with
 * it, and destroys the object by what that plan keeps. An `on_destroy` would then have nothing to
 * put back; what the same run has read before it planned still tells.
 */
export class FoundObjects {
  readonly #found = new Map<string, PrivateState>();

  /** One of two objects of the same name could be either. */
  add(type: string, { id = null }: ObjectValue, privateState: PrivateState): void {
    const name = nameOf(type, id);
    if (name === undefined) return;
    this.#found.set(name, this.#found.has(name) ? {} : privateState);
  }

  /** Empty where there is none, or its ID is not known yet. */
  privateOf(type: string, { id = null }: ObjectValue): PrivateState {
    return this.#found.get(nameOf(type, id) ?? "") ?? {};
  }
}

function nameOf(type: string, id: Value): string | undefined {
  return typeof id === "string" ? JSON.stringify([type, id]) : undefined;
}
