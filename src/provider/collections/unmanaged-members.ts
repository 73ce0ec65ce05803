import { SET_BY_CONSOLE } from "../../api/collections";
import type { Release } from "../../api/release";
import type { PrivateState } from "../../core/private-state";
import type { ObjectValue } from "../../core/values";
import { entriesOf } from "./contents";
import type { ManagedCollection } from "./managed-collection";
import { isFilledIn } from "./members";
import { readSnapshot } from "./snapshot";

/**
 * Returns the members of the console's items that the entries of an imported state cannot hold, such
 * as `condition.vulnerabilities.minSeverity`, sorted.
 */
export function unmanagedMembers<Item extends object>(
  collection: Pick<ManagedCollection<Item>, "codec" | "list" | "itemsOf">,
  state: ObjectValue,
  privateState: PrivateState,
  release: Release,
): readonly string[] {
  const codec =
    typeof collection.codec === "function" ? collection.codec(release) : collection.codec;
  const found = collection.itemsOf(readSnapshot(privateState) ?? []);
  const names = entriesOf(state, collection.list).flatMap((entry, index) => {
    const item = found[index];
    if (!item) return [];
    const held = codec.encode({ entry, configured: entry, before: undefined }, undefined);
    return membersNotHeld(codec.outgoing(item), held);
  });
  return [...new Set(names)].filter((name) => !SET_BY_CONSOLE.includes(name)).sort();
}

/** The paths of the members with a value in an item that `held` does not have. */
export function membersNotHeld(item: unknown, held: unknown): readonly string[] {
  return missing(item, held, "");
}

/** The names of the members with a value in `found` that `held` does not have. */
function missing(found: unknown, held: unknown, path: string): readonly string[] {
  if (Array.isArray(found)) {
    const elements: readonly unknown[] = Array.isArray(held) ? held : [];
    const all = Object.fromEntries(
      elements.filter(isObject).flatMap((element) => Object.entries(element)),
    );
    return found.flatMap((element) => (isObject(element) ? missing(element, all, path) : []));
  }
  if (!isObject(found) || !isObject(held)) return [];
  // Consoles spell the ID of a credential in two ways.
  const members = new Map(
    Object.entries(held).map(([name, value]) => [name.toLowerCase(), value as unknown]),
  );
  return Object.entries(found).flatMap(([name, value]: [string, unknown]) => {
    if (isFilledIn(value)) return [];
    const place = path === "" ? name : `${path}.${name}`;
    const other = members.get(name.toLowerCase());
    return other === undefined ? [place] : missing(value, other, place);
  });
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}
