import { SET_BY_CONSOLE } from "../../api/collections";
import { mapMembers, memberOf } from "../../core/member-of";
import { isExactNumber, toNumber, stringifyJson } from "../../core/json/lossless-json";
import { onceForEach } from "../../core/alike";
import {
  canonicalSet,
  isListValue,
  valuesEqual,
  type ObjectValue,
  type Value,
} from "../../core/values";
import { createHash } from "node:crypto";

/**
 * The members of an API object by the attributes that manage them. An attribute that is null is
 * unmanaged: the console keeps its value, and no plan shows it.
 */
export type MemberNames = Readonly<Record<string, string>>;

/** Copies an object without some of its members. */
export function without(
  item: object,
  ...members: readonly string[]
): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(item).filter(([name]) => !members.includes(name)));
}

/** Reads a member of an API object. */
export type ReadMember = (member: string) => unknown;

/**
 * Decodes the attributes of an object. Only attributes that `before` has are managed; without
 * `before`, all that are set.
 */
export function decodeMembers(
  members: MemberNames,
  read: ReadMember,
  before: ObjectValue | undefined,
): ObjectValue {
  return mapMembers(members, (member, attribute) => {
    const found = valueOf(read(member));
    if (!before) return isUnset(found) ? null : found;
    const known = memberOf(before, attribute) ?? null;
    return known === null || sameMember(found, known) ? known : found;
  });
}

/** The members to change, by their API names. */
export function changedMembers(
  members: MemberNames,
  read: ReadMember,
  wanted: ObjectValue,
): Readonly<Record<string, Value>> {
  return Object.fromEntries(
    Object.entries(members).flatMap(([attribute, member]) => {
      const value = memberOf(wanted, attribute) ?? null;
      return value === null || sameMember(valueOf(read(member)), value) ? [] : [[member, value]];
    }),
  );
}

/** The console returns a member that was never set as empty, as null or not at all. */
function sameMember(found: Value, wanted: Value): boolean {
  return valuesEqual(found, wanted) || (isUnset(found) && isUnset(wanted));
}

function isUnset(value: Value): boolean {
  if (isListValue(value)) return value.length === 0;
  return value === null || value === "" || value === 0 || value === false;
}

/** Reports whether a value is one that the console fills in for a member that was never set. */
export function isFilledIn(value: unknown): boolean {
  if (isExactNumber(value)) return toNumber(value) === 0;
  if (typeof value === "object" && value !== null) return Object.values(value).every(isFilledIn);
  return value === null || value === undefined || value === "" || value === 0 || value === false;
}

/** Lists of the API in such members are sets of strings. */
function valueOf(found: unknown): Value {
  if (isExactNumber(found)) return toNumber(found);
  if (Array.isArray(found)) {
    return canonicalSet(found.filter((element) => typeof element === "string"));
  }
  if (typeof found === "string" || typeof found === "number" || typeof found === "boolean") {
    return found;
  }
  return null;
}

/** The part of a collection that its digest depends on. */
export interface Digested {
  readonly ordered: boolean;
  readonly ignored?: readonly string[];
}

/** A hash of a collection's content, without the author and the time of the last change. */
export function collectionDigest(
  items: readonly object[],
  { ordered, ignored = NONE }: Digested,
): string {
  const { inOrder, inAny } = digests(ignored);
  return (ordered ? inOrder : inAny)(items);
}

const NONE: readonly string[] = [];

const digests = onceForEach((ignored: readonly string[]) => {
  const digestOf = (ordered: boolean) =>
    onceForEach((items: readonly object[]) => {
      const content = items.map((item) => without(item, ...SET_BY_CONSOLE, ...ignored));
      return sha256(canonicalItems(content, ordered));
    });
  return { inOrder: digestOf(true), inAny: digestOf(false) };
});

/** JSON with one spelling for equal collections. The order of items counts if `ordered`. */
export function canonicalItems(items: readonly object[], ordered: boolean): string {
  const texts = items.map(canonicalJson);
  return `[${(ordered ? texts : texts.sort()).join(",")}]`;
}

/** JSON with one spelling for equal values: members sorted, numbers as spelled in the source. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  if (isExactNumber(value)) return value.value;
  if (typeof value !== "object" || value === null) return stringifyJson(value);
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, member]) => `${JSON.stringify(name)}:${canonicalJson(member)}`);
  return `{${members.join(",")}}`;
}

export function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

/** The first 16 hex digits of a hash, which show a change. For secrets of high entropy only. */
export function fingerprint(secret: string): string {
  return sha256(secret).slice(0, 16);
}
