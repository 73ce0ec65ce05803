import { memberOf } from "../core/member-of";
import { z } from "zod";
import { checked, checkedList } from "./check";
import { isExactNumber } from "../core/json/lossless-json";
import type { CollectionShape } from "./collections";
import { SchemaMismatchError } from "./errors";

/**
 * A list that is read and replaced as a whole, with the object that contained it. `writeCollection`
 * restores that object's other members.
 */
export interface Collection<Item> {
  /** The object around the list; null for a bare array. */
  readonly envelope: Envelope | null;
  /** The items as found: in the console's order, with all members, numbers as spelled. */
  readonly items: readonly Item[];
  /** The whole list, if the items are one of it or none. */
  readonly listed?: readonly Item[];
}

/** The object that contained a list. */
export interface Envelope {
  /** The member that holds the list. */
  readonly member: string;
  /** All members as found, including the list's previous value. */
  readonly found: Readonly<Record<string, unknown>>;
}

const objectSchema = z.record(z.string(), z.unknown());

/**
 * Reads a body: a bare array or the envelope. `null` in place of the list or of the whole body is
 * an empty list, and so is `{}` if the collection has an envelope. Any other object without the
 * list is a SchemaMismatchError, because reading it as an empty list would make a rewrite lose
 * items.
 */
export function readCollection<Item>(
  shape: CollectionShape<Item>,
  body: unknown,
): Collection<Item> {
  try {
    return readAs(shape, body);
  } catch (cause) {
    if (!(cause instanceof SchemaMismatchError)) throw cause;
    throw new SchemaMismatchError(`${cause.message} The answer is ${formOf(body)}.`, cause.path);
  }
}

/** Describes JSON by the names of its members: `{"_id": text, "rules": [2 of {"name": text}]}`. */
function formOf(json: unknown, depth = 0): string {
  if (Array.isArray(json)) {
    return json.length === 0 ? "[]" : `[${json.length} of ${formOf(json[0], depth)}]`;
  }
  if (isExactNumber(json) || typeof json === "number") return "number";
  if (typeof json !== "object" || json === null)
    return typeof json === "string" ? "text" : String(json);
  const members = Object.entries(json);
  if (depth === 2) return members.length === 0 ? "{}" : "{…}";
  const shown = members
    .slice(0, MOST_MEMBERS)
    .map(([name, value]) => `${JSON.stringify(name)}: ${formOf(value, depth + 1)}`);
  return `{${[...shown, ...(members.length > MOST_MEMBERS ? ["…"] : [])].join(", ")}}`;
}

const MOST_MEMBERS = 12;

function readAs<Item>(shape: CollectionShape<Item>, body: unknown): Collection<Item> {
  const { what, item, member } = shape;
  if (member === undefined || Array.isArray(body)) {
    return { envelope: null, items: checkedList(item, body ?? [], what) };
  }
  if (body === null) {
    return { envelope: shape.enveloped ? { member, found: {} } : null, items: [] };
  }
  const found = checked(objectSchema, body, what);
  const isEmpty = Object.keys(found).length === 0;
  const list = isEmpty || memberOf(found, member) === null ? [] : memberOf(found, member);
  return { envelope: { member, found }, items: checkedList(item, list, what, [member]) };
}

/** Returns the body to write: the items in the envelope that they were found in. */
export function writeCollection({ envelope, items }: Collection<unknown>): unknown {
  return envelope ? { ...envelope.found, [envelope.member]: items } : items;
}
