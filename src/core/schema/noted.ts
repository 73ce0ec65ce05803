import { mapMembers, memberOf } from "../member-of";
import { valuesEqual, type ObjectValue } from "../values";
import type { Attributes } from "./attribute";

/** Reports whether two objects are equal, but for attributes that a read has set for the first time. */
export function equalButForNotes(
  attributes: Attributes,
  before: ObjectValue,
  after: ObjectValue,
): boolean {
  const isNew = (name: string) =>
    memberOf(attributes, name)?.noted === true && (memberOf(before, name) ?? null) === null;
  const kept = mapMembers(after, (value, name) => (isNew(name) ? null : value));
  return valuesEqual(before, kept);
}
