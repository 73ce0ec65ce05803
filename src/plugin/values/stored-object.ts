import { isObjectValue, type KnownObject, type KnownValue } from "../../provider/values";
import { RefusedCallError } from "../session";
import type { DynamicValues } from "./dynamic-value";

/** The attributes of an object as a state file has them, of whatever version of its schema. */
export function readStored(values: DynamicValues, json: Uint8Array | undefined): KnownObject {
  if (!json || json.length === 0) {
    throw new RefusedCallError("The state was written by Terraform 0.11 or older.");
  }
  const stored = values.parse(json) as KnownValue;
  if (isObjectValue(stored)) return stored;
  throw new RefusedCallError("The state holds no object.");
}
