import type { JsonItem } from "../../api/catalogue/described-list";
import { API, endpointAt, type DescribedPlace } from "../../api/catalogue/described-place";
import type { ConsoleClient } from "../../api/client";
import { ApiError, SchemaMismatchError } from "../../api/errors";
import { isRecord, memberOf } from "../../core/member-of";
import { isNullValue, isObjectValue, type ObjectValue, type Value } from "../../core/values";
import { isFilledIn, without } from "../collections/members";
import type { ManagedCollection } from "../collections/managed-collection";
import type { EntryCodec } from "../collections/ownership";
import { timeExchange } from "../collections/slowest-exchange";
import { holds, itemWith, objectOfJson } from "./json-value";
import { type ItemMembers, listCodec } from "./list-codec";

/** How a document is read and replaced. No item deletes it. */
export function accessToDocument(
  place: DescribedPlace,
  method: "PUT" | "POST",
): Pick<ManagedCollection<JsonItem>, "get" | "put" | "itemsOf"> {
  const send = (client: ConsoleClient, body: JsonItem | undefined, signal: AbortSignal) =>
    body
      ? client.request(endpointAt(place, method), { body, signal })
      : client.request(endpointAt(place, "DELETE"), { signal });
  return {
    get: (client, signal) =>
      timeExchange(client, async () => {
        const item = await read(client, place, signal);
        return { envelope: null, items: item ? [item] : [] };
      }),
    put: (client, { items }, signal) => timeExchange(client, () => send(client, items[0], signal)),
    itemsOf: (kept) => kept.filter(isRecord),
  };
}

async function read(
  client: ConsoleClient,
  place: DescribedPlace,
  signal: AbortSignal,
): Promise<JsonItem | undefined> {
  try {
    const body = (await client.request(endpointAt(place, "GET"), { signal })).json() ?? {};
    if (isRecord(body)) return body;
  } catch (cause) {
    if (cause instanceof ApiError && cause.status === 404) return undefined;
    throw cause;
  }
  throw new SchemaMismatchError(
    `The console answered GET ${API}${place.path} with a list, which cwp_list manages.`,
    [],
  );
}

/** Converts between a body and the document: `replace` owns all its members, `merge` those it has. */
export function documentCodec(
  mode: "merge" | "replace",
  members: Omit<ItemMembers, "key">,
): EntryCodec<JsonItem> {
  const codec = { ...listCodec({ ...members, key: [] }, "body"), isBuiltIn: () => true };
  if (mode === "merge") return codec;
  const kept = [...members.ignore, ...members.secrets];
  const matches = (item: JsonItem, entry: ObjectValue) =>
    holds(item, entry) && hasOnly(without(item, ...kept), entry);
  return {
    ...codec,
    matches,
    decode: (item, before) =>
      before && matches(item, before) ? before : objectOfJson(item, ...kept),
    encode: ({ entry, configured }, found = {}) =>
      itemWith(without(found, ...Object.keys(without(found, ...kept))), entry, configured),
  };
}

/** The document has no filled member that the body does not name. */
function hasOnly(item: JsonItem, entry: ObjectValue): boolean {
  const others = without(
    item,
    ...Object.entries(entry).flatMap(([name, one]) => (isNullValue(one) ? [] : [name])),
  );
  return isFilledIn(others);
}

/** The found document with the members that a body names as they were before. */
export function membersRestored(found: JsonItem, before: JsonItem, body: Value): JsonItem {
  if (!isObjectValue(body)) return found;
  const named = Object.entries(body).filter(([, member]) => !isNullValue(member));
  const members = named.flatMap(([name, member]) => {
    const was = memberOf(before, name);
    const is = memberOf(found, name);
    if (was === undefined) return [];
    const isInside = isRecord(was) && isRecord(is) && isObjectValue(member);
    return [[name, isInside ? membersRestored(is, was, member) : was] as const];
  });
  return { ...without(found, ...named.map(([name]) => name)), ...Object.fromEntries(members) };
}
