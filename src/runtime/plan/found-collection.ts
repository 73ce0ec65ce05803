import type { DestroyedObject } from "../../core/definitions/resource-definition";
import type { ResourceChange } from "../../core/documents/stack-plan";
import type { PriorObject } from "./prepared";
import type { Target } from "./target";

/**
 * Returns the member of a change that holds the console's collection around its object.
 *
 * @param destroyed The object before the change, if the change destroys it.
 */
export function foundBeside(
  { provider, type, connection }: Target,
  destroyed: DestroyedObject | null,
): Pick<ResourceChange, "found"> {
  const found = provider.found(type, connection, destroyed);
  return found ? { found } : {};
}

export function destroyedObject({ current, private: privateState }: PriorObject) {
  return current && { state: current, private: privateState };
}
