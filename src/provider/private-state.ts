import { isNestedDeeper, JSON_DEPTH } from "./lossless-json";
import { isObjectValue, type KnownObject, type KnownValue } from "./values";

/** Data of a resource in addition to its state: JSON that is stored with the state, never shown. */
export type PrivateState = KnownObject;

/** Encodes private state as JSON; undefined if it is empty. */
export function encodePrivate(value: PrivateState): Uint8Array | undefined {
  return Object.keys(value).length > 0 ? Buffer.from(JSON.stringify(value)) : undefined;
}

/** Decodes private state; bytes of another implementation of the provider are ignored. */
export function decodePrivate(bytes: Uint8Array | undefined): PrivateState {
  if (!bytes || bytes.length === 0) return {};
  try {
    const text = Buffer.from(bytes).toString("utf8");
    if (isNestedDeeper(text, JSON_DEPTH)) return {};
    const decoded = JSON.parse(text) as KnownValue;
    return isObjectValue(decoded) ? decoded : {};
  } catch {
    return {};
  }
}
