import { isObjectValue, type KnownObject, type KnownValue } from "./values";

/**
 * What a resource remembers beside its state, out of the users' sight: JSON, kept by whoever keeps
 * the state, never shown.
 */
export type PrivateState = KnownObject;

/** Private state as both engines keep it: JSON, or nothing where there is none. */
export function encodePrivate(value: PrivateState): Uint8Array | undefined {
  return Object.keys(value).length > 0 ? Buffer.from(JSON.stringify(value)) : undefined;
}

/** What is no JSON object was written by another implementation of the provider; it means nothing here. */
export function decodePrivate(bytes: Uint8Array | undefined): PrivateState {
  if (!bytes || bytes.length === 0) return {};
  try {
    const decoded = JSON.parse(Buffer.from(bytes).toString("utf8")) as KnownValue;
    return isObjectValue(decoded) ? decoded : {};
  } catch {
    return {};
  }
}
