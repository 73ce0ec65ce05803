import { z } from "zod";
import { jsonNumber } from "../../core/json/json-number";
import type { CollectionRow } from "../collections";
import type { Method, RouteRows } from "../endpoint";
import type { CatalogueKind } from "./catalogue";
import { API } from "./path";

/** An item of a list that a user or the catalogue describes. */
export type JsonItem = Readonly<Record<string, unknown>>;

/** A list, as a row of the catalogue or a user describes it. */
export interface DescribedList extends DescribedPlace {
  /** The items in messages, in the plural. */
  readonly what: string;
  readonly member?: string | undefined;
  readonly key: readonly string[];
  readonly method: "PUT" | "POST";
}

/** A path with the releases that have it. */
export type DescribedPlace = Pick<CatalogueKind, "path" | "moved" | "since">;

const keyValue = z.union([z.string(), jsonNumber, z.boolean()], "must be text or a number");

/** Returns how the list is read and replaced. Its items have all members of the key. */
export function listRow({
  what,
  member,
  key,
  method,
  ...place
}: DescribedList): CollectionRow<JsonItem> {
  const item: z.ZodType<JsonItem, JsonItem> = z.looseObject(
    Object.fromEntries(key.map((name) => [name, keyValue])),
  );
  return {
    what,
    item,
    ...(member !== undefined && { member, enveloped: true }),
    endpoints: {
      read: { name: `GET ${place.path}`, spec: null, routes: routesAt(place, "GET") },
      replace: { name: `${method} ${place.path}`, spec: null, routes: routesAt(place, method) },
    },
  };
}

/** The routes of a method at a described path, or at a path below it. */
export function routesAt(
  { path, moved, since }: DescribedPlace,
  method: Method,
  below = "",
): RouteRows {
  const first = { method, path: `${API}${path}${below}`, ...(since && { since }) };
  if (!moved) return [first];
  return [first, { method, path: `${API}${moved.path}${below}`, section: moved.section }];
}
