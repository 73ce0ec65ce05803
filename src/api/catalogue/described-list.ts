import { z } from "zod";
import { jsonNumber } from "../../core/json/json-number";
import type { CollectionRow } from "../collections";
import { routesAt, type DescribedPlace } from "./described-place";

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
    key,
    ...(member !== undefined && { member, enveloped: true }),
    endpoints: {
      read: {
        ...{ name: `GET ${place.path}`, spec: null, routes: routesAt(place, "GET") },
        pages: place.pages ?? false,
      },
      replace: { name: `${method} ${place.path}`, spec: null, routes: routesAt(place, method) },
    },
  };
}
