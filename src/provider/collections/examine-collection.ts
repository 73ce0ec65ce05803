import { isDeepStrictEqual } from "node:util";
import { SET_BY_CONSOLE } from "../../api/collections";
import { parseJson, stringifyJson } from "../../core/json/lossless-json";
import { isRecord, memberOf } from "../../core/member-of";
import type { OperationContext } from "../../core/definitions/resource-definition";
import type { Console } from "../console/connection";
import type { ExaminedCollection } from "../listing";
import { codecOf, type ManagedCollection } from "./managed-collection";
import { membersNotHeld } from "./unmanaged-members";

/** Reads a collection, converts it to entries of a stack and back, and compares both. */
export async function examineCollection<Item extends object>(
  collection: ManagedCollection<Item>,
  context: Pick<OperationContext<Console>, "connection" | "signal">,
): Promise<ExaminedCollection> {
  const { envelope, items } = await collection.get(context.connection.client, context.signal);
  const codec = await codecOf(collection, context);
  const unmanaged = new Set<string>();
  const changed = new Set<string>();
  for (const item of items) {
    const entry = codec.decodeWhole?.(item) ?? codec.decode(item, undefined);
    const wanted = { entry, configured: entry, before: undefined };
    for (const name of membersThatDiffer(codec.outgoing(item), codec.encode(wanted, item))) {
      changed.add(name);
    }
    const known = codec.decode(item, undefined);
    const held = codec.encode({ ...wanted, entry: known, configured: known }, undefined);
    for (const path of membersNotHeld(codec.outgoing(item), held)) {
      // Names below may be those of people's objects.
      const [name = path] = path.split(".");
      if (!SET_BY_CONSOLE.includes(name)) unmanaged.add(name);
    }
  }
  return {
    envelope: envelope?.member ?? null,
    entries: items.length,
    unmanaged: [...unmanaged].sort(),
    changed: [...changed].sort(),
  };
}

/** The names of members that two objects have with other values, but for those of each change. */
export function membersThatDiffer(found: object, back: object): readonly string[] {
  const [before, after] = [found, back].map((one) => parseJson(stringifyJson(one)));
  if (!isRecord(before) || !isRecord(after)) return [];
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names].filter(
    (name) =>
      !SET_BY_CONSOLE.includes(name) &&
      !isDeepStrictEqual(memberOf(before, name), memberOf(after, name)),
  );
}
