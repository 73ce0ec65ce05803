import type { KindOf } from "../../api/catalogue/catalogue";
import { listRow, type DescribedList, type JsonItem } from "../../api/catalogue/described-list";
import { API, endpointAt, type DescribedPlace } from "../../api/catalogue/described-place";
import type { ConsoleClient } from "../../api/client";
import type { Collection } from "../../api/collection-body";
import { ApiError, SchemaMismatchError } from "../../api/errors";
import { z } from "zod";
import { onceForEach } from "../../core/alike";
import type { Value } from "../../core/values";
import { TEXT } from "../collections/contents";
import { without } from "../collections/members";
import { isRecord, memberOf } from "../../core/member-of";
import { accessTo, type ManagedCollection } from "../collections/managed-collection";
import { timeExchange } from "../collections/slowest-exchange";
import { textOfKey } from "./codec";
import { addNumbered, writeParts } from "./one-by-one";

/**
 * Returns how a list of objects or of texts is read and replaced. A text is an item with `TEXT`.
 *
 * @param readOnly - members beside the list that are not sent back
 * @param shape - converts the objects that were read
 */
export function accessToList(
  list: DescribedList,
  readOnly: readonly string[],
  shape: (item: JsonItem) => JsonItem = (item) => item,
): Access {
  const row = listRow(list);
  const item: z.ZodType<JsonItem | string, JsonItem | string> = z.union([row.item, z.string()]);
  const all = accessTo({ ...row, item }, (one) => (typeof one === "string" ? one : shape(one)));
  const boxed = onceForEach(({ envelope, items }: Collection<JsonItem | string>) => ({
    envelope,
    items: items.map((one) => (typeof one === "string" ? { [TEXT]: one } : one)),
  }));
  return {
    get: async (...read) => boxed(await all.get(...read)),
    put: (client, { envelope, items }, signal) => {
      const sent = envelope && { ...envelope, found: without(envelope.found, ...readOnly) };
      const unboxed = items.map((one) => {
        const text = memberOf(one, TEXT);
        return typeof text === "string" ? text : one;
      });
      return all.put(client, { envelope: sent, items: unboxed }, signal);
    },
    itemsOf,
  };
}

/** The method that a configuration names; undefined if it names none. */
export function methodOf(value: Value): "PUT" | "POST" | undefined {
  return value === "PUT" || value === "POST" ? value : undefined;
}

/** How a collection of one item, or of none, is read and written. */
type Access = Pick<ManagedCollection<JsonItem>, "get" | "put" | "itemsOf">;

const itemsOf = (kept: readonly object[]) => kept.filter(isRecord);

function only(item: JsonItem | undefined): Collection<JsonItem> {
  return { envelope: null, items: item ? [item] : [] };
}

/**
 * How a document is read and replaced. No item deletes it.
 *
 * @param list - the member that a list manages: it is no part of the item, and sent back as found
 */
export function accessToDocument(
  place: DescribedPlace,
  method: "PUT" | "POST",
  list?: string,
): Access {
  const read = async (client: ConsoleClient, signal: AbortSignal) => {
    const what = `entries of ${place.path}`;
    const reading = client.wholeJson(endpointAt(place, "GET"), { what, signal });
    const body: unknown = await unlessMissing(reading.then((answer) => answer ?? {}));
    if (body === undefined) return only(body);
    if (isRecord(body) && list === undefined) return only(body);
    if (isRecord(body)) {
      return { envelope: { member: list ?? "", found: body }, items: [without(body, list ?? "")] };
    }
    const problem = `The console answered GET ${API}${place.path} with a list, which cwp_list manages.`;
    throw new SchemaMismatchError(problem, []);
  };
  return {
    get: (client, signal) => timeExchange(client, () => read(client, signal)),
    put: (client, { items: [body], envelope }, signal) => {
      const own = list === undefined ? undefined : memberOf(envelope?.found, list);
      const sent =
        body && list !== undefined && own !== undefined ? { ...body, [list]: own } : body;
      return timeExchange(client, () =>
        client.request(endpointAt(place, sent ? method : "DELETE"), { body: sent, signal }),
      );
    },
    itemsOf,
  };
}

/** Objects that are created one by one, as a row of the catalogue or a user describes them. */
export interface DescribedObjects
  extends DescribedPlace, Pick<KindOf<"object">, "create" | "numbered" | "parts"> {
  readonly member: string | undefined;
  readonly key: readonly string[];
  /** In messages, in the plural. */
  readonly what: string;
  /** The member whose value is the end of an item's path. */
  readonly id: string;
  readonly update: KindOf<"object">["update"] | "replace";
}

/**
 * Returns how one of the objects is read, created, updated and deleted.
 *
 * @param find - finds it among all objects
 */
export function accessToObjects(
  objects: DescribedObjects,
): (find: (items: readonly JsonItem[]) => JsonItem | undefined) => Access {
  const { create, update } = objects;
  const all = accessTo(listRow({ ...objects, method: "PUT" }));
  const idOf = (item: JsonItem) => textOfKey(memberOf(item, objects.id) ?? "");
  const send = (how: string, body: JsonItem, client: ConsoleClient, signal: AbortSignal) => {
    const method = how === "POST" ? "POST" : "PUT";
    const target = endpointAt(objects, method, how.endsWith(" item") ? "/{id}" : "");
    const sent = how === "PUT list" ? [body] : body;
    return client.request(target, { params: { id: idOf(body) }, body: sent, signal });
  };
  const remove = (item: JsonItem, client: ConsoleClient, signal: AbortSignal) => {
    const target = endpointAt(objects, "DELETE", "/{id}");
    return unlessMissing(client.request(target, { params: { id: idOf(item) }, signal }));
  };
  const add = async (item: JsonItem, client: ConsoleClient, signal: AbortSignal) => {
    if (objects.numbered === undefined || memberOf(item, objects.id) !== undefined) {
      return send(create, item, client, signal);
    }
    const read = async () => (await all.get(client, signal)).items;
    return addNumbered(item, objects.id, read, (one) => send(create, one, client, signal));
  };
  return (find) => ({
    get: async (...read) => {
      const { items: listed } = await all.get(...read);
      return { ...only(find(listed)), listed };
    },
    put: async (client, { items: [item] }, signal, { items: [found] }) => {
      const isUpdate = found && item && update !== "replace";
      if (isUpdate) await send(update, item, client, signal);
      else if (found) await remove(found, client, signal);
      if (!item) return;
      if (!isUpdate) await add(item, client, signal);
      if (!objects.parts) return;
      const { member, path } = objects.parts;
      const write = (method: "POST" | "DELETE") => (body: unknown) =>
        client.request(endpointAt(objects, method, `/{id}/${path}`), {
          ...{ params: { id: idOf(item) }, body, signal },
        });
      const now = find((await all.get(client, signal)).items);
      await writeParts(memberOf<unknown>(item, member), memberOf<unknown>(now ?? {}, member), {
        add: write("POST"),
        remove: write("DELETE"),
      });
    },
    itemsOf,
  });
}

async function unlessMissing<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer;
  } catch (cause) {
    if (cause instanceof ApiError && cause.status === 404) return undefined;
    throw cause;
  }
}
