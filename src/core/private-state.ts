import { onceForEach } from "./alike";
import { isNestedDeeper, JSON_DEPTH } from "./json/lossless-json";
import { isObjectValue, type KnownObject, type KnownValue } from "./values";

/** Data of a resource in addition to its state: JSON that is stored with the state, never shown. */
export type PrivateState = KnownObject;

/** The bytes that private states were decoded from. Nobody changes a private state. */
const sources = new WeakMap<PrivateState, Uint8Array>();

/** Encodes private state as JSON; undefined if it is empty. */
export function encodePrivate(value: PrivateState): Uint8Array | undefined {
  if (Object.keys(value).length === 0) return undefined;
  // A small Buffer would keep the 8 KB of Node's pool that it is a part of.
  return sources.get(value) ?? new TextEncoder().encode(JSON.stringify(value));
}

/** Decodes private state; bytes of another implementation of the provider are ignored. */
export function decodePrivate(bytes: Uint8Array | undefined): PrivateState {
  return !bytes || bytes.length === 0 ? {} : decoded(bytes);
}

const decoded = onceForEach((bytes: Uint8Array): PrivateState => {
  try {
    const text = Buffer.from(bytes).toString("utf8");
    if (isNestedDeeper(text, JSON_DEPTH)) return {};
    const value = JSON.parse(text) as KnownValue;
    if (!isObjectValue(value)) return {};
    sources.set(value, bytes);
    return value;
  } catch {
    return {};
  }
});
