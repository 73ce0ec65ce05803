import { z } from "zod";
import { checked } from "./check";
import type { CollectionShape } from "./collections";

/**
 * A list that is read and replaced as a whole, together with the object that it came in. What is
 * written back (`writeCollection`) has that object's other members again.
 */
export interface Collection<Item> {
  /** The object around the list, and the member that holds the list; null for a bare array. */
  readonly envelope: Envelope | null;
  /** As found: in the console's order, with every member, numbers as spelled. */
  readonly items: readonly Item[];
}

/** The object that a list came in. */
export interface Envelope {
  /** The one that holds the list. */
  readonly member: string;
  /** All its members as they were found, the list's old value among them. */
  readonly found: Readonly<Record<string, unknown>>;
}

const objectSchema = z.record(z.string(), z.unknown());

/**
 * Reads a body: a bare array, or the envelope. `null` in place of the list, or of the whole body,
 * is an empty list, and so is `{}` where an envelope is known. Any other object without the list
 * is a SchemaMismatchError: taking it for an empty list would let a rewrite lose what is there.
 */
export function readCollection<Item>(
  shape: CollectionShape<Item>,
  body: unknown,
): Collection<Item> {
  const { what, item, member } = shape;
  const listSchema = z.array(item);
  if (member === undefined || Array.isArray(body)) {
    return { envelope: null, items: checked(listSchema, body ?? [], what) };
  }
  if (body === null) {
    return { envelope: shape.enveloped ? { member, found: {} } : null, items: [] };
  }
  const found = checked(objectSchema, body, what);
  const isEmpty = Object.keys(found).length === 0;
  const listIn = z.looseObject({ [member]: listSchema.nullable() });
  const list = isEmpty ? null : checked(listIn, found, what)[member];
  return { envelope: { member, found }, items: list ?? [] };
}

/** The body to write: the items, in the envelope that they were found in. */
export function writeCollection({ envelope, items }: Collection<unknown>): unknown {
  return envelope ? { ...envelope.found, [envelope.member]: items } : items;
}
