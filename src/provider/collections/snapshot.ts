import { parseJson, stringifyJson } from "../../api/json";
import type { PrivateState } from "../private-state";
import { isListValue } from "../values";
import { collectionDigest } from "./digest";
import { without } from "./members";

/*
 * What a collection resource remembers in private state: the digest of the collection as last seen;
 * the names of the entries in it that are not managed, for whoever reviews a plan; and, for
 * `on_destroy = "restore"`, what was there before the first write.
 */

/** Never holds an inline credential (2.5): such an entry is restored without it. */
export function takeSnapshot(items: readonly object[]): string {
  return stringifyJson(items.map((item) => without(item, "credential")));
}

/** Undefined where there is none: the resource was made by an engine that could keep none. */
export function readSnapshot(privateState: PrivateState): readonly object[] | undefined {
  const { snapshot } = privateState;
  if (typeof snapshot !== "string") return undefined;
  const items: unknown = parseJson(snapshot);
  return Array.isArray(items) ? items.filter(isObject) : undefined;
}

/** The digest that the plan was made from. */
export function plannedFrom(privateState: PrivateState): string | undefined {
  const { digest } = privateState;
  return typeof digest === "string" ? digest : undefined;
}

export function withDigest(
  privateState: PrivateState,
  items: readonly object[],
  { ordered }: { readonly ordered: boolean },
): PrivateState {
  return { ...privateState, digest: collectionDigest(items, ordered) };
}

/** In the console's order; absent where there are none. */
export function withOthers(privateState: PrivateState, names: readonly string[]): PrivateState {
  if (names.length > 0) return { ...privateState, others: names };
  return Object.fromEntries(Object.entries(privateState).filter(([name]) => name !== "others"));
}

/** Undefined where the collection was not read yet. */
export function readOthers(privateState: PrivateState): readonly string[] | undefined {
  if (plannedFrom(privateState) === undefined) return undefined;
  const { others = null } = privateState;
  return isListValue(others) ? others.filter((name) => typeof name === "string") : [];
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}
