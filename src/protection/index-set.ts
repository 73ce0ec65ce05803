/**
 * A set of indexes from 0, as the bits of one number. One operator combines sets of hundreds of scopes,
 * and is fast before V8 compiles the code around it.
 */
export type IndexSet = bigint;

/** Lists the indexes in a set, ascending. */
export function indexesIn(set: IndexSet): readonly number[] {
  const bits = set.toString(2);
  const found: number[] = [];
  for (let at = bits.indexOf("1"); at >= 0; at = bits.indexOf("1", at + 1))
    found.push(bits.length - 1 - at);
  return found.reverse();
}
