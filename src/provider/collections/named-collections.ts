import { collectionNames } from "../../api/collection-names";
import { isRecord } from "../../core/member-of";

/*
 * The collections of workloads that an item names: `"collections": [{ "name": "prod" }]`. A console
 * may answer each of them whole, so items are read, compared and written by their names alone.
 */

/** An item that may name collections. */
type Item = object & { readonly collections?: unknown };

/** The names of the collections of an item; undefined if the member is something else. */
export function namesIn({ collections }: Item): readonly string[] | undefined {
  return collectionNames(collections);
}

/** The item with its collections by name alone; the same one if it has only those. */
export function byCollectionName<T extends Item>(item: T): T {
  const { collections } = item;
  const names = namesIn(item);
  const isWhole =
    names &&
    Array.isArray(collections) &&
    collections.some((one: unknown) => isRecord(one) && Object.keys(one).length > 1);
  return isWhole ? { ...item, collections: names.map((name) => ({ name })) } : item;
}

/** Reports whether both are the same names; their order has no meaning. */
export function sameNames(one: readonly string[], other: readonly string[]): boolean {
  const [names, others] = [new Set(one), new Set(other)];
  return names.size === others.size && [...names].every((name) => others.has(name));
}
