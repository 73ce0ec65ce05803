import type { JsonItem } from "../../api/catalogue/described-list";
import { ApiError } from "../../api/errors";
import { memberOf } from "../../core/member-of";
import { isListValue, type ObjectValue, type Value } from "../../core/values";
import type { EntryCodec } from "../collections/ownership";
import { PartlyWrittenError } from "../collections/replace-collection";
import { holds, valueOfJson } from "./json-value";

/*
 * Objects of which a console takes one part after another: those whose number the client chooses, and
 * those with a member whose elements have a separate path.
 */

/**
 * Creates an object with the number above the highest. The API does not refuse a number that another
 * client has taken since, so the object is read back, and numbered once more if it is not there.
 *
 * @param id - the member with the number
 * @param read - reads all objects
 */
export async function addNumbered(
  item: JsonItem,
  id: string,
  read: () => Promise<readonly JsonItem[]>,
  create: (item: JsonItem) => Promise<unknown>,
): Promise<void> {
  for (let isLast = false; ; isLast = true) {
    const numbers = (await read()).map((one) => Number(memberOf(one, id))).filter(Number.isFinite);
    const numbered = { ...item, [id]: Math.max(0, ...numbers) + 1 };
    try {
      await create(numbered);
    } catch (failure) {
      if (isLast || !(failure instanceof ApiError) || failure.status !== 409) throw failure;
      continue;
    }
    const isThere = (await read()).some((one) => holds(one, valueOfJson(numbered)));
    if (isThere || isLast) return;
  }
}

/** Adds the elements that a console has not kept, and removes those that are not wanted. */
export async function writeParts(
  wanted: unknown,
  found: unknown,
  { add, remove }: Record<"add" | "remove", (element: unknown) => Promise<unknown>>,
): Promise<void> {
  if (!Array.isArray(wanted)) return;
  const { pairs, missing, others } = paired(Array.isArray(found) ? found : [], wanted);
  // A console may show more of an element than was sent.
  if (pairs.length === wanted.length && others.length === 0) return;
  try {
    for (const one of others) await remove(one);
    for (const one of missing) await add(one);
  } catch (failure) {
    throw new PartlyWrittenError(failure);
  }
}

/** Compares the elements of a member in any order: the console has them in that of their writes. */
export function inAnyOrder(codec: EntryCodec<JsonItem>, member: string): EntryCodec<JsonItem> {
  const listsOf = (item: JsonItem, entry: ObjectValue) => {
    const found = memberOf(item, member);
    const wanted: Value = memberOf(entry, member) ?? null;
    return Array.isArray(found) && isListValue(wanted) ? { found, wanted } : undefined;
  };
  const sorted = (item: JsonItem, entry: ObjectValue): JsonItem => {
    const lists = listsOf(item, entry);
    if (!lists) return item;
    const { pairs, others } = paired(lists.found, lists.wanted);
    const inOrder = [...pairs].sort((a, b) => a.place - b.place);
    return { ...item, [member]: [...inOrder.map((pair) => pair.found), ...others] };
  };
  const placed = (entry: ObjectValue, item: JsonItem): ObjectValue => {
    const lists = listsOf(item, entry);
    if (!lists) return entry;
    const { pairs, missing } = paired(lists.found, lists.wanted);
    return { ...entry, [member]: [...pairs.map((pair) => pair.wanted), ...missing] };
  };
  return {
    ...codec,
    decode: (item, before) => codec.decode(before ? sorted(item, before) : item, before),
    matches: (item, entry) => codec.matches(sorted(item, entry), entry),
    encode: (wanted, found) =>
      codec.encode(found ? { ...wanted, entry: placed(wanted.entry, found) } : wanted, found),
  };
}

/** Pairs the elements of two lists, in the order of the first. */
function paired<Wanted>(found: readonly unknown[], wanted: readonly Wanted[]) {
  const left = [...wanted.entries()];
  const pairs: { readonly found: unknown; readonly wanted: Wanted; readonly place: number }[] = [];
  const others = found.filter((one) => {
    const at = left.findIndex(([, each]) => holds(one, valueOfJson(each)));
    const [pair] = at < 0 ? [] : left.splice(at, 1);
    if (pair) pairs.push({ found: one, wanted: pair[1], place: pair[0] });
    return !pair;
  });
  return { pairs, missing: left.map(([, one]) => one), others };
}
