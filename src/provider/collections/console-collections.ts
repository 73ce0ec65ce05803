import { z } from "zod";
import { foundList } from "../../api/bodies";
import { catalogue } from "../../api/catalogue/catalogue";
import { listRow, type JsonItem } from "../../api/catalogue/described-list";
import { placeAt } from "../../api/catalogue/described-place";
import type { ConsoleClient } from "../../api/client";
import { isPathRefused } from "../../api/errors";
import { mapMembers, memberOf } from "../../core/member-of";
import { canonicalSet, type ObjectValue } from "../../core/values";
import { accessTo } from "./managed-collection";

/** The path of the console's collections of workloads, below `/api/v1`. */
export const COLLECTIONS_PATH = "collections";

/** The lists of a collection that concern containers, by the fields of a policy's scope. */
export const CONTAINER_LISTS = {
  images: "images",
  containers: "containers",
  namespaces: "namespaces",
  hosts: "hosts",
  labels: "labels",
  account_ids: "accountIDs",
} as const;

const access = accessTo(
  listRow({
    ...placeAt(COLLECTIONS_PATH, catalogue().get("collection")),
    what: "collections",
    key: ["name"],
    method: "PUT",
  }),
);

const patterns = z.array(z.string()).nullish();

/** Scopes by the names of their collections: each an object with the name and the fields of a scope. */
export type ScopesByName = ReadonlyMap<string, ObjectValue>;

/** Reads the scopes of all collections; undefined if the console has none, or does not show them. */
export async function readScopes(
  client: ConsoleClient,
  signal: AbortSignal,
): Promise<ScopesByName | undefined> {
  try {
    const { items } = await access.get(client, signal, "joins");
    return new Map(items.map((item) => [String(item.name), scopeOfCollection(item)]));
  } catch (failure) {
    if (isPathRefused(failure)) return undefined;
    throw failure;
  }
}

/** The scope of a collection. A list that is missing matches everything, as in policies. */
export function scopeOfCollection(item: JsonItem): ObjectValue {
  const lists = mapMembers(CONTAINER_LISTS, (member) => {
    const found = patterns.safeParse(memberOf(item, member));
    return canonicalSet(found.success ? foundList(found.data, ["*"]) : []);
  });
  return { name: String(item.name), ...lists };
}
